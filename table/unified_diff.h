// Edits of a text as a unified diff (POSIX, `diff -u`), as `patch -p1` and `git apply -p1` take it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::table {

// The bytes from `begin` to `end` of a text become `text`.
struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

// Appends the diff of the file `name`, a relative path, whose bytes are `before`, with three lines of
// context. No `diff --git` line: with -p1, paths are relative to the folder where it is applied. Nothing
// where nothing changes. `replacements`: within the text, in order, none touches the text of another.
void append_unified_diff(std::string& out, std::string_view name, std::string_view before,
                         const std::vector<Replacement>& replacements);

}  // namespace symbols::table
