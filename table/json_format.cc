#include "table/json_format.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "lsp/json.h"
#include "table/append_number.h"

namespace symbols::table {
namespace {

// Of one symbol, without its strings, at five digits a line number.
constexpr std::size_t expected_symbol_size = 240;

void append_position(std::string& out, const lsp::Position& position) {
  out += R"({"line":)";
  append_number(out, position.line);
  out += R"(,"character":)";
  append_number(out, position.character);
  out += '}';
}

void append_range(std::string& out, const lsp::Range& range) {
  out += R"({"start":)";
  append_position(out, range.start);
  out += R"(,"end":)";
  append_position(out, range.end);
  out += '}';
}

// All members but the children, and no closing brace.
void append_members(std::string& out, const lsp::DocumentSymbol& symbol, std::string_view detail) {
  out += R"({"name":)";
  lsp::append_json_string(out, symbol.name);
  if (!detail.empty()) {
    out += R"(,"detail":)";
    lsp::append_json_string(out, detail);
  }
  out += R"(,"kind":)";
  append_number(out, symbol.kind);
  if (!symbol.tags.empty()) {
    char before = '[';
    out += R"(,"tags":)";
    for (const std::int64_t tag : symbol.tags) {
      out += before;
      append_number(out, tag);
      before = ',';
    }
    out += ']';
  }
  if (symbol.deprecated) out += R"(,"deprecated":true)";
  out += R"(,"range":)";
  append_range(out, symbol.range);
  out += R"(,"selectionRange":)";
  append_range(out, symbol.selection_range);
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
