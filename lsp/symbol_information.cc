#include "lsp/symbol_information.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/position.h"

namespace symbols::lsp {
namespace {

using Symbols = std::vector<DocumentSymbol>;
using Index = std::int32_t;
using Indexes = std::vector<Index>;

const DocumentSymbol& at(const Symbols& symbols, Index index) {
  return symbols[static_cast<std::size_t>(index)];
}

// What contains a symbol comes before it: it starts earlier, or at the same place and ends no earlier.
bool comes_before(const Symbols& symbols, Index a, Index b) {
  const Range& x = at(symbols, a).range;
  const Range& y = at(symbols, b).range;
  return std::tie(x.start, y.end, a) < std::tie(y.start, x.end, b);
}

// Parents by containment only. `order` is by place.
Indexes parents_by_range(const Symbols& symbols, const Indexes& order) {
  Indexes parents(symbols.size(), -1);
  Indexes open;
  for (const Index index : order) {
    while (!open.empty() && !contains(at(symbols, open.back()).range, at(symbols, index).range))
      open.pop_back();
    if (!open.empty()) parents[static_cast<std::size_t>(index)] = open.back();
    open.push_back(index);
  }
  return parents;
}

// The parent among the symbols that have the name of its container, which are in order; -1 if there is no
// other.
Index choose_parent(const Symbols& symbols, const Indexes& candidates, Index index) {
  // Real files have fewer symbols of one name around each other; without a limit thousands would take
  // quadratic time.
  constexpr std::ptrdiff_t max_compared = 256;
  const auto behind = std::ranges::lower_bound(candidates, index,
                                               [&](Index a, Index b) { return comes_before(symbols, a, b); });
  // The smallest of those that contain it comes last.
  auto around = behind;
  for (auto left = std::min(behind - candidates.begin(), max_compared); left > 0; --left) {
    if (contains(at(symbols, *--around).range, at(symbols, index).range)) return *around;
  }
  if (behind != candidates.begin()) return *(behind - 1);
  const auto after = behind != candidates.end() && *behind == index ? behind + 1 : behind;
  return after == candidates.end() ? -1 : *after;
}

// Parents by containerName. `order` is by place.
Indexes parents_by_name(const Symbols& symbols, const Indexes& order) {
  std::unordered_map<std::string_view, Indexes> by_name;
  for (const Index index : order) by_name[at(symbols, index).name].push_back(index);
  Indexes parents(symbols.size(), -1);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto named = by_name.find(symbols[i].container_name);
    if (symbols[i].container_name.empty() || named == by_name.end()) continue;
    parents[i] = choose_parent(symbols, named->second, static_cast<Index>(i));
  }
  // A containerName may point forward, and two of them at each other. The symbol that closes a cycle becomes
  // a root.
  Indexes visited_by(parents.size(), -1);
  for (Index start = 0; start < static_cast<Index>(parents.size()); ++start) {
    for (Index i = start; i >= 0 && visited_by[static_cast<std::size_t>(i)] < 0;) {
      visited_by[static_cast<std::size_t>(i)] = start;
      Index& parent = parents[static_cast<std::size_t>(i)];
      if (parent >= 0 && visited_by[static_cast<std::size_t>(parent)] == start) parent = -1;
      i = parent;
    }
  }
  return parents;
}

// Pre-order of a forest without cycles, with siblings in their present order.
SymbolTree in_pre_order(Symbols symbols, const Indexes& parents) {
  std::vector<Indexes> children(symbols.size() + 1);  // the last entry: the roots
  for (Index i = static_cast<Index>(symbols.size()) - 1; i >= 0; --i) {
    const Index parent = parents[static_cast<std::size_t>(i)];
    children[parent < 0 ? symbols.size() : static_cast<std::size_t>(parent)].push_back(i);
  }
  SymbolTree tree;
  tree.symbols.reserve(symbols.size());
  Indexes place(symbols.size(), -1);
  Indexes stack = children.back();  // reversed, so that the first one is on top
  while (!stack.empty()) {
    const auto index = static_cast<std::size_t>(stack.back());
    stack.pop_back();
    DocumentSymbol& symbol = tree.symbols.emplace_back(std::move(symbols[index]));
    symbol.parent = parents[index] < 0 ? -1 : place[static_cast<std::size_t>(parents[index])];
    if (symbol.parent >= 0) symbol.container_name.clear();
    place[index] = static_cast<Index>(tree.symbols.size()) - 1;
    stack.insert(stack.end(), children[index].begin(), children[index].end());
  }
  return tree;
}

void append_position(std::string& out, const Position& position) {
  out += R"({"line":)";
  append_number(out, position.line);
  out += R"(,"character":)";
  append_number(out, position.character);
  out += '}';
}

}  // namespace

SymbolTree nest_flat_symbols(Symbols symbols, std::string_view document_text) {
  const PositionIndex text(document_text);
  for (DocumentSymbol& symbol : symbols) {
    symbol.selection_range =
        text.find(symbol.name, symbol.range).value_or(Range{symbol.range.start, symbol.range.start});
  }
  Indexes order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](Index a, Index b) { return comes_before(symbols, a, b); });
  const bool names_containers = std::ranges::any_of(
      symbols, [](const DocumentSymbol& symbol) { return !symbol.container_name.empty(); });
  const Indexes parents =
      names_containers ? parents_by_name(symbols, order) : parents_by_range(symbols, order);
  return in_pre_order(std::move(symbols), parents);
}

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
    const std::string& container =
        symbol.parent < 0 ? symbol.container_name : at(tree.symbols, symbol.parent).name;
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
