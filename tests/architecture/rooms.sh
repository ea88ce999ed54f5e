# shellcheck shell=bash
# What check_includes.sh and draw_rooms.sh both need: the includes of our sources, and the rooms of rooms.txt.

# includes ROOT FOLDER…: FILE LINE INCLUDED, a line for each include of ours in the sources below these folders of ROOT.
# What is included by a relative path is told from the root.
includes() {
  local root=$1
  shift
  (cd -- "$root" && find "$@" \( -name 'build*' -o -name node_modules -o -name '.?*' \) -prune -o \
    -type f \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.hpp' \) \
    -exec grep -EHn '^[[:space:]]*#[[:space:]]*(include|import)[[:space:]]*["<]' {} + || true) |
    sed -nE 's!^(\./)?([^:]+):([0-9]+):[^"<]*["<](\.\.?/)*((base|lsp|table|proxy)/[^">]+)[">].*!\2 \3 \5!p'
}

# awk functions over rooms.txt, read as the first file: floor[ROOM] (1 is the top), about[ROOM], order[1..rooms], and
# room_of(FILE), the room that is this file or the nearest
# folder above it.
# shellcheck disable=SC2034 # used by the scripts that source this one
awk_rooms='
  function room_of(file) {
    do if (file in floor) return file; while (sub(/\/[^\/]*$/, "", file))
    return ""
  }
  FNR == NR {
    if (/^#/) next
    if (/^[ \t]*$/) { gap = 1; next }
    if (gap) { floors++; gap = 0 }
    name = $0; sub(/:.*/, "", name)
    floor[name] = floors; about[name] = substr($0, length(name) + 3); order[++rooms] = name
    next
  }
'
