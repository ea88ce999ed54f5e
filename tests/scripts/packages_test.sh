#!/usr/bin/env bash
# What scripts/packages.sh installs, and how, on machines made of stand-ins: dpkg-query, apt-get, sudo and id are small scripts on
# the PATH that answer from files and record their calls. And what scripts/symbols has installed for a call.
set -euo pipefail
scripts=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts")
packages_sh=$scripts/packages.sh
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
failures=0

stand_in() { printf '#!/bin/bash\nmachine=%q\n%s\n' "$machine" "$2" >"$machine/bin/$1" && chmod +x "$machine/bin/$1"; }

# machine_with USER-ID SUDO APT-GET: nothing is installed but g++; SUDO is `sudo`, `no sudo`; APT-GET a script's text.
machine_with() {
  rm -rf "${machine:?}"/*
  mkdir "$machine/bin"
  printf 'g++ installed\ncmake config-files\n' >"$machine/installed"
  touch "$machine/calls"
  stand_in id "echo $1"
  # shellcheck disable=SC2016 # for the stand-in to expand
  stand_in dpkg-query 'cat "$machine/installed"; exit 1'
  # shellcheck disable=SC2016
  stand_in apt-get 'echo "apt-get $*" >>"$machine/calls"
    case " $* " in
      *" --assume-no "*)
        printf "%s\n" "Need to get 12.3 MB/15 MB of archives." "After this operation, 45.6 MB of additional disk space will be used."
        exit 1 ;;
      *" install "*) '"$3"' ;;
    esac'
  stand_in sleep true
  if [[ $2 == sudo ]]; then
    # shellcheck disable=SC2016
    stand_in sudo 'echo "sudo $1" >>"$machine/calls"; shift; exec "$@"'
  else
    stand_in sudo 'exit 1'
  fi
}

fail() {
  echo "FAILED: $case: $*"
  failures=$((failures + 1))
}
says() { if [[ $said != *"$1"* ]]; then fail "did not say '$1', but: $said"; fi; }
lacks() { if [[ $said == *"$1"* ]]; then fail "did not expect '$1' in: $said"; fi; }

# ensure STATUS NAMES CALL…: ensure_debian_packages of these names ends with this status on the machine, and calls these, or nothing at all;
# leaves $said.
ensure() {
  local wanted=$1 names=$2 status=0 calls call
  shift 2
  (
    PATH=$machine/bin:$PATH
    # shellcheck source=scripts/packages.sh
    source "$packages_sh"
    # shellcheck disable=SC2086 # words
    ensure_debian_packages $names
  ) >"$machine/stdout" 2>"$machine/stderr" || status=$?
  said=$(<"$machine/stderr") calls=$(<"$machine/calls")
  if [[ -s $machine/stdout ]]; then fail "wrote on standard output: $(<"$machine/stdout")"; fi
  if [[ $status != "$wanted" ]]; then fail "status $status, wanted $wanted; said: $said"; fi
  if (($# == 0)) && [[ -n $calls ]]; then fail "called $calls"; fi
  for call; do
    if [[ $calls != *"$call"* ]]; then fail "did not call '$call', but: $calls"; fi
  done
}

case='nothing is missing'
machine_with 1000 'no sudo' 'exit 1'
ensure 0 g++
if [[ -n $said ]]; then fail "said $said"; fi

case='neither root nor sudo'
machine_with 1000 'no sudo' 'exit 1'
ensure 1 'g++ clangd-19'
says 'Debian packages are missing'
says 'as root, run: apt-get install --no-install-recommends clangd-19'

case='root, and a package that was removed'
machine_with 0 'no sudo' 'exit 0'
ensure 0 'g++ cmake clangd-19' '-q update' '--yes -o APT::Status-Fd=1 install --no-install-recommends --no-remove cmake clangd-19'
says 'installing Debian packages: cmake clangd-19'
says '12.3 MB/15 MB to download, 45.6 MB on disk'

case='sudo that does not ask'
machine_with 1000 sudo 'exit 0'
ensure 0 cmake 'sudo -n' 'install --no-install-recommends --no-remove cmake'
says 'installing Debian packages, with sudo: cmake'

case='apt-get fails for good'
machine_with 0 'no sudo' 'echo "E: Unable to locate package cmake"; exit 100'
ensure 1 cmake '-q update'
says 'E: Unable to locate package cmake'
says 'as root, run: apt-get update && apt-get install --no-install-recommends cmake'

case='a package that is installed is in the way'
machine_with 0 'no sudo' 'printf "%s\n" "The following packages will be REMOVED:" "  libboost-dev libboost1.74-dev" \
  "The following NEW packages will be installed:" "  libboost1.81-dev" \
  "E: Packages need to be removed but remove is disabled."; exit 100'
ensure 1 libboost1.81-dev '-q update'
says 'In the way: libboost-dev libboost1.74-dev'
says 'nothing is removed'
lacks 'once more'

# installed_for NODE NEED…: leaves in $said what set_up has installed where Node.js is there or not; NODE is `node` or `no node`.
installed_for() {
  said=$(
    # shellcheck source=scripts/packages.sh
    source "$packages_sh"
    node=$1
    on_debian_12() { true; }
    node_is_there() { [[ $node == node ]]; }
    ensure_debian_packages() { echo "Debian: $*"; }
    ensure_npm_packages() {
      [[ ${npm_sizes[$2]} =~ ^[0-9]+\ [0-9]+$ ]] && echo "npm: $2"
    }
    mkdir -p "$machine/root/tests/editors"
    ln -sf /bin/true "$machine/root/tests/editors/debian_13.sh"
    set_up "$machine/root" "${@:2}"
  ) || fail "set_up ${*:2} failed"
}

while IFS='|' read -r node needs expected unexpected; do
  case="set_up for $needs with $node"
  # shellcheck disable=SC2086 # words
  installed_for "$node" $needs
  says "$expected"
  for package in $unexpected; do lacks "$package"; done
done <<'CASES'
no node|build|Debian: g++ cmake|clangd node npm git
no node|build clangd| clangd-19|node npm
no node|build typescript| nodejs npm ca-certificates|clangd
no node|build typescript|npm: scripts/servers|clangd
node|build typescript|npm: scripts/servers|nodejs
no node|source|Debian: git|g++ node npm
no node|npm|Debian: nodejs npm ca-certificates|g++ git
CASES

case='the levels of scripts/setup'
before=''
for level in '' --tests --all --slow; do
  installed_for 'no node' $level
  for package in $before; do says "$package"; done
  [[ ${#said} -gt ${#before} ]] || fail "'$level' adds nothing"
  before=$said
done

# A project whose build records which servers it is to install, on a machine without any.
mkdir -p "$machine/project/scripts" "$machine/project/build" "$machine/files"/{cc,ts,python,modules/node_modules}
cp "$scripts/symbols" "$machine/project/scripts/"
# shellcheck disable=SC2016 # for the stand-in to expand
printf '#!/bin/bash\n[[ $2 == --servers ]] && echo $3 >"${0%%/*}/../servers"\n' >"$machine/project/scripts/build"
cp /bin/true "$machine/project/build/symbols"
chmod +x "$machine/project/scripts/build"
touch "$machine/files"/{cc/a.h,ts/a.ts,python/a.py,modules/node_modules/a.ts}
mkdir "$machine/tools"
for tool in bash readlink dirname find; do ln -s "$(command -v $tool)" "$machine/tools/"; done
cd "$machine/files"
while IFS='|' read -r servers arguments; do
  case="scripts/symbols $arguments"
  # shellcheck disable=SC2086 # words
  PATH=$machine/tools "$machine/project/scripts/symbols" $arguments >/dev/null
  [[ $(<"$machine/project/servers") == "$servers" ]] || fail "wanted '$servers', not '$(<"$machine/project/servers")'"
done <<'CASES'
|
|--version
|--help
|setup opencode --write
|convert --from json cc/a.h
|python/a.py
|modules
clangd|cc/a.h
clangd|cc/a.h:3:4
clangd|new.c++
clangd|-l cpp -
clangd|proxy -- clangd-19 --log=error
typescript|-f tree ts/a.ts
typescript|context ts/a.ts:24
typescript|ts
typescript|map ts -n 2000
clangd typescript|ts/a.ts cc/a.h
clangd typescript|index
clangd typescript|ts cc
CASES

((failures == 0))
