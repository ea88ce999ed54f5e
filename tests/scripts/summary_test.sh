#!/usr/bin/env bash
# What scripts/test says at its end: each kind of failure by name, with the last of what it printed. It runs as it is, before a
# real ctest; only the build is one of ours, which leaves a tree of tests that end as a case wants it.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts" "$tree/build"
cp "$root/scripts/test" "$tree/scripts/test"
failures=0

# expect STATUS BUILD-COMMAND LINE…: after scripts/build with this command, scripts/test ends with this status, and the lines
# stand in its output in this order, the last one at its end.
expect() {
  local wanted=$1 build=$2 status=0 output at=1 found
  shift 2
  rm -rf "$tree/build"
  mkdir "$tree/build"
  printf '#!/bin/sh\ncd "%s" || exit 1\n%s\n' "$tree/build" "$build" >"$tree/scripts/build"
  chmod +x "$tree/scripts/build"
  output=$("$tree/scripts/test" "${options[@]}" 2>/dev/null) || status=$?
  for line in "$@"; do
    found=$(tail -n "+$at" <<<"$output" | grep -nxF -- "$line" | head -n 1 | cut -d: -f1) || true
    if [[ -z $found ]]; then break; fi
    at=$((at + found))
  done
  if [[ $status != "$wanted" || -z $found || $(tail -n 1 <<<"$output") != "${*: -1}" ]]; then
    echo "FAILED: $build: status $status, wanted $wanted with these lines:"
    printf '  %s\n' "$@"
    echo "its output:"
    echo "$output"
    failures=$((failures + 1))
  fi
}

# tests NAME=COMMAND…: the build command that leaves these tests.
tests() {
  local test
  echo "cat >CTestTestfile.cmake <<'END'"
  for test in "$@"; do printf 'add_test([==[%s]==] sh -c [==[%s]==])\n' "${test%%=*}" "${test#*=}"; done
  echo END
}

options=()
expect 0 "$(tests 'one=true' 'two=true')" 'slowest:' '2 passed, 0 failed'
expect 1 "$(tests 'one=true' 'two: "a" < b=echo "x < y && z"; exit 3')" \
  'in build:' 'FAILED: two: "a" < b' '  x < y && z' '1 passed, 1 failed'
# Of a long output the end.
expect 1 "$(tests 'long=seq 100; false')" 'FAILED: long' '  77' '  100' '0 passed, 1 failed'
expect 1 "$(tests 'long=seq 100; false' 'other=echo words; false')" 'FAILED: long' '  100' 'FAILED: other' '  words' '0 passed, 2 failed'
expect 1 'exit 1' 'FAILED: build could not be built' '0 passed, 1 failed'
# A test that passes, though a process of its wrote a report.
expect 1 "$(tests 'one=echo "heap-use-after-free" >sanitizer-reports/report.7')" \
  "FAILED: 1 sanitizer reports in $tree/build/sanitizer-reports; the start of the first:" 'heap-use-after-free' '1 passed, 1 failed'
expect 0 "$(tests 'one=: >sanitizer-reports/report.7')" '1 passed, 0 failed'
expect 1 'echo "add_test(gone /no/such/program)" >CTestTestfile.cmake' \
  "FAILED: ctest ended with status 8 in $tree/build; what did not run stands in its list above" '0 passed, 1 failed, 1 skipped'
# Nothing ran: a mistake of ours, or a filter that fits nothing.
expect 1 "$(tests)" '0 passed, 1 failed'
options=(-R none)
expect 1 "$(tests 'one=true')" '0 passed, 1 failed'
options=(-R one)
expect 0 "$(tests 'one=true' 'two=false')" '1 passed, 0 failed'
# Several -LE exclude the tests of each label.
labelled="$(tests 'one=true' 'two=false' 'three=false')
echo 'set_tests_properties(two PROPERTIES LABELS x)
set_tests_properties(three PROPERTIES LABELS y)' >>CTestTestfile.cmake"
options=(-LE x -LE y)
expect 0 "$labelled" '1 passed, 0 failed'
((failures == 0))
