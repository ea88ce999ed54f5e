#!/usr/bin/env bash
# Draws the rooms, floor by floor, each with the rooms of lower floors that its files include, between two marks of
# docs/development.md.
#
#   draw_rooms.sh ROOT           writes it there
#   draw_rooms.sh ROOT --check   fails where what stands there is not what the includes say
set -euo pipefail
root=${1:?usage: draw_rooms.sh ROOT [--check]}
here=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=tests/architecture/rooms.sh
source "$here/rooms.sh"
page=$root/docs/development.md

picture() {
  includes "$root" base lsp table proxy | awk "$awk_rooms"'
    { from = room_of($1); to = room_of($3); if (from != to) uses[from, to] = 1 }
    END {
      print "```"
      for (i = 1; i <= rooms; i++) {
        if (i > 1 && floor[order[i]] != floor[order[i - 1]]) print "  │"
        printf "%-14s %s\n", order[i], about[order[i]]
        line = ""
        for (j = 1; j <= rooms; j++) if ((order[i], order[j]) in uses) line = line " " order[j]
        gsub(/ proxy\//, " ", line)
        if (line != "") printf "  │            →%s\n", line
      }
      print "```"
    }' "$here/rooms.txt" -
}

drawn=$(picture)
wanted=$(DRAWN=$drawn awk '
  /<!-- rooms: / { print; print ENVIRON["DRAWN"]; inside = 1; next }
  /<!-- \/rooms -->/ { inside = 0 }
  !inside' "$page")
if [[ ${2-} != --check ]]; then
  printf '%s\n' "$wanted" >"$page"
elif [[ $wanted != "$(<"$page")" ]]; then
  echo "the picture in docs/development.md is not what the includes say; draw it anew with tests/architecture/draw_rooms.sh ."
  diff <(printf '%s\n' "$wanted") "$page" || true
  exit 1
fi
