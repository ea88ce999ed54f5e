#include "table/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/text.h"
#include "table/escape.h"

namespace symbols::table {
namespace {

constexpr std::int64_t max_memory = std::int64_t{8} << 20;  // of a regular expression

bool passes(const lsp::DocumentSymbol& symbol, const Selection& selection) {
  const auto& kinds = selection.kinds;
  if (!kinds.empty() && std::ranges::find(kinds, symbol.kind) == kinds.end()) return false;
  return selection.match == nullptr || RE2::PartialMatch(symbol.name, *selection.match);
}

// The rows that pass the filter, and all their ancestors.
std::vector<std::size_t> passing_rows(const SymbolRows& all, const Selection& selection) {
  std::vector<bool> keeps(all.size());
  for (std::size_t row = keeps.size(); row-- > 0;) {
    if (!keeps[row] && !passes(all.all[row], selection)) continue;
    keeps[row] = true;
    if (const auto parent = parent_row(all, row)) keeps[*parent] = true;
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < keeps.size(); ++row) {
    if (keeps[row]) rows.push_back(row);
  }
  return rows;
}

std::strong_ordering compare(Field field, const Row& one, const Row& other) {
  const auto by = [&](const auto& of) { return of(one) <=> of(other); };
  switch (field) {
    case Field::kind:
      return one.kind <=> other.kind;
    case Field::range:
      return by([](const Row& row) { return std::pair(row.range.start, row.range.end); });
    case Field::selection:
      return by([](const Row& row) { return std::pair(row.selection_range.start, row.selection_range.end); });
    case Field::parent:
      return one.container_name <=> other.container_name;  // siblings have the same parent
    case Field::lines:
      return by([](const Row& row) { return std::pair(row.range.start.line, row.range.end.line); });
    case Field::tags:
      return one.tags <=> other.tags;
    case Field::depth:     // that of siblings is the same
    case Field::children:  // which sorted_rows() counts
      return std::strong_ordering::equal;
    default:
      return *text_of(one, field) <=> *text_of(other, field);
  }
}

// The rows in their new order: each directly before its children, siblings by `keys`.
std::vector<std::size_t> sorted_rows(const SymbolRows& unsorted, const std::vector<SortKey>& keys) {
  const std::size_t count = unsorted.size();
  std::vector<std::vector<std::size_t>> children(count + 1);  // of each row; at the end those at top level
  for (std::size_t row = 0; row < count; ++row)
    children[parent_row(unsorted, row).value_or(count)].push_back(row);
  const std::vector<std::uint32_t> counts = child_counts(unsorted);
  const auto before = [&](std::size_t one, std::size_t other) {
    for (const SortKey& key : keys) {
      const std::strong_ordering order = key.field == Field::children
                                             ? counts[one] <=> counts[other]
                                             : compare(key.field, unsorted.all[one], unsorted.all[other]);
      if (order != 0) return key.descending ? order > 0 : order < 0;
    }
    return false;
  };
  for (std::vector<std::size_t>& siblings : children) std::ranges::stable_sort(siblings, before);

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

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  constexpr std::string_view space_or_tab = " \t";
  std::vector<std::string> words;
  if (trim(text, space_or_tab).empty()) return words;
  const std::string ended = std::string(text) + ',';
  for (const std::string_view word : split(ended, ',')) words.emplace_back(trim(word, space_or_tab));
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
      return Error{fmt::format("{} cannot be {}", option, table::quoted(word)),
                   "give numbers or words:" + names};
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

Result<std::shared_ptr<const Pattern>> parse_match(std::string_view option, std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(max_memory);
  auto expression = std::make_shared<const Pattern>(text, options);
  if (expression->ok()) return expression;
  return Error{fmt::format("{} cannot be {}: {}", option, quoted(text), escaped(expression->error())),
               "give a regular expression in RE2's syntax"};
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
      std::vector<std::string_view> sortable;
      for (const Field one : all_fields) {
        if (!needs_hover(one)) sortable.push_back(field_name(one));
      }
      return Error{
          fmt::format("{} cannot be {}{}", option, table::quoted(word), reason),
          fmt::format("give {}, each with - before it for descending order or +", fmt::join(sortable, " "))};
    }
    keys.push_back({*field, descending});
  }
  return keys;
}

SymbolRows select(SymbolRows rows, const Selection& selection, std::string_view document_text) {
  if (selection.filters()) {
    const std::vector<std::size_t> passing = passing_rows(rows, selection);
    rows = only_rows(std::move(rows), passing);
  }
  // Sorted rows do not follow one another as in the file.
  if (selection.fold) rows = fold_locals(std::move(rows), document_text, selection.sort.empty());
  rows = limit_levels(std::move(rows), selection.levels);
  if (selection.sort.empty()) return rows;
  const std::vector<std::size_t> sorted = sorted_rows(rows, selection.sort);
  return only_rows(std::move(rows), sorted);
}

}  // namespace symbols::table
