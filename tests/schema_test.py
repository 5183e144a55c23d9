#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every data file of options and rules against the JSON schema beside it (needs python3-jsonschema)."""
import json
import pathlib
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent / "knowledge" / "data"
faults = 0
for folder in ("options", "rules"):
    validator = jsonschema.Draft7Validator(json.loads((ROOT / folder / f"{folder}.schema.json").read_text()))
    for path in sorted((ROOT / folder).glob("*.json")):
        if path.name.endswith(".schema.json"):
            continue
        for error in validator.iter_errors(json.loads(path.read_text())):
            deepest = jsonschema.exceptions.best_match([error])
            print(f"{path}: {'/'.join(map(str, deepest.absolute_path))}: {deepest.message[:300]}")
            faults += 1
print("faults:", faults)
sys.exit(1 if faults else 0)
