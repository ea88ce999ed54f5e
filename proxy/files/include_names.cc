#include "proxy/files/include_names.h"

#include <algorithm>

namespace symbols::files {
namespace {

// Within a directive; a longer one is not looked for, so that a file of many `#/*` costs no more than others.
constexpr std::size_t longest_comment = 1000;

// What stands after blanks, comments and line ends that a backslash takes away.
std::string_view after_blanks(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\f\v"), text.size()));
    if (text.starts_with("\\\n")) {
      text.remove_prefix(2);
    } else if (text.starts_with("\\\r\n")) {
      text.remove_prefix(3);
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.substr(0, longest_comment).find("*/", 2);
      if (end == text.npos) return {};
      text.remove_prefix(end + 2);
    } else {
      return text;
    }
  }
}

// The name that a directive includes, with its opening mark; `text` starts after its `#`. Empty if it
// includes nothing.
std::string_view included_name(std::string_view text) {
  text = after_blanks(text);
  const bool includes = text.starts_with("include");
  if (!includes && !text.starts_with("import")) return {};
  text.remove_prefix(includes ? 7 : 6);
  if (text.starts_with("_next")) text.remove_prefix(5);
  text = after_blanks(text);
  if (!text.starts_with('"') && !text.starts_with('<')) return {};
  const char mark = text.front() == '"' ? '"' : '>';
  const std::size_t end = text.find_first_of(mark == '"' ? "\"\r\n" : ">\r\n", 1);
  return end == text.npos || end == 1 || text[end] != mark ? std::string_view() : text.substr(0, end);
}

}  // namespace

std::vector<std::string> include_names(std::string_view text) {
  std::vector<std::string> names;
  if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  for (std::size_t hash = text.find_first_of("#%"); hash != text.npos;
       hash = text.find_first_of("#%", hash + 1)) {
    const bool is_digraph = text[hash] == '%';
    if (is_digraph && text.substr(hash + 1, 1) != ":") continue;
    const std::string_view name = included_name(text.substr(hash + (is_digraph ? 2 : 1)));
    if (name.empty()) continue;
    const std::size_t before = hash == 0 ? text.npos : text.find_last_not_of(" \t", hash - 1);
    // A comment may stand before it.
    if (before == text.npos || text[before] == '\n' || text[before] == '\r' || text[before] == '/')
      names.emplace_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace symbols::files
