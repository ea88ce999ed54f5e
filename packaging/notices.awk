# Prints a copyright file of Debian. If the file is machine-readable, prints only the paragraphs of the library's sources and the
# licences that they name: the others are about tests, documents and Debian's own files.
BEGIN { RS = ""; ORS = "\n\n" }
FNR == 1 && !/^Format:/ { whole = 1 }
whole { print; next }
{ licence = "" }
match($0, /(^|\n)License: [^\n]*/) {
  licence = substr($0, RSTART, RLENGTH)
  sub(/^\n?License: /, "", licence)
}
$1 == "Files:" && $2 == "*" { base = licence }
$1 == "Files:" && ($2 == "*" || licence != base && $2 ~ /^(libs\/.*\/)?(boost|include|re2|src|util)\//) {
  print
  named[licence]
  split(licence, parts, " and ")
  for (i in parts) named[parts[i]]
}
$1 == "License:" && licence in named
