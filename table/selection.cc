#include "table/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>

#include "table/escape.h"
#include "table/fold.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

bool passes(const lsp::DocumentSymbol& symbol, const Selection& selection) {
  const auto& kinds = selection.kinds;
  if (!kinds.empty() && std::ranges::find(kinds, symbol.kind) == kinds.end()) return false;
  return selection.match == nullptr || selection.match->matches(symbol.name);
}

// The rows that pass the filter, and all their ancestors.
std::vector<std::size_t> passing_rows(const lsp::SymbolTree& tree, const Selection& selection) {
  std::vector<bool> keeps(tree.symbols.size());
  for (std::size_t row = keeps.size(); row-- > 0;) {
    if (!keeps[row] && !passes(tree.symbols[row], selection)) continue;
    keeps[row] = true;
    if (const auto parent = parent_row(tree, row)) keeps[*parent] = true;
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < keeps.size(); ++row) {
    if (keeps[row]) rows.push_back(row);
  }
  return rows;
}

// Compares rows of one tree by one key after another.
class RowOrder {
 public:
  RowOrder(const LimitedTree& limited, const std::vector<SortKey>& keys)
      : tree_(limited.tree), keys_(keys), children_(child_counts(limited.tree, limited.left_out)) {}
  RowOrder(const RowOrder&) = delete;  // std::sort would copy its vector many times
  RowOrder& operator=(const RowOrder&) = delete;

  bool operator()(std::size_t first, std::size_t second) const {
    for (const SortKey& key : keys_) {
      const std::strong_ordering order = compare(key.field, first, second);
      if (order != 0) return key.descending ? order > 0 : order < 0;
    }
    return false;
  }

 private:
  std::strong_ordering compare(Field field, std::size_t first, std::size_t second) const {
    const lsp::DocumentSymbol& one = tree_.symbols[first];
    const lsp::DocumentSymbol& other = tree_.symbols[second];
    switch (field) {
      case Field::name:
        return one.name <=> other.name;
      case Field::kind:
        return one.kind <=> other.kind;
      case Field::range:
        return std::tie(one.range.start, one.range.end) <=> std::tie(other.range.start, other.range.end);
      case Field::selection:
        return std::tie(one.selection_range.start, one.selection_range.end) <=>
               std::tie(other.selection_range.start, other.selection_range.end);
      case Field::parent:
        return one.container_name <=> other.container_name;  // siblings have the same parent
      case Field::detail:
        return one.detail <=> other.detail;
      case Field::lines:
        return std::tie(one.range.start.line, one.range.end.line) <=>
               std::tie(other.range.start.line, other.range.end.line);
      case Field::children:
        return children_[first] <=> children_[second];
      case Field::tags:
        return one.tags <=> other.tags;
      case Field::depth:  // that of siblings is the same
      case Field::hover:
      case Field::signature:
      case Field::doc:
        break;
    }
    return std::strong_ordering::equal;
  }

  const lsp::SymbolTree& tree_;
  const std::vector<SortKey>& keys_;
  std::vector<std::uint32_t> children_;
};

// The rows in their new order: each directly before its children, siblings by `keys`.
std::vector<std::size_t> sorted_rows(const LimitedTree& limited, const std::vector<SortKey>& keys) {
  const std::size_t count = limited.tree.symbols.size();
  std::vector<std::vector<std::size_t>> children(count + 1);  // of each row; at the end those at top level
  for (std::size_t row = 0; row < count; ++row) {
    children[parent_row(limited.tree, row).value_or(count)].push_back(row);
  }
  const RowOrder order(limited, keys);
  for (std::vector<std::size_t>& siblings : children) std::ranges::stable_sort(siblings, std::ref(order));

  std::vector<std::size_t> rows;
  rows.reserve(count);
  std::vector<std::size_t> waiting(children[count].rbegin(), children[count].rend());  // the next on top
  while (!waiting.empty()) {
    const std::size_t row = waiting.back();
    waiting.pop_back();
    rows.push_back(row);
    waiting.insert(waiting.end(), children[row].rbegin(), children[row].rend());
  }
  return rows;
}

std::string sortable_fields() {
  std::string names;
  for (const Field field : all_fields) {
    if (needs_hover(field)) continue;
    names += names.empty() ? "" : " ";
    names += field_name(field);
  }
  return names;
}

}  // namespace

Levels levels_to_keep(std::optional<Levels> asked, Levels otherwise, bool filters) {
  if (asked) return *asked;
  return filters ? Levels{Levels::Rule::all, 0} : otherwise;
}

std::vector<std::string> split_list(std::string_view text) {
  constexpr std::string_view space_or_tab = " \t";
  std::vector<std::string> words;
  if (text.find_first_not_of(space_or_tab) == std::string_view::npos) return words;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    std::string_view word = text.substr(start, comma - start);
    word.remove_prefix(std::min(word.find_first_not_of(space_or_tab), word.size()));
    word = word.substr(0, word.find_last_not_of(space_or_tab) + 1);
    words.emplace_back(word);
    start = comma + 1;
  }
  return words;
}

Result<std::vector<std::int64_t>> parse_kinds(std::string_view option,
                                              const std::vector<std::string>& words) {
  std::vector<std::int64_t> kinds;
  for (const std::string& word : words) {
    const std::optional<std::int64_t> kind = find_kind(word);
    if (!kind) {
      std::string names;
      for (std::int64_t number = 1; number <= 26; ++number) names += ' ' + kind_name(number);
      return Error{fmt::format("{} cannot be {}", option, quoted(word)), "give numbers or words:" + names};
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

Result<std::vector<SortKey>> parse_sort(std::string_view option, const std::vector<std::string>& words) {
  std::vector<SortKey> keys;
  for (const std::string& word : words) {
    std::string_view name = word;
    const bool descending = name.starts_with('-');
    if (descending || name.starts_with('+')) name.remove_prefix(1);
    const std::optional<Field> field = find_field(name);
    if (!field || needs_hover(*field)) {
      const std::string_view reason =
          field ? ", which is taken from the hover: rows are sorted before hovers arrive" : "";
      return Error{
          fmt::format("{} cannot be {}{}", option, quoted(word), reason),
          fmt::format("give {}, each with - before it for descending order or +", sortable_fields())};
    }
    keys.push_back({*field, descending});
  }
  return keys;
}

LimitedTree select(LimitedTree tree, const Selection& selection, std::string_view document_text) {
  if (selection.filters()) {
    const std::vector<std::size_t> passing = passing_rows(tree.tree, selection);
    tree = only_rows(std::move(tree), passing);
  }
  // Sorted rows do not follow one another as in the file.
  if (selection.fold) tree = fold_locals(std::move(tree), document_text, selection.sort.empty());
  tree = limit_levels(std::move(tree), selection.levels);
  if (selection.sort.empty()) return tree;
  const std::vector<std::size_t> sorted = sorted_rows(tree, selection.sort);
  return only_rows(std::move(tree), sorted);
}

SymbolRows selected_rows(SymbolRows rows, const Selection& selection, std::string_view document_text) {
  LimitedTree limited = select({std::move(rows.tree), std::move(rows.folded)}, selection, document_text);
  rows.tree = std::move(limited.tree);
  rows.hovers = values_of(std::move(rows.hovers), limited.kept);
  rows.hover_parts = values_of(std::move(rows.hover_parts), limited.kept);
  rows.left_out = std::move(limited.left_out);
  rows.folded = std::move(limited.folded);
  return rows;
}

}  // namespace symbols::table
