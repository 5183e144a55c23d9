#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what the data files hold and keeps the README's section about it true: summary.py [--write] (without: 1 if not)."""
import collections
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parent
README = DATA.parents[1] / "README.md"
BEGIN, END = "<!-- knowledge/data/summary.py -->\n", "<!-- end of summary -->\n"


def load(folder, key):
    for path in sorted((DATA / folder).glob("*.json")):
        content = json.loads(path.read_text())
        if not path.name.endswith(".schema.json") and key in content:
            yield path.stem, content[key]


def options():
    files = {name: found for name, found in load("options", "options") if name != "facts"}
    described = {name: option for found in files.values() for name, option in found.items()}
    everything = {option["name"] for option in dict(load("options", "options"))["facts"]} | set(described)
    effects = collections.Counter(option["takes_effect"] for option in described.values() if "takes_effect" in option)
    safety = collections.Counter(option.get("safety", "none") for option in described.values())
    searched = sum("search" in option for option in described.values())
    yield (f"{len(everything):,} options of Ceph 16.2 to 20.2 with type, range, default and the releases that have them; {len(described)} of them "
           f"with what they do and what changing them costs. Of those, {searched} have a range worth searching, and "
           f"{sum(count for name, count in safety.items() if name != 'none')} touch data, security, memory or diagnosis.")
    yield "They take effect: " + ", ".join(f"{name} {count}" for name, count in effects.most_common()) + "."


def rules():
    files = dict(load("rules", "rules"))
    topics = collections.Counter(rule["topic"] for found in files.values() for rule in found)
    severities = collections.Counter(rule["severity"] for found in files.values() for rule in found)
    examples = sum(len(rule.get(kind, [])) for found in files.values() for rule in found for kind in ("fires_on", "quiet_on"))
    yield (f"{sum(topics.values())} rules ({', '.join(f'{severities[name]} {name}' for name in ('danger', 'warning', 'advice', 'info'))}), "
           f"each tried on examples where it must speak and where it must be silent ({examples} in all):")
    yield ""
    yield "| about | rules |"
    yield "|---|---|"
    for name, count in topics.most_common():
        yield f"| {name} | {count} |"


def summary():
    graph = json.loads((DATA / "graph.json").read_text())
    sources = json.loads((DATA / "sources.json").read_text())["sources"]
    lines = [*options(), "", *rules(), "",
             f"A graph of {len(graph['nodes'])} thread pools, resources, stages and metrics with {len(graph['edges'])} edges ties options to what they "
             f"move (`osdtune explain OPTION`, `explain --graph`). {len(sources)} sources are cited; `--verbose` names them."]
    return "\n".join(lines) + "\n"


def main():
    text = README.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    true = before + BEGIN + summary() + END + after
    if "--write" in sys.argv:
        README.write_text(true)
    elif text != true:
        sys.exit("README.md: the section 'What osdtune knows' is out of date: run knowledge/data/summary.py --write")


if __name__ == "__main__":
    main()
