#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building and running osdtune need and that are missing. Usage: install-packages.sh build [test]
set -euo pipefail

build=(g++ cmake ninja-build pkg-config librados-dev librbd-dev libboost-dev libboost-filesystem-dev libboost-graph-dev
       libeigen3-dev libnlopt-dev nlohmann-json3-dev libfmt-dev libcli11-dev doctest-dev)
run=(ceph-mon ceph-mgr ceph-osd ceph-common fio util-linux)
test=(python3 python3-jsonschema clang libclang-rt-dev clang-format clang-tidy file)

wanted=("${build[@]}" "${run[@]}")
[[ " $* " == *" test "* ]] && wanted+=("${test[@]}")
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "installing: ${missing[*]}" >&2
as_root=()
[[ $(id -u) -eq 0 ]] || as_root=(sudo)
# no daemon of the distribution is started by the installation: the lab starts its own
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
