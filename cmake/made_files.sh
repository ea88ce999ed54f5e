#!/bin/sh
# made_files.sh SYMBOLS FOLDER: what the program prints about itself, its manual pages and completions, below FOLDER as below a
# prefix's share.
set -eu
symbols=$1 folder=$2
rm -rf "$folder"
"$symbols" manual --to "$folder/man/man1"
mkdir -p "$folder/completions"
"$symbols" completions bash >"$folder/completions/symbols"
"$symbols" completions zsh >"$folder/completions/_symbols"
"$symbols" completions fish >"$folder/completions/symbols.fish"
