#!/usr/bin/env bash
# The layers (modules.txt): a file includes files of its own module and of lower layers; bench/ includes nothing of
# proxy/; what one system alone has stays in proxy/system. Prints each line that does otherwise as FILE:LINE: INCLUDED, and each source
# directory that modules.txt does not list, and fails where there is any.
#
#   check_includes.sh ROOT
set -euo pipefail
root=${1:?usage: check_includes.sh ROOT}
here=$(dirname -- "${BASH_SOURCE[0]}")

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

# awk over modules.txt, read as the first file: layer[MODULE] (1 is the top), and module_of(FILE), the module that is this file or the
# nearest folder above it.
awk_modules='
  function module_of(file) {
    do if (file in layer) return file; while (sub(/\/[^\/]*$/, "", file))
    return ""
  }
  FNR == NR {
    if (/^#/) next
    if (/^[ \t]*$/) { gap = 1; next }
    if (gap) { layers++; gap = 0 }
    sub(/:.*/, "")
    layer[$0] = layers
    next
  }
'

for module in base lsp table proxy; do
  if [[ -z $(find "$root/$module" -name '*.h' -print -quit) ]]; then
    echo "no headers in $module/ of $root: nothing to check there is a mistake"
    exit 1
  fi
done

of_one_system='^[[:space:]]*#.*(__linux__|__APPLE__|<(linux|mach-o)/|<sys/(epoll|inotify|prctl|signalfd|syscall|vfs|xattr)[.]h>)'
mapfile -t others < <(cd -- "$root" && find . -mindepth 1 -maxdepth 1 \( -type d -o -name '*.cpp' -o -name '*.cc' -o -name '*.h' \) \
  ! -name 'build*' ! -name '.?*' ! -name base ! -name lsp ! -name table ! -name proxy ! -name fixtures ! -name tests)
found=$(
  includes "$root" base lsp table proxy | awk "$awk_modules"'
    {
      from = module_of($1); to = module_of($3)
      if (from == "" || to == "") print $1 ":" $2 ": " $3 ": a folder that modules.txt does not name"
      else if (from != to && layer[from] >= layer[to]) print $1 ":" $2 ": " $3
    }' "$here/modules.txt" -
  if ((${#others[@]})); then includes "$root" "${others[@]}" | awk '$3 ~ /^proxy\// { print $1 ":" $2 ": " $3 }'; fi
  # Headers and macros of one system appear in proxy/system alone.
  (cd -- "$root" && grep -rnE --include='*.h' --include='*.cc' "$of_one_system" base lsp table proxy || true) |
    sed -E '/^proxy\/system\//d; s/^([^:]+:[0-9]+):/\1: /'
)
if [[ -n $found ]]; then
  echo "includes that violate the layers of tests/architecture/modules.txt:"
  echo "$found"
  exit 1
fi
