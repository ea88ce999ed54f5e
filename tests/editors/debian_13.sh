#!/usr/bin/env bash
# Neovim and Helix as Debian 13 has them, into tests/editors/debian-13, without installing them: for scripts/test --all, since Debian 12 has
# an old Neovim and no Helix. apt fetches them (some 27 MB) into a system of its own below that folder, and checks their signatures by
# Debian's own keyring; they run with the C library that comes along. Needs no root. Quick when they are there; never asks.
#
# What is to be run then: debian-13/bin/nvim and debian-13/bin/hx, beside this file.
set -euo pipefail
place=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/debian-13
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=http://deb.debian.org/debian

# fail WHAT [LOG]
fail() {
  printf 'symbols: %s\n' "$1" >&2
  if (($# > 1)); then tail -n 15 "$2" >&2; fi
  exit 1
}

# What is in here, or how it is made, has changed: all is fetched anew.
made_of=$(cksum <"${BASH_SOURCE[0]}")
if [[ -r $place/made-of && $(<"$place/made-of") == "$made_of" ]]; then exit 0; fi
[[ -r $keyring ]] || fail "Debian's keyring is missing, and nothing is fetched unchecked: $keyring; install the package debian-archive-keyring"

rm -rf "$place" "$place.new"
work=$place.new
mkdir -p "$work"/{tree,bin} "$work"/apt/{etc/apt/{apt.conf.d,preferences.d,sources.list.d},var/{lib/{dpkg,apt/lists/partial},cache/apt/archives/partial}}
trap 'rm -rf "$work"' EXIT
: >"$work/apt/var/lib/dpkg/status"
echo "deb [signed-by=$keyring] $mirror trixie main" >"$work/apt/etc/apt/sources.list"
# The system's own configuration is left out, for its hooks are not ours to run; but how it reaches the network is kept.
{
  apt-config dump --no-empty Acquire::http
  apt-config dump --no-empty Acquire::https
  cat <<EOF
Dir "$work/apt";
APT::Architectures { "$(dpkg --print-architecture)"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
EOF
} >"$work/apt.conf"

fetched() {
  local apt_get=(env APT_CONFIG="$work/apt.conf" DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q)
  # Without Error-Mode, apt-get update takes a list that did not come for a warning.
  "${apt_get[@]}" -o APT::Update::Error-Mode=any update && "${apt_get[@]}" --yes --download-only install neovim hx
}

printf 'symbols: fetching Neovim and Helix of Debian 13\n' >&2
fetched >"$work/log" 2>&1 </dev/null ||
  fail "could not fetch Neovim and Helix of Debian 13 from $mirror (is there a network?); then try again: ${BASH_SOURCE[0]}. apt-get said:" "$work/log"
for package in "$work"/apt/var/cache/apt/archives/*.deb; do dpkg-deb --extract "$package" "$work/tree"; done
# Neovim looks for its parsers where it would be installed, and else in its runtime.
ln -s ../../../lib/nvim/parser "$work/tree/usr/share/nvim/runtime/parser"

# program NAME FILE VARIABLE=VALUE: bin/NAME runs tree/FILE with that in its environment, by the loader of that C library. Only this one
# process gets the library: what it starts is the system's.
program() {
  cat >"$work/bin/$1" <<EOF
#!/bin/sh
# $1 of Debian 13, with the C library of Debian 13.
place=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
for loader in "\$place"/tree/usr/lib/*/ld-linux*.so.*; do break; done
export ${3%%=*}="\$place/${3#*=}"
exec "\$loader" --library-path "\$(dirname "\$loader")" --argv0 $1 "\$place/tree/$2" "\$@"
EOF
  chmod +x "$work/bin/$1"
  "$work/bin/$1" --version >"$work/log" 2>&1 || fail "$1 of Debian 13 was fetched, but does not run here:" "$work/log"
}
program nvim usr/bin/nvim VIMRUNTIME=tree/usr/share/nvim/runtime
program hx usr/lib/hx/hx HELIX_RUNTIME=tree/usr/lib/hx/runtime

rm -rf "$work/apt" "$work/apt.conf" "$work/log"
printf '%s\n' "$made_of" >"$work/made-of"
mv "$work" "$place"
