#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets and runs each for a bounded time, 0 for building only: run.sh [SECONDS [TARGET...]]
# What they find is kept in build-fuzz/found; the committed corpus is read and left as it is.
set -euo pipefail
seconds=${1:-60}
shift || true
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$source_dir/build-fuzz
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=($(cd "$source_dir/tests/fuzz" && ls ./*_fuzz.cpp | sed 's|^\./||; s|_fuzz\.cpp$||'))

cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DOSDTUNE_FUZZ=ON \
  -DBUILD_TESTING=ON >/dev/null
cmake --build "$build" --target "${targets[@]/%/_fuzz}"
[ "$seconds" -gt 0 ] || exit 0
mkdir -p "$build/found"
for target in "${targets[@]}"; do
  mkdir -p "$build/corpus/$target"
  log=$build/found/$target.log
  if ! "$build/tests/fuzz/${target}_fuzz" "$build/corpus/$target" "$source_dir/tests/fuzz/corpus/$target" \
    -artifact_prefix="$build/found/$target-" -max_total_time="$seconds" -max_len=32768 -timeout=10 -rss_limit_mb=1024 \
    -verbosity=0 -print_final_stats=1 >"$log" 2>&1; then
    cat "$log"
    echo "$target: FAILED, its input is in $build/found"
    exit 1
  fi
  echo "$target: $(awk '/number_of_executed_units/ {print $2}' "$log") inputs in $seconds s"
done
