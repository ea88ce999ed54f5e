# shellcheck shell=bash
# What the project needs from Debian and from npm, and how it gets there. Sourced by scripts/setup and scripts/build.
# Everything said goes to standard error: scripts/symbols keeps standard output for its answer. Nothing here asks.

build_packages=(
  g++ cmake ninja-build pkg-config
  libboost1.81-dev libboost-filesystem1.81-dev rapidjson-dev libfmt-dev libcli11-dev libre2-dev libmd4c-dev
  libsqlite3-dev libxxhash-dev
)
server_packages=(clangd-19 ca-certificates)
test_packages=(doctest-dev nlohmann-json3-dev git clang-format clang-tidy)
# libFuzzer, and the names of functions in its reports; clang itself comes with clang-tidy.
fuzz_packages=(clang-14 libclang-rt-14-dev llvm-14)
# Servers that only tests use, and are skipped without.
more_server_packages=(gopls golang-go)
# Hosts in a network, of namespaces: for a test that is skipped without.
host_packages=(iproute2 openssh-client dropbear-bin parallel)
# Shells that complete, and readers of manual pages: for tests that are skipped without.
shell_packages=(zsh fish man-db mandoc)
# A bare Debian, for the packages to be installed on, and a reader of a recipe.
package_packages=(debootstrap ruby)
# Editors, and what runs them without a screen, for the tests of editors/ (scripts/test --all).
editor_packages=(neovim vim vim-ale kakoune emacs-nox elpa-eglot elpa-lsp-mode kate xvfb dbus-daemon xdotool chromium)
# What bench/report.mjs compares with, and a Go source for it; no test needs them.
bench_packages=(universal-ctags ripgrep golang-1.19-src)
# The program files that stand for all of these on a system that is not Debian 12.
needed_commands=(c++ cmake ninja clangd node npm)

say() { printf 'symbols: %s\n' "$*" >&2; }

# set_up ROOT [--tests|--all]: all that the project in ROOT needs to be built and run, with --tests also to be tested, with
# --all also by the tests that need large downloads, and measured beside others (bench/report.mjs).
# Fails, having said why and what to do, where something could not be installed.
set_up() {
  local root=$1 failed=0
  local packages=("${build_packages[@]}" "${server_packages[@]}")
  if [[ -n ${2-} ]]; then packages+=("${test_packages[@]}"); fi
  if [[ ${2-} == --all ]]; then packages+=("${more_server_packages[@]}" "${host_packages[@]}" "${shell_packages[@]}" "${package_packages[@]}" "${editor_packages[@]}" "${bench_packages[@]}" "${fuzz_packages[@]}"); fi
  # Asking node its version takes longer than all the other checks: what npm has installed shows that it was asked.
  if ! { npm_packages_are_installed "$root/scripts/servers" && command -v node >/dev/null; } && ! node_is_there; then
    packages+=(nodejs npm)
  fi

  if on_debian_12; then
    ensure_debian_packages "${packages[@]}" || failed=1
  else
    name_missing_commands "${packages[@]}" || failed=1
  fi
  # What npm needs was just said to be missing.
  if ((failed)) && ! node_is_there; then return 1; fi
  ensure_npm_packages "$root/scripts/servers" || failed=1
  if [[ -n ${2-} ]]; then ensure_npm_packages "$root/tests/npm" || failed=1; fi
  if [[ ${2-} == --all ]]; then
    ensure_npm_packages "$root/tests/clients" || failed=1
    ensure_npm_packages "$root/editors/vscode" || failed=1
    # Debian's tools fetch them. Tests of what cannot be had are disabled, and counted as skipped.
    if on_debian_12; then "$root/tests/editors/debian_13.sh" 9>&- || say "without these, their tests are skipped"; fi
    { ensure_npm_packages "$root/tests/editors/npm" &&
      ensure_vs_code_packages "$root/tests/editors/npm/node_modules/code-server/lib/vscode"; } || failed=1
  fi
  return "$failed"
}

# Debian 12 and what is made from it; elsewhere the packages have other names, and we install none.
on_debian_12() {
  local version=
  if [[ -r /etc/debian_version ]]; then read -r version </etc/debian_version || true; fi
  [[ $version == 12 || $version == 12.* ]] && command -v apt-get >/dev/null
}

name_missing_commands() {
  local name missing=()
  for name in "${needed_commands[@]}"; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  say "this is not Debian 12, so scripts/setup installs no system packages, and these commands are missing: ${missing[*]}"
  say "install what your system has for these packages of Debian 12: $*"
  return 1
}

# ensure_debian_packages NAME…: installs those that are missing, as root or with a sudo that does not ask.
# Never removes a package to do so.
ensure_debian_packages() {
  local missing
  mapfile -t missing < <(missing_debian_packages "$@")
  if ((${#missing[@]} == 0)); then return 0; fi

  if ! as_root true >/dev/null 2>&1; then
    say "Debian packages are missing, and installing them needs root or a sudo that does not ask;" \
      "as root, run: apt-get install --no-install-recommends ${missing[*]}"
    return 1
  fi

  say "installing Debian packages: ${missing[*]}"
  local log attempt
  log=$(mktemp)
  for attempt in 1 2; do
    if install_debian_packages "${missing[@]}" >"$log" 2>&1 </dev/null 9>&-; then
      rm -f "$log"
      return 0
    fi
    if grep -q '^E: Packages need to be removed' "$log"; then
      say "they conflict with packages that are installed, and scripts/setup removes nothing. In the way:" \
        "$(sed -n '/will be REMOVED:/,/^[^ ]/ s/^  *//p' "$log" | paste -s -d ' ')"
      say "to have them replaced, as root, run: apt-get install --no-install-recommends ${missing[*]}"
      rm -f "$log"
      return 1
    fi
    if ((attempt == 1)); then
      say "apt-get failed, trying once more"
      sleep 3
    fi
  done
  say "could not install Debian packages ${missing[*]}; the end of what apt-get said:"
  tail -n 15 "$log" >&2
  say "mend that, or as root, run: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  rm -f "$log"
  return 1
}

# Prints those of its arguments that dpkg does not have installed, one a line.
missing_debian_packages() {
  local name status
  local -A installed=()
  # Fails for every name that dpkg has never heard of; what it knows it prints all the same.
  while read -r name status; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  for name in "$@"; do
    if [[ -z ${installed[$name]-} ]]; then printf '%s\n' "$name"; fi
  done
}

# The lists are brought up to date first, since old ones name files that the mirrors no longer have.
install_debian_packages() {
  local apt_get=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 -q)
  as_root "${apt_get[@]}" update &&
    as_root "${apt_get[@]}" install --yes --no-install-recommends --no-remove "$@"
}

as_root() {
  if (($(id -u) == 0)); then "$@"; else sudo -n "$@"; fi
}

# Whether there is an npm, and a Node.js that typescript-language-server 4 runs on.
node_is_there() {
  local version
  command -v npm >/dev/null && version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  ((${version%%.*} >= 18))
}

npm_packages_are_installed() { cmp -s "$1/${2:-package-lock.json}" "$1/node_modules/.installed-lock.json"; }

# ensure_npm_packages DIR [LOCK-FILE [NPM-OPTION…]]: installs what DIR/package-lock.json names into DIR/node_modules, and
# nothing outside.
ensure_npm_packages() {
  local dir=$1 lock=${2:-package-lock.json} options=("${@:3}") log attempt
  if npm_packages_are_installed "$dir" "$lock"; then return 0; fi
  if ! node_is_there; then
    say "the npm packages in $dir need Node.js 18 or newer and npm on the PATH; install them and try again"
    return 1
  fi
  say "installing npm packages: $dir"
  log=$(mktemp)
  for attempt in 1 2; do
    if (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund "${options[@]}") >"$log" 2>&1 </dev/null 9>&- &&
      typescript_is_native "$dir" >>"$log" 2>&1; then
      cp "$dir/$lock" "$dir/node_modules/.installed-lock.json"
      rm -f "$log"
      return 0
    fi
    if ((attempt == 1)); then say "npm failed, trying once more"; fi
  done
  say "could not install the npm packages in $dir; the end of what npm said:"
  tail -n 15 "$log" >&2
  say "mend that, or run: cd '$dir' && npm ci --ignore-scripts ${options[*]}"
  rm -f "$log"
  return 1
}

# ensure_vs_code_packages DIR: the packages of VS Code itself and of its own extensions, in a code-server that npm has installed
# without the script that would fetch them.
ensure_vs_code_packages() {
  ensure_npm_packages "$1" npm-shrinkwrap.json --omit=dev --legacy-peer-deps &&
    ensure_npm_packages "$1/extensions" npm-shrinkwrap.json --omit=dev --legacy-peer-deps
}

# TypeScript 7's program comes as an optional dependency, which npm leaves out without a word where the download fails.
typescript_is_native() {
  local dir=$1 program
  if [[ ! -d $dir/node_modules/typescript7 ]]; then return 0; fi
  for program in "$dir"/node_modules/@typescript/typescript-*/lib/tsc; do
    if "$program" --version; then return 0; fi
  done
  echo "TypeScript 7 has no program for this machine in $dir/node_modules/@typescript"
  return 1
}

# take_turns ROOT: waits until no other set-up or build runs in ROOT. Lasts until this shell ends, so what may leave a
# daemon behind (apt-get, npm) is started without the lock's descriptor, 9.
take_turns() {
  mkdir -p "$1/build"
  if command -v flock >/dev/null; then
    exec 9>"$1/build/.lock"
    flock --nonblock 9 || {
      say "waiting for another set-up or build of $1"
      flock 9
    }
  fi
}
