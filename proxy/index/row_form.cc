#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lsp/position.h"
#include "proxy/files/source_text.h"
#include "proxy/index/file_outline.h"

namespace symbols::index {
namespace {

using files::Language;

using Extent = std::pair<std::size_t, std::size_t>;  // from a byte to the one behind the last

std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

bool starts_import(std::string_view text, Language language) {
  const std::string_view word = word_at(text, 0);
  const std::string_view rest = text.substr(after_blanks(text, word.size()));
  if (language == Language::python) {
    const bool names_module = word == "from" && rest.substr(0, rest.find('\n')).find(" import") != rest.npos;
    return word == "import" || names_module;
  }
  if (word == "import") return !rest.starts_with('(') && !rest.starts_with('.');
  const std::string_view list = rest.starts_with("type ") ? trim(rest.substr(5)) : rest;
  return word == "export" && (list.starts_with('{') || list.starts_with('*'));
}

// The import statements of a file, and JavaScript's lists of exports, in order. Each starts a line or follows
// another one; names in brackets may continue on further lines.
std::vector<Extent> import_statements(std::string_view text, Language language) {
  const auto [open, close] = language == Language::python ? std::pair('(', ')') : std::pair('{', '}');
  std::vector<Extent> statements;
  for (std::size_t at = 0; at < text.size();) {
    at = after_blanks(text, at);
    if (!starts_import(text.substr(at), language)) {
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
      continue;
    }
    const std::size_t start = at;
    at = std::min(text.find_first_of(";\n", at), text.size());
    const std::string_view line = text.substr(start, at - start);
    if (line.substr(0, line.find(language == Language::python ? "#" : "//")).find(open) != text.npos)
      at = std::min(text.find_first_of(";\n", text.find(close, start)), text.size());
    while (at < text.size() && text[at] == '\n' && text[at - 1] == '\\')
      at = std::min(text.find('\n', at + 1), text.size());
    statements.emplace_back(start, at);
    if (at < text.size()) ++at;
  }
  return statements;
}

// `const { a, b } = require("a");`, of what follows `a` on its line.
bool is_required(std::string_view rest) {
  const std::size_t call = rest.find("= require(");
  if (call == rest.npos || rest.find('=') != call) return false;
  const std::size_t end = rest.find(')', call);
  return end != rest.npos && trim(rest.substr(end + 1), "; \t\r").empty();
}

}  // namespace

std::vector<RowForm> row_forms(std::string_view path, const lsp::SymbolTree& tree, std::string_view text) {
  std::vector<RowForm> forms(tree.symbols.size(), RowForm::definition);
  const Language language = files::language_of(path);
  const bool is_c = language == Language::c_header || language == Language::c_source;
  const bool imports = language == Language::script || language == Language::python;
  if (!is_c && !imports) return forms;
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto offset = [&](lsp::Position position) {
    if (position.line >= lines.size()) return text.size();
    const std::string_view line = lines[position.line];
    return static_cast<std::size_t>(line.data() - text.data()) +
           lsp::bytes_of_units(line, position.character, lsp::PositionEncoding::utf16);
  };
  const std::vector<Extent> statements = imports ? import_statements(text, language) : std::vector<Extent>();
  for (std::size_t row = 0; row < forms.size(); ++row) {
    const lsp::DocumentSymbol& symbol = tree.symbols[row];
    if (is_c) {
      const std::size_t start = offset(symbol.range.start);
      const std::string_view written = text.substr(start, std::max(offset(symbol.range.end), start) - start);
      const bool has_body = is_type_kind(symbol.kind) || is_function_kind(symbol.kind);
      const std::string_view word = word_at(written, 0);
      const bool is_alias = word == "using" || word == "typedef";
      const bool is_defined =
          is_alias || written.ends_with('}') || written.ends_with("default") || written.ends_with("delete");
      if (!written.empty() && (has_body ? !is_defined : word == "extern")) forms[row] = RowForm::declaration;
      continue;
    }
    const std::size_t at = offset(symbol.selection_range.start);
    const auto next = std::ranges::upper_bound(statements, at, {}, &Extent::first);
    const bool in_statement = next != statements.begin() && at < std::prev(next)->second;
    const std::string_view rest = text.substr(at);
    if (in_statement || (language == Language::script && !is_type_kind(symbol.kind) &&
                         !is_function_kind(symbol.kind) && is_required(rest.substr(0, rest.find('\n')))))
      forms[row] = RowForm::import;
  }
  return forms;
}

}  // namespace symbols::index
