#!/usr/bin/env bash
# The walls of the house: lsp/ includes nothing of table/ or proxy/, table/ nothing of proxy/, and nothing but proxy/ and
# tests/ includes proxy/. Prints each include that crosses one as FILE:LINE:TEXT and fails where there is any.
#
#   check_includes.sh ROOT
set -euo pipefail
cd -- "${1:?usage: check_includes.sh ROOT}"

# includes_of MODULE…: a grep -E pattern of an include of any of them, from the root or by a relative path.
includes_of() {
  local modules
  modules=$(IFS='|' && echo "$*")
  echo "^[[:space:]]*#[[:space:]]*(include|import)[[:space:]]*[\"<](\.\.?/)*($modules)/"
}

# crossings PATTERN PATH…: the includes that match, in our sources under the paths.
crossings() {
  local pattern=$1
  shift
  find "$@" \( -name 'build*' -o -name node_modules -o -name '.?*' -o -path ./fixtures \) -prune -o \
    -type f \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' \) -exec grep -EHn -- "$pattern" {} + || true
}

for module in lsp table proxy; do
  if [[ -z $(find "$module" -name '*.h' -print -quit) ]]; then
    echo "no headers in $module/ of $1: nothing to check there is a mistake"
    exit 1
  fi
done

found=$(
  crossings "$(includes_of table proxy)" ./lsp
  crossings "$(includes_of proxy)" ./table
  crossings "$(includes_of proxy)" . | grep -Ev '^\./(lsp|table|proxy|tests)/' || true
)
if [[ -n $found ]]; then
  echo "includes that cross the walls between lsp/, table/ and proxy/:"
  echo "$found"
  exit 1
fi
