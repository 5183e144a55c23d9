#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that includes go one way, third-party headers stay in .cpp files, and every source names its licence.

Usage: layers_test.py [SOURCE_DIR]   exit code 1 and one line per violation
"""
import re
import sys
import tempfile
import unittest
from pathlib import Path

# What each folder may include besides itself: the arrows of the design, without shortcuts.
BELOW = {
    "core": set(),
    "knowledge": {"core"},
    "search/cluster": {"core", "knowledge"},
    "search/workload": {"core", "knowledge"},
    "search/model": {"core"},
    "search/sim": {"core", "knowledge", "search/cluster", "search/workload"},
    "search": {"core", "knowledge", "search/cluster", "search/workload", "search/model", "search/sim"},
}
BELOW["advisor"] = BELOW["search"] | {"search"}
BELOW["cli"] = BELOW["advisor"] | {"advisor"}

# Headers at the top of search/ that are plain data about settings and plans of measuring: they include nothing but
# core, so the folders below search/ may speak in their words.
SHARED = {"search/space.hpp", "search/planner.hpp"}

# Third-party headers that may stand in a .hpp: (folder or file, prefix of the header).
IN_HEADERS = [("core/json_file.hpp", "nlohmann/"), ("search/model/", "Eigen/")]

POSIX = {"unistd.h", "fcntl.h", "signal.h", "stdlib.h", "poll.h", "pthread.h", "termios.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;{]*\{", re.MULTILINE)
SPDX = "SPDX-License-Identifier: Apache-2.0"


def layer_of(path):
    """The layer a file belongs to, or None for files outside of the layers."""
    folders = path.split("/")[:-1]
    for depth in (2, 1):
        name = "/".join(folders[:depth])
        if name in BELOW:
            return name
    return None


def is_third_party(header):
    if header.startswith("sys/") or header in POSIX:
        return False
    return "/" in header or "." in header  # headers of the standard library have neither


def check_includes(path, text):
    layer = layer_of(path)
    for bracket, header in INCLUDE.findall(text):
        if bracket == '"':
            target = layer_of(header)
            if target is None:
                yield f"{path}: \"{header}\" is no header of this project"
            elif target not in BELOW[layer] | {layer} and not is_shared(header, layer):
                yield f"{path}: includes {header}, but {layer} must not see {target}"
        elif path.endswith(".hpp") and is_third_party(header):
            if not any(path.startswith(place) and header.startswith(name) for place, name in IN_HEADERS):
                yield f"{path}: <{header}> belongs into a .cpp file"


def is_shared(header, layer):
    return header in SHARED and layer.startswith("search/")


def check_shared(path, text):
    """A header that everybody in search/ may include must itself stay at the bottom."""
    for bracket, header in INCLUDE.findall(text):
        if path in SHARED and bracket == '"' and layer_of(header) != "core" and header not in SHARED:
            yield f"{path}: is shared by the folders below search/, so it must not include {header}"


def check_licence(path, text):
    lines = text.splitlines()
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    if not lines or SPDX not in lines[0]:
        yield f"{path}: the first line does not say {SPDX}"


def sources(root):
    kinds = {".cpp", ".hpp", ".py", ".sh", ".cmake"}
    for folder in ("core", "knowledge", "search", "advisor", "cli", "cmake", "tests", "examples"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in kinds or path.name == "CMakeLists.txt":
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def check_twins(texts):
    """Two types of one name would be one to the linker: whichever destructor it finds first serves both."""
    seen = {}
    for path, text in texts:
        if layer_of(path) and path.endswith(".hpp"):
            for name in TYPE.findall(text):
                if name in seen:
                    yield f"{path}: the type {name} is defined in {seen[name]}, too"
                seen[name] = path


def violations(root):
    yield from check_twins(sources(Path(root)))
    for path, text in sources(Path(root)):
        yield from check_licence(path, text)
        if layer_of(path) and path.endswith((".cpp", ".hpp")):
            yield from check_includes(path, text)
            yield from check_shared(path, text)


class PlantedViolations(unittest.TestCase):
    """The check sees what it is there for."""

    def found(self, path, include, first_line=f"// {SPDX}"):
        with tempfile.TemporaryDirectory() as root:
            file = Path(root) / path
            file.parent.mkdir(parents=True)
            file.write_text(f"{first_line}\n// A file.\n#include {include}\n")
            return list(violations(root))

    def test_an_upward_include_is_rejected(self):
        for path, include in [
            ("core/x.hpp", "knowledge/option.hpp"),
            ("knowledge/x.cpp", "search/plan.hpp"),
            ("search/model/x.cpp", "knowledge/option.hpp"),
            ("search/workload/x.cpp", "search/cluster/cluster.hpp"),
            ("search/cluster/x.cpp", "search/sweep.hpp"),
            ("search/sim/x.cpp", "search/model/gp.hpp"),
            ("search/x.cpp", "advisor/recommend.hpp"),
            ("advisor/x.cpp", "cli/console.hpp"),
            ("core/x.cpp", "search/space.hpp"),
        ]:
            with self.subTest(path=path, include=include):
                self.assertEqual(len(self.found(path, f'"{include}"')), 1)

    def test_a_downward_include_is_accepted(self):
        for path, include in [
            ("knowledge/x.cpp", "core/value.hpp"),
            ("search/model/x.cpp", "search/planner.hpp"),
            ("search/sim/x.cpp", "search/workload/workload.hpp"),
            ("search/x.cpp", "search/sim/simulated.hpp"),
            ("cli/x.cpp", "knowledge/option.hpp"),
        ]:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.found(path, f'"{include}"'), [])

    def test_two_types_of_one_name_are_rejected(self):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("core", "advisor"):
                (Path(root) / folder).mkdir()
                (Path(root) / folder / "x.hpp").write_text(f"// {SPDX}\nstruct Twin {{\n}};\n")
            self.assertEqual(len(list(violations(root))), 1)

    def test_an_unknown_header_in_quotes_is_rejected(self):
        self.assertEqual(len(self.found("core/x.cpp", '"value.hpp"')), 1)

    def test_a_third_party_header_in_a_header_is_rejected(self):
        for include in ["<fmt/format.h>", "<boost/process.hpp>", "<rados/librados.h>", "<nlopt.hpp>", "<CLI/CLI.hpp>"]:
            with self.subTest(include=include):
                self.assertEqual(len(self.found("search/x.hpp", include)), 1)
                self.assertEqual(self.found("search/x.cpp", include), [])
        for include in ["<vector>", "<sys/types.h>", "<unistd.h>"]:
            self.assertEqual(self.found("search/x.hpp", include), [])

    def test_json_and_eigen_have_their_places(self):
        self.assertEqual(self.found("core/json_file.hpp", "<nlohmann/json.hpp>"), [])
        self.assertEqual(self.found("search/model/gp.hpp", "<Eigen/Dense>"), [])
        self.assertEqual(len(self.found("core/value.hpp", "<nlohmann/json.hpp>")), 1)
        self.assertEqual(len(self.found("search/plan.hpp", "<Eigen/Dense>")), 1)

    def test_a_shared_header_that_looks_up_is_rejected(self):
        self.assertEqual(len(self.found("search/space.hpp", '"search/plan.hpp"')), 1)

    def test_a_source_without_a_licence_line_is_rejected(self):
        self.assertEqual(len(self.found("core/x.cpp", "<vector>", first_line="// Copyright")), 1)
        self.assertEqual(self.found("tests/x.sh", "", first_line=f"#!/bin/sh\n# {SPDX}"), [])


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(PlantedViolations)
    sane = unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful()
    found = list(violations(root))
    print("\n".join(found) if found else f"layers: {sum(1 for _ in sources(root))} files in order")
    return 0 if sane and not found else 1


if __name__ == "__main__":
    sys.exit(main())
