#!/usr/bin/env bash
# Packs the extension: editors/vscode/package.sh [--program SYMBOLS] [OUTPUT.vsix]. Installs what it needs from npm into this folder
# first.
#
#   --program SYMBOLS   a static program for the extension to bring along, with THIRD-PARTY-NOTICES.txt beside it: for this machine's
#                       processor and Linux
set -euo pipefail
here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
root=$(cd -- "$here/../.." && pwd)
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"

program='' target=()
if [[ ${1-} == --program ]]; then
  program=$(realpath -- "${2:?package.sh: --program needs the program}")
  shift 2
fi
output=$(realpath -m -- "${1:-$here/symbols.vsix}")
ensure_npm_packages "$root" editors/vscode
cd "$here"
# What is packed is made in this folder, by one at a time.
exec 8<"$here"
flock 8
trap 'rm -rf "$here"/{bin,THIRD-PARTY-NOTICES.txt}' EXIT
rm -rf bin
{ echo '===== vscode-jsonrpc =====' && echo && cat node_modules/vscode-jsonrpc/License.txt; } >THIRD-PARTY-NOTICES.txt
if [[ -n $program ]]; then
  install -D "$program" bin/symbols
  { echo && cat "${program%/*}/THIRD-PARTY-NOTICES.txt"; } >>THIRD-PARTY-NOTICES.txt
  target=(--target "linux-$(node -p process.arch)")
fi
version=$(sed -n 's/^project(symbols VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
# vsce gives each file the present time; here all have that of $SOURCE_DATE_EPOCH, so that the same files make the same bytes.
# One file holds all of the code, so no dependency is packed.
TZ=UTC SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date +%s)} node -e '
  const { ZipFile } = require("yazl");
  for (const name of ["addBuffer", "addFile"]) {
    const add = ZipFile.prototype[name];
    const mtime = new Date(process.env.SOURCE_DATE_EPOCH * 1000);
    ZipFile.prototype[name] = function (content, path, options) { add.call(this, content, path, { ...options, mtime }); };
  }
  require("@vscode/vsce/out/main")(["node", "vsce", ...process.argv.slice(1)]);' \
  package "$version" --no-update-package-json --no-git-tag-version --no-dependencies --no-rewrite-relative-links \
  --allow-missing-repository "${target[@]}" --out "$output"
