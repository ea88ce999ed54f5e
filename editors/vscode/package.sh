#!/usr/bin/env bash
# Packs the extension: editors/vscode/package.sh [OUTPUT.vsix]. Installs what it needs from npm into this folder first.
set -euo pipefail
here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
root=$here/../..
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh"

output=$(realpath -m -- "${1:-$here/symbols.vsix}")
ensure_npm_packages "$here"
cd "$here"
# One file holds all of the code, so no dependency is packed.
node_modules/.bin/vsce package --no-dependencies --no-rewrite-relative-links --allow-missing-repository --out "$output"
