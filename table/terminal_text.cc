#include "table/terminal_text.h"

#include <algorithm>

#include "table/escape.h"

namespace symbols::table {

std::string terminal_text(std::string_view text) {
  constexpr table::CellEscape escape("");
  std::string out;
  while (!text.empty()) {
    const std::size_t backslash = text.find('\\');
    escape.append(out, text.substr(0, backslash));
    if (backslash == std::string_view::npos) break;
    out += '\\';
    text.remove_prefix(backslash + 1);
  }
  return out;
}

std::string terminal_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\t\n"), text.size());
    std::string_view part = text.substr(0, end);
    // A carriage return before a newline is harmless.
    if (end < text.size() && text[end] == '\n' && part.ends_with('\r')) part.remove_suffix(1);
    out += terminal_text(part);
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace symbols::table
