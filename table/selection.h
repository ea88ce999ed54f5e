// Which rows an answer has, and in which order (docs/spec.md, section 4): the options `filter_kind`, `match`,
// `return_children` and `sort_by`. Selecting comes before the hover requests, so dropped symbols need none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/rows.h"

namespace re2 {
class RE2;
}

namespace symbols::table {

// A regular expression for names, with parse_match.
using Pattern = re2::RE2;

// One element of `sort_by`.
struct SortKey {
  Field field = Field::name;
  bool descending = false;

  bool operator==(const SortKey&) const = default;
};

struct Selection {
  std::vector<std::int64_t> kinds{};       // symbols of these; empty: of any
  std::shared_ptr<const Pattern> match{};  // whose name matches; null: any name
  Levels levels{};
  std::vector<SortKey> sort{};  // later keys decide between equal ones; empty: no sorting
  bool fold = false;            // fold_locals, after the filter

  bool filters() const { return !kinds.empty() || match != nullptr; }
};

// The option `fold` (docs/spec.md, section 4), of runs of constants and enum members only if `shorten_runs`.
// Counts what it leaves out in Row::folded; of the rows for one macro (clangd's), which have the same
// selection, leaves one for each symbol that the macro declares, called as that symbol; leaves out imports if
// `document_text` (UTF-8; empty if unknown) has them. What was folded before counts too.
SymbolRows fold_locals(SymbolRows rows, std::string_view document_text = {}, bool shorten_runs = true);

// The words of an option that is a list, given as one text: separated by commas, without surrounding spaces.
// An empty text has no words.
std::vector<std::string> split_list(std::string_view text);

// The words of `filter_kind`: LSP's names of kinds, in any case, or their numbers. The user knows it as
// `option`; the error names it, the word and the allowed values.
Result<std::vector<std::int64_t>> parse_kinds(std::string_view option, const std::vector<std::string>& words);

// The option `match`, which the user knows as `option`, in RE2's syntax: it takes time linear in a name,
// whatever the expression, and no stack. Error: RE2's reason, also if that would need more than 8 MiB.
Result<std::shared_ptr<const Pattern>> parse_match(std::string_view option, std::string_view text);

// The words of `sort_by`: names of fields, after `-` descending, after `+` or nothing ascending. Fields from
// the hover are not allowed, because rows are selected before there are hovers. The error names option, word
// and the allowed values.
Result<std::vector<SortKey>> parse_sort(std::string_view option, const std::vector<std::string>& words);

// Keeps the symbols that pass the filter and all their ancestors, folds these if that is requested
// (`document_text` as for fold_locals), keeps only the requested levels, and sorts siblings. Levels count
// from the top of the tree, so a match may be cut and its ancestor remain; `auto` counts the rows that
// passed. Equal siblings keep the server's order. Names are compared by code points, kinds as numbers, ranges
// by start, then end; `children` counts the kept ones. Takes n log n time; the tree's depth costs no stack.
SymbolRows select(SymbolRows rows, const Selection& selection, std::string_view document_text = {});

}  // namespace symbols::table
