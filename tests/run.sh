#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and runs every test: layers, format, units (plain and with sanitizers), fuzz corpora, real clusters, quickstart.
# The last line counts the parts. Usage: tests/run.sh [PART...]  with parts out of: static unit cli live quickstart asan fuzz
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
parts=("$@")
[[ ${#parts[@]} -gt 0 ]] || parts=(static unit cli live quickstart asan fuzz)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failures=()

part() {  # part NAME COMMAND...: runs it, shows its output, counts it
  local name=$1 started=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if "$@" 2>&1 | tee "$logs/$name"; then
    passed=$((passed + 1))
    printf -- '-- %s: passed in %d s\n' "$name" $((SECONDS - started))
  else
    failures+=("$name")
    printf -- '-- %s: FAILED after %d s\n' "$name" $((SECONDS - started))
  fi
}

static() {
  python3 tests/layers_test.py && python3 tests/schema_test.py && python3 knowledge/data/summary.py && git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run --Werror
}

build() {
  cmake --preset release -DOSDTUNE_WERROR=ON -DBUILD_TESTING=ON >/dev/null &&
    cmake --build --preset release --target all osdtune_live_fio osdtune_live_cluster
}

build_asan() {
  cmake --preset asan >/dev/null && cmake --build --preset asan --target osdtune_tests
}

asan() {
  build_asan && build-asan/tests/osdtune_tests
}

fuzz() {  # every committed input once, then a short search for new ones
  bash tests/fuzz/run.sh 5
}

live() {
  OSDTUNE=$PWD/build/osdtune python3 -m unittest discover -v -s tests/live -p '*_test.py'
}

# Labs wait most of the time: what later parts need is compiled meanwhile, at the lowest priority. A failure
# shows when the part itself builds.
build_ahead() {
  renice -n 19 "$BASHPID" >/dev/null
  for name in "${parts[@]}"; do
    case $name in
      asan) build_asan ;;
      fuzz) bash tests/fuzz/run.sh 0 ;;
    esac
  done
}
ahead=
start_ahead() { [[ -n $ahead ]] || { build_ahead >/dev/null 2>&1 & ahead=$!; }; }
end_ahead() { [[ -z $ahead ]] || wait "$ahead"; }

cmake/install-packages.sh build test || exit 1
printf '== build\n'
build || { printf 'the build failed\n0 passed, 1 failed\n'; exit 1; }
for name in "${parts[@]}"; do
  case $name in
    static) part static static ;;
    unit) part unit build/tests/osdtune_tests ;;
    cli) part cli env OSDTUNE="$PWD/build/osdtune" python3 tests/cli_test.py ;;
    live) start_ahead && part live live ;;
    quickstart) start_ahead && part quickstart bash examples/quickstart.sh ;;
    asan) end_ahead; part asan asan ;;
    fuzz) end_ahead; part fuzz fuzz ;;
    *) printf 'unknown part: %s\n' "$name"; exit 2 ;;
  esac
done
for name in "${failures[@]}"; do
  printf '\n== %s failed; the end of what it said\n' "$name"
  tail -n 60 "$logs/$name"
done
printf '\nall in %d s\n%d passed, %d failed\n' "$SECONDS" "$passed" "${#failures[@]}"
[[ ${#failures[@]} -eq 0 ]]
