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

# ensure NAME…: runs ensure_debian_packages on the machine; leaves $status, $said, $calls.
ensure() {
  status=0
  (
    PATH=$machine/bin:$PATH
    # shellcheck source=scripts/packages.sh
    source "$packages_sh"
    ensure_debian_packages "$@"
  ) >"$machine/stdout" 2>"$machine/stderr" || status=$?
  said=$(<"$machine/stderr") calls=$(<"$machine/calls")
  if [[ -s $machine/stdout ]]; then fail "wrote on standard output: $(<"$machine/stdout")"; fi
}

fail() {
  echo "FAILED: $case: $*"
  failures=$((failures + 1))
}
status_is() { if [[ $status != "$1" ]]; then fail "status $status, wanted $1; said: $said"; fi; }
says() { if [[ $said != *"$1"* ]]; then fail "did not say '$1', but: $said"; fi; }
called() { if [[ $calls != *"$1"* ]]; then fail "did not call '$1', but: $calls"; fi; }
called_nothing() { if [[ -n $calls ]]; then fail "called $calls"; fi; }

case='nothing is missing'
machine_with 1000 'no sudo' 'exit 1'
ensure g++
status_is 0
called_nothing
if [[ -n $said ]]; then fail "said $said"; fi

case='neither root nor sudo'
machine_with 1000 'no sudo' 'exit 1'
ensure g++ clangd-19
status_is 1
called_nothing
says 'Debian packages are missing'
says 'as root, run: apt-get install --no-install-recommends clangd-19'

case='root, and a package that was removed'
machine_with 0 'no sudo' 'exit 0'
ensure g++ cmake clangd-19
status_is 0
called '-q update'
called '--yes -o APT::Status-Fd=1 install --no-install-recommends --no-remove cmake clangd-19'
says 'installing Debian packages: cmake clangd-19'
says '12.3 MB/15 MB to download, 45.6 MB on disk'

case='sudo that does not ask'
machine_with 1000 sudo 'exit 0'
ensure cmake
status_is 0
called 'sudo -n'
called 'install --no-install-recommends --no-remove cmake'
says 'installing Debian packages, with sudo: cmake'

case='apt-get fails for good'
machine_with 0 'no sudo' 'echo "E: Unable to locate package cmake"; exit 100'
ensure cmake
status_is 1
says 'E: Unable to locate package cmake'
says 'as root, run: apt-get update && apt-get install --no-install-recommends cmake'

case='a package that is installed is in the way'
machine_with 0 'no sudo' 'printf "%s\n" "The following packages will be REMOVED:" "  libboost-dev libboost1.74-dev" \
  "The following NEW packages will be installed:" "  libboost1.81-dev" \
  "E: Packages need to be removed but remove is disabled."; exit 100'
ensure libboost1.81-dev
status_is 1
says 'In the way: libboost-dev libboost1.74-dev'
says 'nothing is removed'
if [[ $said == *'once more'* ]]; then fail 'tried again what cannot work'; fi

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
lacks() { if [[ $said == *"$1"* ]]; then fail "did not expect '$1' in: $said"; fi; }

case='set_up for a build'
installed_for 'no node' build
says 'Debian: g++ cmake'
for package in clangd node npm git; do lacks $package; done

case='set_up for one server'
installed_for 'no node' build clangd
says ' clangd-19'
for package in node npm; do lacks $package; done
installed_for 'no node' build typescript
says ' nodejs npm ca-certificates'
says 'npm: scripts/servers'
lacks clangd
installed_for node build typescript
says 'npm: scripts/servers'
lacks nodejs

case='set_up for packages'
installed_for 'no node' source
[[ $said == 'Debian: git' ]] || fail "$said"
installed_for 'no node' npm
[[ $said == 'Debian: nodejs npm ca-certificates' ]] || fail "$said"

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
