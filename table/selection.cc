#include "table/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>

#include "table/escape.h"
#include "table/fold.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

// The index of the parent, if it is one: SymbolTree promises a smaller one.
std::optional<std::size_t> parent_of(const lsp::SymbolTree& tree, std::size_t row) {
  const auto parent = static_cast<std::size_t>(tree.symbols[row].parent);  // -1 becomes larger than any row
  if (parent < row) return parent;
  return {};
}

bool passes(const lsp::DocumentSymbol& symbol, const Selection& selection) {
  const auto& kinds = selection.kinds;
  if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), symbol.kind) == kinds.end()) return false;
  return selection.match == nullptr || selection.match->matches(symbol.name);
}

LimitedTree filter(lsp::SymbolTree tree, const Selection& selection) {
  std::vector<bool> keeps(tree.symbols.size());
  for (std::size_t row = tree.symbols.size(); row-- > 0;) {
    if (!keeps[row] && !passes(tree.symbols[row], selection)) continue;
    keeps[row] = true;
    if (const auto parent = parent_of(tree, row)) keeps[*parent] = true;
  }
  LimitedTree filtered;
  std::vector<std::int32_t> new_index(tree.symbols.size(), -1);
  for (std::size_t row = 0; row < tree.symbols.size(); ++row) {
    if (!keeps[row]) continue;
    new_index[row] = static_cast<std::int32_t>(filtered.kept.size());
    filtered.kept.push_back(row);
    const auto parent = parent_of(tree, row);
    lsp::DocumentSymbol& symbol = filtered.tree.symbols.emplace_back(std::move(tree.symbols[row]));
    symbol.parent = parent ? new_index[*parent] : -1;
  }
  return filtered;
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
  static std::strong_ordering compare_ranges(const lsp::Range& first, const lsp::Range& second) {
    const std::strong_ordering order = first.start <=> second.start;
    return order != 0 ? order : first.end <=> second.end;
  }

  std::strong_ordering compare(Field field, std::size_t first, std::size_t second) const {
    const lsp::DocumentSymbol& one = tree_.symbols[first];
    const lsp::DocumentSymbol& other = tree_.symbols[second];
    switch (field) {
      case Field::name:
        return one.name <=> other.name;
      case Field::kind:
        return one.kind <=> other.kind;
      case Field::range:
        return compare_ranges(one.range, other.range);
      case Field::selection:
        return compare_ranges(one.selection_range, other.selection_range);
      case Field::parent:
        return one.container_name <=> other.container_name;  // siblings have the same parent
      case Field::detail:
        return one.detail <=> other.detail;
      case Field::lines: {
        const std::strong_ordering order = one.range.start.line <=> other.range.start.line;
        return order != 0 ? order : one.range.end.line <=> other.range.end.line;
      }
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
std::vector<std::size_t> sorted_order(const LimitedTree& limited, const std::vector<SortKey>& keys) {
  const lsp::SymbolTree& tree = limited.tree;
  const std::size_t rows = tree.symbols.size();
  // Siblings are adjacent in `siblings`: those of row r from first[r + 1] to first[r + 2], those at top level
  // before them all.
  std::vector<std::size_t> first(rows + 2, 0);
  const auto family = [&](std::size_t row) {
    const auto parent = parent_of(tree, row);
    return parent ? *parent + 1 : 0;
  };
  for (std::size_t row = 0; row < rows; ++row) ++first[family(row) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<std::size_t> siblings(rows);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) siblings[next[family(row)]++] = row;

  const RowOrder order(limited, keys);
  const auto before = [&order](std::size_t one, std::size_t other) { return order(one, other); };
  const auto at = [&](std::size_t index) { return siblings.begin() + static_cast<std::ptrdiff_t>(index); };
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    if (first[i + 1] - first[i] > 1) std::stable_sort(at(first[i]), at(first[i + 1]), before);
  }

  std::vector<std::size_t> result;
  result.reserve(rows);
  std::vector<std::size_t> waiting;  // the next on top
  const auto add_family = [&](std::size_t index) {
    for (std::size_t i = first[index + 1]; i-- > first[index];) waiting.push_back(siblings[i]);
  };
  add_family(0);
  while (!waiting.empty()) {
    const std::size_t row = waiting.back();
    waiting.pop_back();
    result.push_back(row);
    add_family(row + 1);
  }
  return result;
}

LimitedTree sort(LimitedTree limited, const std::vector<SortKey>& keys) {
  const std::vector<std::size_t> order = sorted_order(limited, keys);
  std::vector<std::int32_t> new_index(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) new_index[order[i]] = static_cast<std::int32_t>(i);
  LimitedTree sorted;
  sorted.tree.symbols.reserve(order.size());
  sorted.kept.reserve(order.size());
  for (const std::size_t row : order) {
    const auto parent = parent_of(limited.tree, row);
    lsp::DocumentSymbol& symbol = sorted.tree.symbols.emplace_back(std::move(limited.tree.symbols[row]));
    symbol.parent = parent ? new_index[*parent] : -1;
    sorted.kept.push_back(limited.kept[row]);
    if (!limited.left_out.empty()) sorted.left_out.push_back(limited.left_out[row]);
    if (!limited.folded.empty()) sorted.folded.push_back(limited.folded[row]);
  }
  return sorted;
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

LimitedTree select(lsp::SymbolTree tree, const Selection& selection, std::string_view document_text,
                   const std::vector<Folded>& before) {
  LimitedTree selected;
  selected.tree = std::move(tree);
  bool all = true;  // the rows of selected.tree, where they stood
  // One step after the other, each of which counts rows as the one before has left them.
  const auto narrow = [&](LimitedTree next) {
    if (!all) {
      for (std::size_t& row : next.kept) row = selected.kept[row];
    }
    all = false;
    selected = std::move(next);
  };
  std::vector<Folded> folded = before;
  folded.resize(before.empty() ? 0 : selected.tree.symbols.size());
  if (selection.filters()) {
    narrow(filter(std::move(selected.tree), selection));
    std::vector<Folded> kept;
    for (const std::size_t row : selected.kept) {
      if (!folded.empty()) kept.push_back(folded[row]);
    }
    folded = std::move(kept);
  }
  if (selection.fold) {
    // Sorted rows do not follow one another as in the file.
    narrow(fold_locals(std::move(selected.tree), document_text, selection.sort.empty(), folded));
    folded = std::move(selected.folded);
  }
  LimitedTree limited = limit_levels(std::move(selected.tree), selection.levels);
  for (const std::size_t row : limited.kept) {
    if (!folded.empty()) limited.folded.push_back(folded[row]);
  }
  narrow(std::move(limited));
  if (!selection.sort.empty()) selected = sort(std::move(selected), selection.sort);
  return selected;
}

SymbolRows selected_rows(SymbolRows rows, const Selection& selection, std::string_view document_text) {
  LimitedTree limited = select(std::move(rows.tree), selection, document_text, rows.folded);
  const auto keep = [&limited](auto& all) {
    std::remove_reference_t<decltype(all)> kept;
    // Missing hovers at the end are empty.
    for (const std::size_t row : limited.kept) {
      kept.push_back(row < all.size() ? std::move(all[row]) : typename decltype(kept)::value_type());
    }
    all = std::move(kept);
  };
  if (!rows.hovers.empty()) keep(rows.hovers);
  if (!rows.hover_parts.empty()) keep(rows.hover_parts);
  rows.tree = std::move(limited.tree);
  rows.left_out = std::move(limited.left_out);
  rows.folded = std::move(limited.folded);
  return rows;
}

}  // namespace symbols::table
