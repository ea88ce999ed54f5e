#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/position.h"

namespace symbols::lsp {
namespace {

using Symbols = std::vector<DocumentSymbol>;
using Indexes = std::vector<std::size_t>;

constexpr std::size_t none = SIZE_MAX;  // the parent at top level

// What contains a symbol comes before it: it starts earlier, or at the same place and ends no earlier. Of two
// symbols with the same range the first is the outer one, so that neither is its own ancestor.
bool comes_before(const Symbols& symbols, std::size_t a, std::size_t b) {
  const Range& x = symbols[a].range;
  const Range& y = symbols[b].range;
  return std::tie(x.start, y.end, a) < std::tie(y.start, x.end, b);
}

void sort_by_range(Indexes& indexes, const Symbols& symbols) {
  std::ranges::sort(indexes, [&](std::size_t a, std::size_t b) { return comes_before(symbols, a, b); });
}

// Parents by containment only.
Indexes parents_by_range(const Symbols& symbols) {
  Indexes order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  sort_by_range(order, symbols);
  Indexes parents(symbols.size(), none);
  Indexes open;
  for (const std::size_t index : order) {
    while (!open.empty() && !contains(symbols[open.back()].range, symbols[index].range)) open.pop_back();
    if (!open.empty()) parents[index] = open.back();
    open.push_back(index);
  }
  return parents;
}

// Ancestors, and symbols of one name, that are compared with a symbol. Real files have fewer; without a limit
// a chain of thousands would take quadratic time.
constexpr std::ptrdiff_t max_compared = 256;

// The parent of symbol `index` among those of its container's name, which are sorted by range. `parents`:
// those of the symbols before it. None if it is the only one of that name.
std::size_t parent_among(const Indexes& named, const Symbols& symbols, const Indexes& parents,
                         std::size_t index) {
  const DocumentSymbol& symbol = symbols[index];
  // The symbol before it and what that is in.
  std::size_t deepest = none;
  std::size_t above = index == 0 ? none : index - 1;
  for (auto left = max_compared; left > 0 && above != none; --left, above = parents[above]) {
    if (symbols[above].name != symbol.container_name) continue;
    if (contains(symbols[above].range, symbol.range)) return above;
    if (deepest == none) deepest = above;
  }
  auto after = std::ranges::lower_bound(
      named, index, [&](std::size_t a, std::size_t b) { return comes_before(symbols, a, b); });
  // The smallest of those that contain it comes last.
  auto candidate = after;
  for (auto left = std::min(after - named.begin(), max_compared); left > 0; --left) {
    if (contains(symbols[*--candidate].range, symbol.range)) return *candidate;
  }
  if (deepest != none) return deepest;
  if (after != named.begin()) return *std::prev(after);
  if (after != named.end() && *after == index) ++after;
  return after == named.end() ? none : *after;
}

// A containerName may point forward, and two at each other. The symbol that closes a cycle becomes a root.
void break_cycles(Indexes& parents) {
  Indexes visited_by(parents.size(), none);
  for (std::size_t start = 0; start < parents.size(); ++start) {
    for (std::size_t i = start; i != none && visited_by[i] == none; i = parents[i]) {
      visited_by[i] = start;
      if (parents[i] != none && visited_by[parents[i]] == start) parents[i] = none;
    }
  }
}

Indexes parents_by_name(const Symbols& symbols) {
  std::unordered_map<std::string_view, Indexes> by_name;
  for (std::size_t i = 0; i < symbols.size(); ++i) by_name[symbols[i].name].push_back(i);
  for (auto& [name, named] : by_name) sort_by_range(named, symbols);
  Indexes parents(symbols.size(), none);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto named = by_name.find(symbols[i].container_name);
    if (symbols[i].container_name.empty() || named == by_name.end()) continue;
    parents[i] = parent_among(named->second, symbols, parents, i);
  }
  break_cycles(parents);
  return parents;
}

// Pre-order of a forest without cycles, with siblings in their present order.
SymbolTree in_pre_order(Symbols symbols, const Indexes& parents) {
  std::vector<Indexes> children(symbols.size() + 1);  // the last entry: the roots
  for (std::size_t i = symbols.size(); i-- > 0;) children[std::min(parents[i], symbols.size())].push_back(i);
  SymbolTree tree;
  tree.symbols.reserve(symbols.size());
  std::vector<std::int32_t> place(symbols.size() + 1, -1);
  Indexes stack = children.back();  // reversed, so that the first one is on top
  while (!stack.empty()) {
    const std::size_t index = stack.back();
    stack.pop_back();
    place[index] = static_cast<std::int32_t>(tree.symbols.size());
    DocumentSymbol& symbol = tree.symbols.emplace_back(std::move(symbols[index]));
    symbol.parent = place[std::min(parents[index], symbols.size())];
    if (symbol.parent >= 0) symbol.container_name.clear();
    stack.insert(stack.end(), children[index].begin(), children[index].end());
  }
  return tree;
}

}  // namespace

SymbolTree nest_flat_symbols(Symbols symbols, std::string_view document_text) {
  const PositionIndex text(document_text);
  for (DocumentSymbol& symbol : symbols) {
    symbol.selection_range =
        text.find(symbol.name, symbol.range).value_or(Range{symbol.range.start, symbol.range.start});
  }
  const bool names_containers = std::ranges::any_of(
      symbols, [](const DocumentSymbol& symbol) { return !symbol.container_name.empty(); });
  const Indexes parents = names_containers ? parents_by_name(symbols) : parents_by_range(symbols);
  return in_pre_order(std::move(symbols), parents);
}

void append_range_json(std::string& out, const Range& range) {
  const auto& [start, end] = range;
  fmt::format_to(std::back_inserter(out),
                 R"({{"start":{{"line":{},"character":{}}},"end":{{"line":{},"character":{}}}}})", start.line,
                 start.character, end.line, end.character);
}

void append_kind_members(std::string& out, const DocumentSymbol& symbol) {
  out += R"("kind":)";
  append_number(out, symbol.kind);
  if (!symbol.tags.empty()) out += fmt::format(R"(,"tags":[{}])", fmt::join(symbol.tags, ","));
  if (symbol.deprecated) out += R"(,"deprecated":true)";
}

std::string write_symbol_information_json(const SymbolTree& tree, std::string_view uri) {
  const std::string location = R"(,"location":{"uri":)" + json_string(uri) + R"(,"range":)";
  std::string out = "[";
  for (const DocumentSymbol& symbol : tree.symbols) {
    out += out.size() == 1 ? R"({"name":)" : R"(,{"name":)";
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
  out += ']';
  return out;
}

}  // namespace symbols::lsp
