#!/usr/bin/env bash
# check_includes.sh must see every crossing and nothing else: each case is a small tree with one include in one file.
set -euo pipefail
here=$(dirname -- "${BASH_SOURCE[0]}")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect STATUS FILE LINE: the status of the check on a clean tree to which FILE with that LINE was added.
expect() {
  local wanted=$1 file=$2 line=$3 status=0 output
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{base,lsp,table,proxy/{cli,query,io}} "$tree/$(dirname "$file")"
  touch "$tree"/{base/result.h,lsp/frame.h,table/rows.h,proxy/io/writer.h}
  printf '// a comment\n%s\n' "$line" >"$tree/$file"
  output=$(bash "$here/check_includes.sh" "$tree") || status=$?
  if [[ $status != "$wanted" || ($wanted == 1 && $output != *"$file:2: "*) ]]; then
    echo "FAILED: $file with $line: status $status, wanted $wanted; output: $output"
    failures=$((failures + 1))
  fi
}

# allowed
expect 0 lsp/hover.h '#include "lsp/range.h"'
expect 0 lsp/hover.h '// #include "table/rows.h" would cross a wall'
expect 0 lsp/hover.cc '#include "table.h"'
expect 0 lsp/hover.cc '#include <boost/proxy/table.h>'
expect 0 table/formats/tree.cc '#include "table/rows.h"'
expect 0 proxy/query/fetch.cc '#include "proxy/io/event_loop.h"'
expect 0 proxy/cli/run.cc '#include "proxy/query/fetch.h"'
expect 0 tests/proxy/io/relay_test.cc '#include "proxy/io/relay.h"'
expect 0 proxy/system/linux/poller.cc '#include <sys/epoll.h>'
expect 0 bench/render.cc '#include "table/rows.h"'
expect 0 build/generated.cc '#include "proxy/io/relay.h"'
expect 0 tests/npm/node_modules/a/a.h '#include "proxy/io/relay.h"'
# crossing
expect 1 base/result.h '#include "lsp/range.h"'
expect 1 lsp/hover.h '#include "table/rows.h"'
expect 1 lsp/json/hover.cc '#include "../../table/rows.h"'
expect 1 lsp/hover.cc '  #  include <table/rows.h>'
expect 1 table/rows.hpp '#include "../proxy/io/relay.h"'
expect 1 proxy/io/relay.cc '#include "proxy/files/regular_file.h"'
expect 1 proxy/cli/run.cc '#include "proxy/main.cc"'
expect 1 bench/relay_bench.cc '#include "proxy/io/relay.h"'
expect 1 main.cpp '#include "./proxy/io/relay.h"'
# of one system
expect 1 proxy/io/loop.cc '#include <sys/epoll.h>'
expect 1 base/clock.h '#if defined(__linux__)'
# a directory that is not a module
expect 1 proxy/utils/words.cc '#include "base/result.h"'
expect 1 proxy/cli/run.cc '#include "proxy/utils/words.h"'

# A tree without the modules must not pass for a clean one.
rm -rf "${tree:?}"/*
mkdir -p "$tree"/{base,lsp,table,proxy}
if bash "$here/check_includes.sh" "$tree" >/dev/null; then
  echo "FAILED: a tree without headers passed"
  failures=$((failures + 1))
fi
((failures == 0))
