# shellcheck shell=bash
# The packages of Debian and npm that the project needs, and how they are installed. Sourced by scripts/setup, build and package.
# All messages go to standard error: scripts/symbols keeps standard output for its answer. Nothing asks.

# The packages of each need. `tests`, `all` and `slow` are levels, each on top of those before it (set_up).
declare -A debian_packages=(
  [build]='g++ cmake ninja-build pkg-config
    libboost1.81-dev libboost-filesystem1.81-dev rapidjson-dev libfmt-dev libcli11-dev libre2-dev libmd4c-dev
    libsqlite3-dev libxxhash-dev'
  [clangd]='clangd-19'
  [tests]='doctest-dev nlohmann-json3-dev git clang-format clang-tidy'
  # Servers that only tests use; shells that complete, and readers of manual pages; editors, and what runs them without a screen. Tests that
  # lack them are skipped.
  [all]='gopls golang-go
    zsh fish man-db mandoc
    neovim vim vim-ale kakoune emacs-nox elpa-eglot elpa-lsp-mode kate xvfb dbus-daemon xdotool chromium'
  # To make a bare Debian, and to read a recipe; what bench/report.mjs compares with, and a Go source for it; libFuzzer, and names
  # of functions in its reports; servers that are asked confined and not.
  [slow]='debootstrap ruby
    universal-ctags ripgrep golang-1.19-src
    clang-16 libclang-rt-16-dev llvm-16
    ccls fortran-language-server python3-pylsp'
  # scripts/package. dpkg-shlibdeps finds the dependencies of a .deb, and calls file.
  [deb]='dpkg-dev file git'
  [static]='zlib1g-dev git'
  [mcpb]='zip'
  [source]='git'
)
# Each need in this list also needs Node.js and npm.
declare -A npm_folders=(
  [typescript]='scripts/servers'
  [tests]='tests/npm'
  [all]='tests/clients editors/vscode tests/editors/npm'
  [slow]='tests/servers'
  [npm]=''
  [vsix]='editors/vscode'
)
# The download of a folder's packages and the size of its node_modules, in MB of 10^6 bytes (tests/packages compares).
declare -A npm_sizes=(
  [scripts/servers]='15 58'
  [tests/npm]='16 94'
  [tests/clients]='450 1472'
  [tests/servers]='90 392'
  [editors/vscode]='24 132'
  [tests/editors/npm]='96 388'
  [tests/editors/npm/node_modules/code-server/lib/vscode]='18 98'
  [tests/editors/npm/node_modules/code-server/lib/vscode/extensions]='5 24'
)
# Commands that must be on the PATH on systems other than Debian 12.
declare -A needed_commands=([build]='c++ cmake ninja' [clangd]='clangd')

say() { printf 'symbols: %s\n' "$*" >&2; }

# set_up ROOT [LEVEL | NEED…]: installs what is missing of these needs, for the project in ROOT. A level is --tests, --all or --slow
# as in scripts/setup; without any, what builds and runs. On failure says why and what to do, and fails.
set_up() {
  local root=$1 need folder packages=() folders=() commands=() missing_folders=() needs_node='' failed=0
  shift
  case ${1-} in
    '') set -- build clangd typescript ;;
    --tests) set -- build clangd typescript tests ;;
    --all) set -- build clangd typescript tests all ;;
    --slow) set -- build clangd typescript tests all slow ;;
  esac
  for need; do
    # shellcheck disable=SC2206 # words
    packages+=(${debian_packages[$need]-}) folders+=(${npm_folders[$need]-}) commands+=(${needed_commands[$need]-})
    if [[ -v npm_folders[$need] ]]; then needs_node=yes; fi
  done
  for folder in "${folders[@]}"; do
    if ! npm_packages_are_installed "$root/$folder"; then missing_folders+=("$folder"); fi
  done
  # `node --version` takes longer than all the other checks. It ran before npm installed the folders.
  if [[ $needs_node ]] && ! { ((${#folders[@]} > 0 && ${#missing_folders[@]} == 0)) && command -v node >/dev/null; } &&
    ! node_is_there; then
    packages+=(nodejs npm ca-certificates) commands+=(node npm)
  fi

  if on_debian_12; then
    ensure_debian_packages "${packages[@]}" || failed=1
  else
    check_commands "${commands[@]}" || failed=1
  fi
  # npm was reported just now.
  if ((failed && ${#missing_folders[@]})) && ! node_is_there; then return 1; fi
  for folder in "${missing_folders[@]}"; do ensure_npm_packages "$root" "$folder" || failed=1; done
  if [[ " $* " == *' all '* ]]; then
    # Tests of what these two install are skipped without it.
    if on_debian_12; then "$root/tests/editors/debian_13.sh" 9>&- || say "without these, their tests are skipped"; fi
    ((failed)) || ensure_vs_code_packages "$root" tests/editors/npm/node_modules/code-server/lib/vscode || failed=1
  fi
  return "$failed"
}

# Debian 12 and its derivatives. Other systems have other names for the packages, so we install none there.
on_debian_12() {
  local version=
  if [[ -r /etc/debian_version ]]; then read -r version </etc/debian_version || true; fi
  [[ $version == 12 || $version == 12.* ]] && command -v apt-get >/dev/null
}

check_commands() {
  local name missing=()
  for name; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  say "this is not Debian 12, so nothing is installed from the system, and these commands are missing: ${missing[*]}"
  say "scripts/packages.sh lists the packages of Debian 12; install what your system has for them"
  return 1
}

# ensure_debian_packages NAME…: installs those that are missing, as root or with a sudo that does not ask.
# Never removes a package to do so.
ensure_debian_packages() {
  local missing by_sudo='' command log attempt
  mapfile -t missing < <(missing_debian_packages "$@")
  if ((${#missing[@]} == 0)); then return 0; fi
  command="apt-get install --no-install-recommends ${missing[*]}"
  if (($(id -u))); then
    by_sudo=', with sudo'
    if ! sudo -n true >/dev/null 2>&1; then
      say "Debian packages are missing, and installing them needs root or a sudo that does not ask; as root, run: $command"
      return 1
    fi
  fi

  say "installing Debian packages$by_sudo: ${missing[*]}"
  log=$(mktemp)
  for attempt in 1 2; do
    if install_debian_packages "$log" "${missing[@]}"; then
      rm -f "$log"
      return 0
    fi
    if grep -q '^E: Packages need to be removed' "$log"; then
      say "they conflict with packages that are installed, and nothing is removed. In the way:" \
        "$(sed -n '/will be REMOVED:/,/^[^ ]/ s/^  *//p' "$log" | paste -s -d ' ')"
      say "to have them replaced, as root, run: $command"
      rm -f "$log"
      return 1
    fi
    if ((attempt == 1)); then
      say "apt-get failed, trying once more"
      sleep 3
    fi
  done
  say "could not install Debian packages ${missing[*]}; the end of apt-get's output:"
  grep -vE '^(dl|pm)status:' "$log" | tail -n 15 >&2
  say "fix that, or as root, run: apt-get update && $command"
  rm -f "$log"
  return 1
}

# Prints those of its arguments that dpkg does not have installed, one a line.
missing_debian_packages() {
  local name status
  local -A installed=()
  # Fails for each name that dpkg has never heard of, but prints the others.
  while read -r name status; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  for name in "$@"; do
    if [[ -z ${installed[$name]-} ]]; then printf '%s\n' "$name"; fi
  done
}

# install_debian_packages LOG NAME…: updates the lists first, since old ones name files that the mirrors no longer have.
install_debian_packages() {
  local log=$1 sizes install=(install --no-install-recommends --no-remove "${@:2}")
  local apt_get=(as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 -q)
  watched apt_progress "$log" "${apt_get[@]}" update || return
  # Prints the sizes, and fails as nothing confirms it.
  "${apt_get[@]}" --assume-no "${install[@]}" >"$log" 2>&1 </dev/null 9>&- || true
  sizes=$(sed -nE 's/^Need to get (.*) of archives\.$/\1 to download/p;
    s/^After this operation, (.*) of additional disk space will be used\.$/\1 on disk/p' "$log" | paste -s -d ,)
  if [[ $sizes ]]; then say "${sizes/,/, }"; fi
  watched apt_progress "$log" "${apt_get[@]}" --yes -o APT::Status-Fd=1 "${install[@]}"
}

apt_progress() {
  {
    echo "Debian packages: updating the lists"
    sed -nE 's/^dlstatus:[^ ]*:([0-9]+)\..*/Debian packages: downloaded \1%/p;
      s/^pmstatus:[^ ]*:([0-9]+)\..*/Debian packages: installed \1%/p' "$1"
  } | tail -n 1
}

seconds_between_reports=10

# watched PROGRESS LOG COMMAND…: runs the command with its output in LOG. Says what PROGRESS LOG prints, now and then.
watched() {
  local progress=$1 log=$2 status=0 reporter
  # Ends with descriptor 8, also if this shell is killed.
  exec 8> >(
    while
      read -rt "$seconds_between_reports"
      (($? > 128))
    do
      say "$("$progress" "$log")"
    done
  )
  reporter=$!
  # Commands that may leave a daemon behind inherit neither this nor the lock of take_turns.
  "${@:3}" >"$log" 2>&1 </dev/null 8>&- 9>&- || status=$?
  exec 8>&-
  wait "$reporter" || true
  return "$status"
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

# ensure_npm_packages ROOT FOLDER [LOCK-FILE [NPM-OPTION…]]: installs the packages of ROOT/FOLDER/package-lock.json into
# ROOT/FOLDER/node_modules, and nothing elsewhere.
ensure_npm_packages() {
  local dir=$1/$2 lock=${3:-package-lock.json} options=("${@:4}") download disk log attempt
  if npm_packages_are_installed "$dir" "$lock"; then return 0; fi
  if ! node_is_there; then
    say "the npm packages in $dir need Node.js 18 or newer and npm on the PATH; install them and try again"
    return 1
  fi
  read -r download disk <<<"${npm_sizes[$2]}"
  say "installing npm packages: $dir"
  say "$download MB to download, $disk MB on disk"
  log=$(mktemp)
  for attempt in 1 2; do
    if watched npm_progress "$log" in_dir "$dir" npm ci --ignore-scripts --no-audit --no-fund "${options[@]}" &&
      typescript_is_native "$dir" >>"$log" 2>&1; then
      cp "$dir/$lock" "$dir/node_modules/.installed-lock.json"
      rm -f "$log"
      return 0
    fi
    if ((attempt == 1)); then say "npm failed, trying once more"; fi
  done
  say "could not install the npm packages in $dir; the end of npm's output:"
  tail -n 15 "$log" >&2
  say "fix that, or run: cd '$dir' && npm ci --ignore-scripts ${options[*]}"
  rm -f "$log"
  return 1
}

in_dir() { (cd "$1" && "${@:2}"); }

# Uses the variables of ensure_npm_packages.
npm_progress() {
  local used=0
  if [[ -d $dir/node_modules ]]; then used=$(du -s --block-size=MB "$dir/node_modules" | cut -f1); fi
  echo "npm packages: ${used%MB} of $disk MB on disk"
}

# ensure_vs_code_packages ROOT FOLDER: the packages of VS Code and of its own extensions, in a code-server that npm has installed
# without its install script, which would fetch them.
ensure_vs_code_packages() {
  local folder
  for folder in "$2" "$2/extensions"; do
    ensure_npm_packages "$1" "$folder" npm-shrinkwrap.json --omit=dev --legacy-peer-deps || return
  done
}

# TypeScript 7's program is an optional dependency, which npm leaves out silently if the download fails.
typescript_is_native() {
  local dir=$1 program
  if [[ ! -d $dir/node_modules/typescript7 ]]; then return 0; fi
  for program in "$dir"/node_modules/@typescript/typescript-*/lib/tsc; do
    if "$program" --version; then return 0; fi
  done
  echo "TypeScript 7 has no program for this machine in $dir/node_modules/@typescript"
  return 1
}

# take_turns ROOT: waits until no other set-up or build runs in ROOT, and holds the lock, descriptor 9, until this shell ends.
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
