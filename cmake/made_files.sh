#!/bin/sh
# made_files.sh SYMBOLS FOLDER: what the program prints about itself, below FOLDER as below a prefix's share: completions, and its
# --help as manual pages.
set -eu
symbols=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/completions" "$folder/man/man1"
"$symbols" completions bash >"$folder/completions/symbols"
"$symbols" completions zsh >"$folder/completions/_symbols"
"$symbols" completions fish >"$folder/completions/symbols.fish"

for command in '' $("$symbols" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  name=symbols${command:+-$command}
  help=$("$symbols" $command --help)
  summary=$(echo "$help" | sed '/^Usage:/,$d; s/\.$//')
  {
    echo ".TH $name 1 \"\" \"$("$symbols" --version)\" \"User Commands\""
    # Marks that roff would read as its own. A hyphen is a minus, so that options can be copied.
    printf '.SH NAME\n%s - %s\n.SH DESCRIPTION\n.nf\n.in 0\n%s\n' "$name" "$(echo $summary)" "$help" |
      sed "s/\\\\/\\\\e/g; s/-/\\\\-/g; s/'/\\\\(aq/g; s/\`/\\\\(ga/g; s/\^/\\\\(ha/g; s/~/\\\\(ti/g"
  } >"$folder/man/man1/$name.1"
done
