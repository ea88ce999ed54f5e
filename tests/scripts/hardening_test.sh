#!/usr/bin/env bash
# Whether a program is hardened as cmake/hardening.cmake says: hardening_test.sh PROGRAM [COMPILE_COMMANDS.json]
set -euo pipefail
program=$1 commands=${2-}
failed=0

# check WHAT COMMAND…
check() {
  local what=$1
  shift
  if ! "$@"; then
    echo "not so: $what" >&2
    failed=1
  fi
}
has() { grep -qE -- "$1" <<<"$2"; }
lacks() { ! has "$@"; }

header=$(readelf -hW "$program")
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -sW --dyn-syms "$program")
check 'position-independent' has 'Type: +DYN' "$header"
check 'position-independent executable' has 'FLAGS_1.*PIE' "$dynamic"
check 'read-only after relocation' has 'GNU_RELRO' "$segments"
check 'every library function bound at the start' has 'FLAGS_1.*NOW' "$dynamic"
check 'no executable stack' has 'GNU_STACK .* RW +0x' "$segments"
check 'no segment both written and executed' lacks ' RWE ' "$segments"
# A stripped static program has no names.
if (($(wc -l <<<"$symbols") > 10)); then
  check 'stack protector' has '__stack_chk_fail' "$symbols"
  check 'checked library calls' has '__(memcpy|memmove|memset|read|snprintf|vsnprintf|realpath)_chk' "$symbols"
fi
# Of the rest there is no trace to look for: what the compiler was told, for each source that goes into the program.
if [[ -z $commands ]]; then exit "$failed"; fi
sources=$(grep -E '"command": .*/(base|lsp|table|proxy)/' "$commands" || true)
check 'sources are named' test -n "$sources"
for flag in -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -ftrivial-auto-var-init=zero; do
  check "$flag for every source" lacks '"command"' "$(grep -vF -- " $flag" <<<"$sources" || true)"
done
exit "$failed"
