#include "proxy/setup/settings_layout.h"

#include <algorithm>

#include "base/split.h"
#include "lsp/json/json.h"
#include "proxy/setup/jsonc_text.h"

namespace symbols::setup {

std::string_view indent_of_line(std::string_view text, std::size_t offset) {
  // npos + 1 is the start of the text.
  const std::size_t line = offset == 0 ? 0 : text.find_last_of("\r\n", offset - 1) + 1;
  const std::size_t end = std::min(text.find_first_not_of(" \t", line), text.size());
  return text.substr(line, end - line);
}

bool begins_its_line(std::string_view text, std::size_t offset) {
  const std::string_view indent = indent_of_line(text, offset);
  return indent.data() + indent.size() == text.data() + offset;
}

std::string_view indent_unit(std::string_view text) {
  // Comments may have any layout.
  const Result<PlainJson> plain = read_jsonc(text, JsonDialect::with_comments);
  const std::string_view code = plain ? std::string_view(plain->text) : text;
  for (std::size_t line = code.find_first_of("\r\n"); line != code.npos;
       line = code.find_first_of("\r\n", line + 1)) {
    const std::string_view indent = indent_of_line(text, line + 1);
    const std::size_t behind = line + 1 + indent.size();
    if (indent.empty() || behind >= code.size() || lsp::is_json_whitespace(code[behind])) continue;
    return indent.front() == '\t' ? indent.substr(0, 1) : indent;
  }
  return "  ";
}

std::string_view line_end(std::string_view text) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == text.npos || text[end] == '\n') return "\n";
  return text.substr(end).starts_with("\r\n") ? "\r\n" : "\r";
}

std::string laid_out(std::string_view value, std::size_t value_indent, std::string_view file,
                     std::string_view indent) {
  const std::string_view unit = indent_unit(file);
  std::string out;
  for (std::string_view line : split(value, '\n')) {
    const bool is_first = line.data() == value.data();
    if (!is_first) {
      const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
      const std::size_t deeper = own - std::min(own, value_indent);
      line.remove_prefix(own);
      out += line_end(file);
      out += indent;
      for (std::size_t level = 0; level < deeper / 2; ++level) out += unit;
    }
    out += line;
  }
  return out;
}

}  // namespace symbols::setup
