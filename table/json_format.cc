#include "table/json_format.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/json.h"
#include "lsp/symbol_json.h"

namespace symbols::table {
namespace {

// Of one symbol, without its strings, at five digits a line number.
constexpr std::size_t expected_symbol_size = 240;

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

std::string write_document_symbols_json(const SymbolRows& rows, bool hover_as_detail) {
  const std::vector<lsp::DocumentSymbol>& symbols = rows.tree.symbols;
  const std::vector<std::uint32_t> depths = symbol_depths(rows.tree);
  std::string out;
  out.reserve(2 + symbols.size() * expected_symbol_size);
  out += '[';
  std::size_t open = 0;  // objects whose closing brace is still to come: the path to the row before
  for (std::size_t row = 0; row < symbols.size(); ++row) {
    if (open > 0 && depths[row] >= open) {
      out += R"(,"children":[)";
    } else if (open > 0) {
      for (; open > depths[row] + std::size_t{1}; --open) out += "}]";
      out += "},";
      --open;
    }
    const std::string_view hover = hover_as_detail ? rows.hover(row) : std::string_view{};
    append_members(out, symbols[row], hover.empty() ? symbols[row].detail : hover);
    ++open;
  }
  for (; open > 1; --open) out += "}]";
  if (open > 0) out += '}';
  out += ']';
  return out;
}

}  // namespace symbols::table
