#!/usr/bin/env bash
# Neovim and Helix as Debian 13 has them, into tests/editors/debian-13, without installing them: for scripts/test --all, since Debian 12 has
# an old Neovim and no Helix. apt fetches them (some 27 MB) with a configuration of its own, lists of its own, and Debian's own
# keyring to check their signatures; they run with the C library that comes along, so that the system's stays as it is. Needs no
# root. Quick when they are there; never asks.
#
# What is to be run then: debian-13/bin/nvim and debian-13/bin/hx, beside this file.
set -euo pipefail
packages=(neovim hx)
place=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/debian-13
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=http://deb.debian.org/debian

say() { printf 'symbols: %s\n' "$*" >&2; }

# What is in here, or how it is made, has changed: all is fetched anew.
made_of=$(cksum <"${BASH_SOURCE[0]}")
if [[ -r $place/made-of && $(<"$place/made-of") == "$made_of" ]]; then exit 0; fi

if [[ ! -r $keyring ]]; then
  say "Debian's keyring is missing, and nothing is fetched unchecked: $keyring; install the package debian-archive-keyring"
  exit 1
fi

rm -rf "$place" "$place.new"
work=$place.new
mkdir -p "$work"/{tree,bin,apt/{state/lists/partial,cache/archives/partial,sources,none}}
trap 'rm -rf "$work"' EXIT
architecture=$(dpkg --print-architecture)
: >"$work/apt/nothing-is-installed"
cat >"$work/apt/sources/debian-13.sources" <<EOF
Types: deb
URIs: $mirror
Suites: trixie
Components: main
Architectures: $architecture
Signed-By: $keyring
EOF
# The system's own configuration is left out, for its hooks are not ours to run; but how it reaches the network is kept.
{
  apt-config dump --no-empty Acquire::http
  apt-config dump --no-empty Acquire::https
  cat <<EOF
Dir::State "$work/apt/state";
Dir::State::status "$work/apt/nothing-is-installed";
Dir::Cache "$work/apt/cache";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "$work/apt/none";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$work/apt/none";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/apt/sources";
Dir::Etc::trusted "/dev/null";
Dir::Etc::trustedparts "$work/apt/none";
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Get::AllowUnauthenticated "false";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::AllowInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "60";
Acquire::https::Timeout "60";
EOF
} >"$work/apt/apt.conf"

fetched() {
  local apt_get=(env APT_CONFIG="$work/apt/apt.conf" DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q)
  # Without Error-Mode, apt-get update takes a list that did not come for a warning.
  "${apt_get[@]}" -o APT::Update::Error-Mode=any update &&
    "${apt_get[@]}" --yes --download-only install "${packages[@]}"
}

say "fetching ${packages[*]} of Debian 13"
if ! fetched >"$work/log" 2>&1 </dev/null; then
  say "could not fetch ${packages[*]} of Debian 13 from $mirror; the end of what apt-get said:"
  tail -n 15 "$work/log" >&2
  say "mend that (is there a network?) and try again: ${BASH_SOURCE[0]}"
  exit 1
fi
for package in "$work"/apt/cache/archives/*.deb; do dpkg-deb --extract "$package" "$work/tree"; done

# The loader of that C library, for it is a part of it.
loader=''
for file in "$work"/tree/usr/lib/*/ld-linux*.so.* "$work"/tree/usr/lib/ld-linux*.so.*; do
  if [[ -x $file ]]; then loader=${file#"$work/"}; break; fi
done
if [[ -z $loader ]]; then
  say "the C library of Debian 13 for $architecture has no loader in a place that is known here"
  exit 1
fi
# Neovim looks for its parsers where it would be installed, and else in its runtime.
ln -s ../../../lib/nvim/parser "$work/tree/usr/share/nvim/runtime/parser"

# program NAME FILE VARIABLE=VALUE: bin/NAME runs tree/FILE with that in its environment. Only this one process gets the library: what
# it starts is the system's.
program() {
  cat >"$work/bin/$1" <<EOF
#!/bin/sh
# $1 of Debian 13, with the C library of Debian 13.
place=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
library=\$place/$(dirname "$loader")
export ${3%%=*}="\$place/${3#*=}"
exec "\$place/$loader" --library-path "\$library" --argv0 $1 "\$place/tree/$2" "\$@"
EOF
  chmod +x "$work/bin/$1"
  if ! "$work/bin/$1" --version >"$work/log" 2>&1; then
    say "$1 of Debian 13 was fetched, but does not run here:"
    tail -n 5 "$work/log" >&2
    exit 1
  fi
}
program nvim usr/bin/nvim VIMRUNTIME=tree/usr/share/nvim/runtime
program hx usr/lib/hx/hx HELIX_RUNTIME=tree/usr/lib/hx/runtime

rm -rf "$work/apt" "$work/log"
printf '%s\n' "$made_of" >"$work/made-of"
mv "$work" "$place"
