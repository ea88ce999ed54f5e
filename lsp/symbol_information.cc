#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
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
using Index = std::int32_t;
using Indexes = std::vector<Index>;
using IndexesByName = std::unordered_map<std::string_view, Indexes>;

const DocumentSymbol& at(const Symbols& symbols, Index index) {
  return symbols[static_cast<std::size_t>(index)];
}

// What contains a symbol comes before it: it starts earlier, or at the same place and ends no earlier.
bool comes_before(const Symbols& symbols, Index a, Index b) {
  const Range& x = at(symbols, a).range;
  const Range& y = at(symbols, b).range;
  return std::tie(x.start, y.end, a) < std::tie(y.start, x.end, b);
}

// Parents by containment only.
Indexes parents_by_range(const Symbols& symbols) {
  Indexes order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](Index a, Index b) { return comes_before(symbols, a, b); });
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

// Ancestors, and symbols of one name, that are compared with a symbol. Real files have fewer; without a limit
// a chain of thousands would take quadratic time.
constexpr std::ptrdiff_t max_compared = 256;

// Resolves containerNames in the server's order, keeping the path from the root to the previous symbol.
class ContainerResolver {
 public:
  explicit ContainerResolver(const Symbols& symbols) : symbols_(symbols), parents_(symbols.size(), -1) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      by_name_[symbols[i].name].push_back(static_cast<Index>(i));
  }

  Indexes resolve() && {
    for (Index i = 0; i < static_cast<Index>(symbols_.size()); ++i) {
      const Index parent = parent_of(i);
      parents_[static_cast<std::size_t>(i)] = parent;
      move_path_to(i, parent);
    }
    break_cycles();
    return std::move(parents_);
  }

 private:
  Index parent_of(Index index) {
    const DocumentSymbol& symbol = at(symbols_, index);
    if (symbol.container_name.empty()) return -1;
    const auto named = by_name_.find(symbol.container_name);
    if (named == by_name_.end()) return -1;

    Index deepest = -1;  // on the path
    const auto last = path_.rbegin() + std::min(std::ssize(path_), max_compared);
    for (auto candidate = path_.rbegin(); candidate != last; ++candidate) {
      if (at(symbols_, *candidate).name != symbol.container_name) continue;
      if (contains(at(symbols_, *candidate).range, symbol.range)) return *candidate;
      if (deepest < 0) deepest = *candidate;
    }
    if (const Index elsewhere = smallest_around(named->second, index); elsewhere >= 0) return elsewhere;
    return deepest >= 0 ? deepest : nearest(named->second, index);
  }

  // -1 if none of the candidates contains it. Of two symbols with the same range that name each other, the
  // first is the outer one, so that neither is its own ancestor.
  Index smallest_around(const Indexes& candidates, Index index) {
    const auto before = [this](Index a, Index b) { return comes_before(symbols_, a, b); };
    Indexes& sorted = sorted_by_name_[at(symbols_, index).container_name];
    if (sorted.empty()) {
      sorted = candidates;
      std::ranges::sort(sorted, before);
    }
    // The smallest of those that contain it comes last.
    auto candidate = std::ranges::lower_bound(sorted, index, before);
    for (auto left = std::min(candidate - sorted.begin(), max_compared); left > 0; --left) {
      if (contains(at(symbols_, *--candidate).range, at(symbols_, index).range)) return *candidate;
    }
    return -1;
  }

  // The last one before, else the first one after. `candidates` ascend.
  static Index nearest(const Indexes& candidates, Index index) {
    const auto from = std::lower_bound(candidates.begin(), candidates.end(), index);
    if (from != candidates.begin()) return *(from - 1);
    const auto after = from != candidates.end() && *from == index ? from + 1 : from;
    return after == candidates.end() ? -1 : *after;
  }

  // The path becomes: parent's path, parent, index.
  void move_path_to(Index index, Index parent) {
    while (!path_.empty() && path_.back() != parent) path_.pop_back();
    if (path_.empty() && parent >= 0) {
      // The parent is elsewhere: takes that one's path. A parent that is still to come has none yet.
      for (Index up = parent; up >= 0 && std::ssize(path_) < max_compared;
           up = parents_[static_cast<std::size_t>(up)]) {
        path_.push_back(up);
      }
      std::ranges::reverse(path_);
    }
    path_.push_back(index);
  }

  // A containerName may point forward, and two of them at each other. The symbol that closes a cycle becomes
  // a root.
  void break_cycles() {
    Indexes visited_by(parents_.size(), -1);
    for (Index start = 0; start < static_cast<Index>(parents_.size()); ++start) {
      Index i = start;
      while (i >= 0 && visited_by[static_cast<std::size_t>(i)] < 0) {
        visited_by[static_cast<std::size_t>(i)] = start;
        Index& parent = parents_[static_cast<std::size_t>(i)];
        if (parent >= 0 && visited_by[static_cast<std::size_t>(parent)] == start) parent = -1;
        i = parent;
      }
    }
  }

  const Symbols& symbols_;
  IndexesByName by_name_;
  IndexesByName sorted_by_name_;  // by comes_before; made when first needed, which is seldom
  Indexes parents_;
  Indexes path_;  // from the root to the previous symbol, inclusive
};

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
  const bool names_containers = std::ranges::any_of(
      symbols, [](const DocumentSymbol& symbol) { return !symbol.container_name.empty(); });
  const Indexes parents = names_containers ? ContainerResolver(symbols).resolve() : parents_by_range(symbols);
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
