// The lines that may stand beside rows in a text of lines: where a file's answer begins (docs/spec.md,
// section 6), and what a budget took away (section 5). No row can look like them.
#pragma once

#include <string>
#include <string_view>

namespace symbols::table {

inline constexpr std::string_view truncated_start = "# truncated: ";
inline constexpr std::string_view file_start = "==> ";

// Escapes the first character of the line that starts at `start` and has been appended whole, `\x23` or
// `\x3D`, where it would be taken for one of these.
inline void mask_line_start(std::string& out, std::size_t start) {
  const auto starts_with = [&](std::string_view mark) { return out.compare(start, mark.size(), mark) == 0; };
  if (starts_with(truncated_start)) {
    out.replace(start, 1, "\\x23");
  } else if (starts_with(file_start)) {
    out.replace(start, 1, "\\x3D");
  }
}

}  // namespace symbols::table
