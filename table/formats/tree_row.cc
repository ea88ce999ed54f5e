#include "table/formats/tree_row.h"

#include <optional>

#include "table/formats/kind_letters.h"
#include "table/formats/line_start.h"

namespace symbols::table {
namespace {

// Whether a row of that name would start like other lines of an answer (line_start.h, context_text.h).
bool starts_like_other_line(std::string_view name) {
  return name == "#" || name.starts_with("# ") || name == "==>" || name.starts_with(file_start);
}

void append_with_blanks(std::string& out, std::string_view name) {
  std::string escaped;
  tree_text_escape.append(escaped, name);
  const std::string_view text = escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && (i == 0 || starts_tree_place(text.substr(i + 1)))) out += '\\';
    out += text[i];
  }
}

}  // namespace

bool starts_tree_place(std::string_view text) {
  std::size_t after = 1;
  if (!text.starts_with(tree_not_shown)) {
    const std::optional<ReadKind> kind = read_kind(text);
    if (!kind) return false;
    after = kind->length;
  }
  if (after == text.size()) return true;
  const char next = text[after];
  return (next >= '0' && next <= '9') || next == '@' || next == ' ' || next == '\t';
}

void append_tree_name(std::string& out, std::string_view name) {
  if (name.empty()) {
    out += tree_not_shown;
    return;
  }
  if (starts_like_other_line(name) || (name.size() == 1 && name[0] == tree_not_shown)) out += '\\';
  if (name.find(' ') == std::string_view::npos) {
    tree_text_escape.append(out, name);
  } else {
    append_with_blanks(out, name);
  }
}

std::size_t tree_name_length(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ' ' && starts_tree_place(text.substr(i + 1))) {
      return i;
    }
  }
  return text.size();
}

}  // namespace symbols::table
