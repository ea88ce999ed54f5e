#include "lsp/symbol_json.h"

#include <cstdint>

#include "base/number.h"
#include "lsp/json/json.h"

namespace symbols::lsp {
namespace {

// The bytes of one symbol without its strings, with line numbers of five digits.
constexpr std::size_t expected_symbol_size = 170;

void append_position(std::string& out, const Position& position) {
  out += R"({"line":)";
  append_number(out, position.line);
  out += R"(,"character":)";
  append_number(out, position.character);
  out += '}';
}

}  // namespace

void append_range_json(std::string& out, const Range& range) {
  out += R"({"start":)";
  append_position(out, range.start);
  out += R"(,"end":)";
  append_position(out, range.end);
  out += '}';
}

void append_kind_members(std::string& out, const DocumentSymbol& symbol) {
  out += R"("kind":)";
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
}

std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri) {
  const std::string location = R"(,"location":{"uri":)" + json_string(uri) + R"(,"range":)";
  std::string out;
  out.reserve(2 + tree.symbols.size() * (expected_symbol_size + uri.size()));
  char before = '[';
  for (const DocumentSymbol& symbol : tree.symbols) {
    out += before;
    before = ',';
    out += R"({"name":)";
    append_json_string(out, symbol.name);
    out += ',';
    append_kind_members(out, symbol);
    out += location;
    append_range_json(out, symbol.range);
    out += '}';
    const std::string& container = symbol.parent < 0
                                       ? symbol.container_name
                                       : tree.symbols[static_cast<std::size_t>(symbol.parent)].name;
    if (!container.empty()) {
      out += R"(,"containerName":)";
      append_json_string(out, container);
    }
    out += '}';
  }
  if (tree.symbols.empty()) out += '[';
  out += ']';
  return out;
}

}  // namespace symbols::lsp
