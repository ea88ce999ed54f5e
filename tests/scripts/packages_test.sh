#!/usr/bin/env bash
# What scripts/packages.sh does where packages are missing, on machines made of stand-ins: dpkg-query, apt-get, sudo and
# id are small scripts on the PATH that answer from files and note how they were called.
set -euo pipefail
packages=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts/packages.sh")
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
    if [[ " $* " == *" install "* ]]; then '"$3"'
    fi'
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
    source "$packages"
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
called 'install --yes --no-install-recommends --no-remove cmake clangd-19'
says 'installing Debian packages: cmake clangd-19'

case='sudo that does not ask'
machine_with 1000 sudo 'exit 0'
ensure cmake
status_is 0
called 'sudo -n'
called 'install --yes --no-install-recommends --no-remove cmake'

case='apt-get fails once'
# shellcheck disable=SC2016
machine_with 0 'no sudo' 'if [[ ! -e $machine/tried ]]; then touch "$machine/tried"; exit 100; fi'
ensure cmake
status_is 0
says 'trying once more'

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
says 'removes nothing'
if [[ $said == *'once more'* ]]; then fail 'tried again what cannot work'; fi

((failures == 0))
