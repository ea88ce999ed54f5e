// Which rows an answer has, and in which order (docs/spec.md, section 4): the options `filter_kind`, `match`,
// `return_children` and `sort_by`. Selecting comes before the hovers are asked for, which cost a request
// each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "table/field.h"
#include "table/pattern.h"
#include "table/rows.h"

namespace symbols::table {

// One element of `sort_by`.
struct SortKey {
  Field field = Field::name;
  bool descending = false;

  bool operator==(const SortKey&) const = default;
};

struct Selection {
  std::vector<std::int64_t> kinds{};       // symbols of these; empty: of any
  std::shared_ptr<const Pattern> match{};  // whose name matches; null: any name
  Levels levels{};                         // see levels_to_keep
  std::vector<SortKey> sort{};             // the first decides, the next where it is equal; empty: none

  bool filters() const { return !kinds.empty() || match != nullptr; }
};

// The levels that an answer has: those that were asked for; where none were, all if a filter looks for
// symbols wherever they are, else `otherwise`.
Levels levels_to_keep(std::optional<Levels> asked, Levels otherwise, bool filters);

// The words of an option that is a list, given as one text: separated by commas, blanks around them taken
// off. No words in an empty text.
std::vector<std::string> split_list(std::string_view text);

// The words of `filter_kind`: LSP's names of kinds, in any case, or their numbers. `option` is what the user
// knows it as; the error names it, the word and what is allowed.
Result<std::vector<std::int64_t>> parse_kinds(std::string_view option, const std::vector<std::string>& words);

// The words of `sort_by`: names of fields, after `-` descending, after `+` or nothing ascending. Fields that
// are taken from the hover cannot be sorted by, as rows are selected before there are hovers. The error names
// option, word and what is allowed.
Result<std::vector<SortKey>> parse_sort(std::string_view option, const std::vector<std::string>& words);

// Keeps the symbols that pass the filter with all their ancestors, of these the levels asked for (counted
// from the top of the tree, so that an ancestor may be what is left of a match; `auto` counts the rows that
// passed), and sorts siblings. Equal ones keep the server's order. Names are compared by code points, kinds
// as numbers, ranges by start, then end; `lines` likewise without the characters; `children` counts those
// that are kept.
//
// In LimitedTree::kept the original indices are in the order of the new rows, so they are ascending only
// where nothing is sorted. Takes n log n time; the tree's depth costs no stack.
LimitedTree select(lsp::SymbolTree tree, const Selection& selection);

// The same of rows, which keep what they have beside the tree.
SymbolRows selected_rows(SymbolRows rows, const Selection& selection);

}  // namespace symbols::table
