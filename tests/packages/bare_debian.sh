#!/usr/bin/env bash
# Runs a script as root on a bare Debian, in a chroot: bare_debian.sh SUITE FOLDER SCRIPT
#
#   SUITE    bookworm, trixie
#   FOLDER   is /shared there, for reading and writing
#   SCRIPT   what bash runs there
#
# The base system is made by debootstrap from this machine's mirror, which takes a minute or two, and kept; every call gets a copy of
# it. Exits with 77 and says why where this cannot be done here, else with the script's status.
set -euo pipefail
suite=$1 shared=$(realpath -- "$2") script=$3
bases=${SYMBOLS_BARE_DEBIAN:-/var/tmp/symbols-bare-debian}
base=$bases/$suite root=$bases/run.$$

cannot() {
  echo "bare_debian.sh: $*" >&2
  exit 77
}
(($(id -u) == 0)) || cannot 'needs root, for chroot'
unshare --mount true 2>/dev/null || cannot 'may not make a mount namespace'
sources=/etc/apt/sources.list.d/debian.sources
[[ -r $sources ]] || cannot "there is no $sources, to know a mirror from"
command -v debootstrap >/dev/null || cannot 'there is no debootstrap (apt-get install debootstrap)'
mkdir -p "$bases"
if [[ ! -e $base/.ready ]]; then
  mirror=$(sed -n 's/^URIs: *//p' "$sources" | head -n 1)
  rm -rf "$base"
  debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$bases/$suite.log" 2>&1 ||
    cannot "debootstrap could not make $suite: see $bases/$suite.log"
  rm -rf "$base"/var/cache/apt/archives/*.deb
  touch "$base/.ready"
fi

trap 'rm -rf --one-file-system "$root"' EXIT
cp -a --reflink=auto "$base" "$root"
# What this machine reaches its registries by, and nothing else of it.
for file in /etc/apt/apt.conf.d /etc/resolv.conf /etc/hosts /etc/npmrc /usr/local/share/ca-certificates "$HOME/.npmrc"; do
  if [[ -e $file ]]; then
    mkdir -p "$root$(dirname "$file")"
    cp -aLT "$file" "$root$file"
  fi
done
mkdir -p "$root/shared"
# The copy is removed at the end, so dpkg need not wait for the disk.
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
status=0
# shellcheck disable=SC2016 # for that bash to expand
unshare --mount --propagation private bash -c '
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/shared" || exit 77
  exec chroot "$1" /usr/bin/env -i HOME=/root TERM=xterm LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -euc "$3"
' bare_debian "$root" "$shared" "$script" </dev/null || status=$?
exit "$status"
