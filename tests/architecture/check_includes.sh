#!/usr/bin/env bash
# The walls of the house (rooms.txt): a file includes files of its own room and of lower floors; bench/ includes nothing of
# proxy/. Prints each include that crosses a wall as FILE:LINE: INCLUDED, and each folder of sources that is no room, and
# fails where there is any.
#
#   check_includes.sh ROOT
set -euo pipefail
root=${1:?usage: check_includes.sh ROOT}
here=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=tests/architecture/rooms.sh
source "$here/rooms.sh"

for module in base lsp table proxy; do
  if [[ -z $(find "$root/$module" -name '*.h' -print -quit) ]]; then
    echo "no headers in $module/ of $root: nothing to check there is a mistake"
    exit 1
  fi
done

mapfile -t others < <(cd -- "$root" && find . -mindepth 1 -maxdepth 1 \( -type d -o -name '*.cpp' -o -name '*.cc' -o -name '*.h' \) \
  ! -name 'build*' ! -name '.?*' ! -name base ! -name lsp ! -name table ! -name proxy ! -name fixtures ! -name tests)
found=$(
  includes "$root" base lsp table proxy | awk "$awk_rooms"'
    {
      from = room_of($1); to = room_of($3)
      if (from == "" || to == "") print $1 ":" $2 ": " $3 ": a folder that rooms.txt does not name"
      else if (from != to && floor[from] >= floor[to]) print $1 ":" $2 ": " $3
    }' "$here/rooms.txt" -
  if ((${#others[@]})); then includes "$root" "${others[@]}" | awk '$3 ~ /^proxy\// { print $1 ":" $2 ": " $3 }'; fi
)
if [[ -n $found ]]; then
  echo "includes that cross the walls of tests/architecture/rooms.txt:"
  echo "$found"
  exit 1
fi
