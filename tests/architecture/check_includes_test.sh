#!/usr/bin/env bash
# check_includes.sh must see every crossing and nothing else: each case is a small tree with one include in one file.
set -euo pipefail
check=$(dirname -- "${BASH_SOURCE[0]}")/check_includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect STATUS FILE LINE: the status of the check on a clean tree to which FILE with that LINE was added.
expect() {
  local wanted=$1 file=$2 line=$3 status=0 output
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{lsp,table,proxy,"$(dirname "$file")"}
  touch "$tree"/{lsp/frame.h,table/rows.h,proxy/relay.h}
  printf '// a comment\n%s\n' "$line" >"$tree/$file"
  output=$(bash "$check" "$tree") || status=$?
  if [[ $status != "$wanted" || ($wanted == 1 && $output != *"$file:2:$line"*) ]]; then
    echo "FAILED: $file with $line: status $status, wanted $wanted; output: $output"
    failures=$((failures + 1))
  fi
}

# allowed
expect 0 lsp/hover.h '#include "lsp/range.h"'
expect 0 lsp/hover.h '#include <vector>'
expect 0 lsp/hover.h '// #include "table/rows.h" would cross a wall'
expect 0 lsp/hover.cc '#include "table.h"'
expect 0 lsp/hover.cc '#include <boost/proxy/table.h>'
expect 0 table/tree.cc '#include "lsp/hover.h"'
expect 0 proxy/relay.cc '#include "proxy/relay.h"'
expect 0 proxy/relay.cc '#include "table/rows.h"'
expect 0 tests/proxy/relay_test.cc '#include "proxy/relay.h"'
expect 0 build/generated.cc '#include "proxy/relay.h"'
expect 0 tests/npm/node_modules/a/a.h '#include "proxy/relay.h"'
expect 0 fixtures/a.h '#include "proxy/relay.h"'
# crossing
expect 1 lsp/hover.h '#include "table/rows.h"'
expect 1 lsp/hover.cc '#include "proxy/relay.h"'
expect 1 lsp/deep/hover.cc '#include "../../table/rows.h"'
expect 1 lsp/hover.cc '  #  include <table/rows.h>'
expect 1 table/rows.cc '#include "proxy/relay.h"'
expect 1 table/rows.hpp '#include "../proxy/relay.h"'
expect 1 bench/relay_bench.cc '#include "proxy/relay.h"'
expect 1 main.cpp '#include "./proxy/relay.h"'

# A tree without the modules must not pass for a clean one.
rm -rf "${tree:?}"/*
mkdir -p "$tree"/{lsp,table,proxy}
if bash "$check" "$tree" >/dev/null; then
  echo "FAILED: a tree without headers passed"
  failures=$((failures + 1))
fi
((failures == 0))
