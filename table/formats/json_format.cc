#include "table/formats/json_format.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/json/json.h"
#include "lsp/symbol_json.h"
#include "table/formats/json_text.h"

namespace symbols::table {
namespace {

// Bytes of one symbol without its strings, with line numbers of five digits.
constexpr std::size_t expected_json_size = 255;

constexpr std::string_view json_symbols = "the symbols as JSON";

constexpr std::string_view null = "null";

// All members but the children, and no closing brace.
void append_members(std::string& out, const lsp::DocumentSymbol& symbol, std::string_view detail) {
  out += R"({"name":)";
  lsp::append_json_string(out, symbol.name);
  if (!detail.empty()) {
    out += R"(,"detail":)";
    lsp::append_json_string(out, detail);
  }
  out += ',';
  lsp::append_kind_members(out, symbol);
  out += R"(,"range":)";
  lsp::append_range_json(out, symbol.range);
  out += R"(,"selectionRange":)";
  lsp::append_range_json(out, symbol.selection_range);
}

}  // namespace

std::string write_json(const SymbolRows& rows, const View& view) {
  const bool hover_as_detail = view.shows(Field::hover);
  const std::vector<lsp::DocumentSymbol>& symbols = rows.tree.symbols;
  const std::vector<std::uint32_t> depths = symbol_depths(rows.tree);
  std::string out;
  out.reserve(2 + symbols.size() * expected_json_size);
  out += '[';
  std::size_t open = 0;  // arrays of children that are not closed yet: the path to the row before
  for (std::size_t row = 0; row < symbols.size(); ++row) {
    const bool first_child = open > 0 && depths[row] >= open;
    if (!first_child) {
      for (; open > depths[row]; --open) out += "]}";
      if (row > 0) out += ',';
    }
    const std::string_view hover = hover_as_detail ? rows.hover(row) : std::string_view{};
    append_members(out, symbols[row], hover.empty() ? symbols[row].detail : hover);
    out += R"(,"children":[)";
    ++open;
  }
  for (; open > 0; --open) out += "]}";
  out += ']';
  return out;
}

Result<SymbolRows> read_json(std::string_view text) {
  SymbolRows rows;
  if (const auto fault = lsp::decode_document_symbols(text, {}, rows.tree)) {
    return unreadable(json_symbols, text, fault->offset, fault->message);
  }
  const std::size_t start = lsp::skip_json_whitespace(text);
  const std::size_t length = text[start] == '[' ? lsp::skip_json_value(text.substr(start)) : null.size();
  const std::size_t more = lsp::skip_json_whitespace(text, start + length);
  if (more < text.size()) {
    return unreadable(json_symbols, text, more, "expected the end");
  }
  return rows;
}

}  // namespace symbols::table
