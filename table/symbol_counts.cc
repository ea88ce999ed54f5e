#include "table/symbol_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "table/rows.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string count_symbols(const lsp::SymbolTree& tree) {
  std::string line = counted(tree.symbols.size(), "symbol");
  if (tree.symbols.empty()) return line;

  std::map<std::int64_t, std::size_t> by_kind;
  for (const lsp::DocumentSymbol& symbol : tree.symbols) ++by_kind[symbol.kind];
  std::vector<std::pair<std::int64_t, std::size_t>> counts(by_kind.begin(), by_kind.end());
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  std::string_view separator = ": ";
  for (const auto& [kind, count] : counts) {
    line += fmt::format("{}{} {}", separator, count, kind_name(kind));
    separator = ", ";
  }
  return line + "; " + counted(level_count(tree), "level");
}

std::string counts_as_json(const lsp::SymbolTree& tree) {
  return R"({"counts":)" + lsp::json_string(count_symbols(tree)) + "}";
}

std::string counts_as_toon(const lsp::SymbolTree& tree) {
  return "counts: " + lsp::json_string(count_symbols(tree));
}

}  // namespace symbols::table
