#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plays the planner against the peers that an optbench folder brings and prints the table: planner.sh OPTBENCH_DIR [SEEDS] [CLIENT]
set -euo pipefail

if [ $# -lt 1 ] || [ ! -f "$1/optbench/run.py" ]; then
  echo "usage: planner.sh OPTBENCH_DIR [SEEDS] [CLIENT]; OPTBENCH_DIR holds optbench/run.py" >&2
  exit 2
fi
optbench=$(realpath "$1")
seeds=${2:-10}
source_dir=$(realpath "$(dirname "$0")/../..")
client=$(realpath "${3:-$source_dir/build/osdtune_optbench}")
if [ ! -x "$client" ]; then
  echo "$client is not built; run: cmake --preset release && cmake --build build --target osdtune_optbench" >&2
  exit 2
fi

missing=()
for module in optuna cmaes scipy; do
  /usr/bin/python3 -c "import $module" 2>/dev/null || missing+=("python3-$module")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get install -y --no-install-recommends "${missing[@]}" >&2
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
cd "$optbench"
export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 -m optbench.run --peer "osdtune=$client" --peer optuna-tpe --peer optuna-tpe-utility \
  --peer optuna-nsga2 --peer cmaes --peer sobol --peer random --seeds "$seeds" --jobs 1 --out "$results/all.jsonl" >&2
date +"Measured on %F, $seeds seeds, $(nproc) cores"
/usr/bin/python3 -m optbench.table "$results/all.jsonl"
