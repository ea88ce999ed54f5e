#include "lsp/symbol_information.h"

#include "lsp/json/json.h"
#include "lsp/symbol_json.h"

namespace symbols::lsp {
namespace {

// The bytes of one symbol without its strings, with line numbers of five digits.
constexpr std::size_t expected_symbol_size = 170;

}  // namespace

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
