#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole story on this machine: install, build, start a lab cluster, sweep, recommend, export, stop the lab.
# Results stay in examples/out/. Takes about a quarter of an hour on two cores, most of it building.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=examples/out
lab=${OSDTUNE_LAB:-$(mktemp -d /dev/shm/osdtune-quickstart-XXXXXX 2>/dev/null || mktemp -d)/lab}
step() { printf '\n== %s (after %d s)\n' "$1" "$SECONDS"; }

step "packages"
cmake/install-packages.sh build
step "build"
cmake --preset release >/dev/null
cmake --build --preset release --target osdtune
osdtune=build/osdtune
mkdir -p "$out"
rm -f "$out"/quick.jsonl

step "lab cluster"
trap '"$osdtune" lab down --dir "$lab" >/dev/null 2>&1 || true; rmdir "$(dirname "$lab")" 2>/dev/null || true' EXIT
"$osdtune" lab up --dir "$lab" --devices 2
step "plan"
"$osdtune" plan examples/quick.json --on "lab:$lab"
step "sweep"
"$osdtune" sweep examples/quick.json --on "lab:$lab" --study "$out/quick.jsonl"
step "recommendation, from the study file alone"
"$osdtune" recommend "$out/quick.jsonl" | tee "$out/recommendation.txt"
step "ceph.conf fragment"
"$osdtune" export "$out/quick.jsonl" --format ceph-conf -o "$out/ceph.conf.fragment"
cat "$out/ceph.conf.fragment"
step "stop the lab"
"$osdtune" lab down --dir "$lab"
step "done; the study and the fragment are in $out/"
