// Everything about one symbol as one text (docs/spec.md, section 6, `symbols context`; docs/proxy.md,
// "Everything about one symbol"): its rows as a table, then the other parts, each under a heading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lsp/position.h"
#include "lsp/replies.h"
#include "table/budget.h"
#include "table/diagnostics_text.h"
#include "table/formats/pretty_format.h"
#include "table/rows.h"

namespace symbols::table {

// The limit of each part; 0 leaves it out.
struct ContextLimits {
  std::size_t children = 100;  // rows
  std::size_t source = 40;     // lines
  std::size_t references = 10;
  std::size_t callers = 5;
  std::size_t diagnostics = 5;
  // Off by default.
  std::size_t implementations = 0;
  std::size_t callees = 0;
  std::size_t supertypes = 0;
  std::size_t subtypes = 0;

  // Whether a part is wanted that may be found in any file of the project.
  bool searches_files() const { return references + callers + implementations + subtypes > 0; }
  bool operator==(const ContextLimits&) const = default;
};

// The lines of a symbol, up to the limit.
struct SourceLines {
  std::uint32_t first = 0;         // zero-based
  std::vector<std::string> lines;  // without line ends, valid UTF-8, not yet escaped
  std::size_t total = 0;           // lines of the symbol
};

struct SymbolContext {
  SymbolRows rows;                 // the symbol itself, at top level, and those below it
  std::size_t children_total = 0;  // rows below it without a limit
  bool children_given_up = false;  // for a budget: reported even if none is left
  std::string signature;           // the hover of the symbol's row without its prose, for a budget
  bool kind_names = false;         // of the rows and the callers: words instead of numbers
  bool positions = false;          // of the rows: View::positions
  std::string hover_failure;       // why the symbol's row has no hover; empty if that is not a failure
  // Whether there may be more of what is in other files, as the headings say it, escaped: "open files only".
  std::string completeness{};
  // The same of implementations and subtypes, which need not mention the symbol's name.
  std::string types_completeness{};
  // Set: as people and models read it, with paths from this folder, which is absolute.
  std::optional<std::string> outline_folder{};
  std::optional<PrettyStyle> page{};  // with outline_folder: for a terminal
  std::string uri{};                  // of the document; shown with outline_folder
  ContextPart<SourceLines> source{};
  ContextPart<lsp::LocationList> references{};
  ContextPart<lsp::LocationList> implementations{};
  ContextPart<lsp::HierarchyList> callers{};
  ContextPart<lsp::HierarchyList> callees{};  // their calls are in the symbol's own document
  ContextPart<lsp::HierarchyList> supertypes{};
  ContextPart<lsp::HierarchyList> subtypes{};
  Diagnostics diagnostics{};  // of the whole document
};

// Sets the rows of `context`: symbol `index` of the tree and at most `most` of the symbols below it, down to
// `levels` (top level: none; absent: its children). Its parent's name is its container_name.
void set_context_rows(SymbolContext& context, const lsp::SymbolTree& tree, std::size_t index,
                      std::optional<Levels> levels, std::size_t most);

// `path`, absolute, from `folder` if it is shorter that way; an empty folder is not known.
std::string path_from(const std::string& folder, const std::string& path);

// The lines that `range` touches, at most `most` of them, each cut at 400 characters. A longer line in which
// the range starts is shown from there. None if the text has no such lines.
std::optional<SourceLines> source_lines(const lsp::PositionIndex& text, const lsp::Range& range,
                                        std::size_t most);

// The text, valid UTF-8, without a newline at its end. Text from servers and files is escaped as in the
// table's cells (in source lines `|` is not). Positions are zero-based, as in the table:
//
//   the rows as a table
//   # children 100 of 320                       only if they were cut
//   # hover: why there is none
//   # source 24:0-27:1                          then `LINE:text`; `…, 40 of 67 lines` if it was cut
//   # references 10 of 37, open files only      then `path | range range …`, in order; so implementations
//   # callers 1                                 then `name | kind | selection | ranges of the calls | path`;
//                                               so callees, supertypes and subtypes, these without calls
//   # diagnostics 2                             then `range | severity | message | source code`
//
// A line of places that name another declaration of the symbol (lsp::Location::named) ends in
// ` | names PATH POSITION`.
//
// With `outline_folder` the rows are a tree, lines count from 1, a path is from there if that is shorter, and
// each line of references and callers is there once: `path: line line …`, `name path:line: line line …`;
// callees and types are `name path:line`; another declaration is ` (names path:line)`.
// Source lines follow a space, with their tabs and backslashes; diagnostics are those of pretty_format.h.
//
// With `page` as well, the rows are those of pretty_format.h, with the symbol's hover below its row. Source
// lines that are wider than the page end in `…`; other lines are broken at spaces, never within a word.
//
// A failed part is only its heading with the reason: `# callers: not offered by the server`. A heading starts
// with `# ` and contains no ` | `; no name, path, line or message can look like one.
std::string write_context(const SymbolContext& context);

// The context in at most `max_tokens` (estimated; docs/spec.md, section 5). Dropped are, in this order and
// only as far as needed, one by one from the end: the hovers of the children; the children; source lines;
// references; implementations; callers; callees; supertypes; subtypes; diagnostics; then the prose of the
// symbol's hover; then the characters of its signature. What the last of them leaves of the budget goes to
// the ones before. A heading stays and has the full count (`# references 0 of 37`); the last line lists
// what is missing. What is never dropped takes about 150 tokens: the symbol's row without a hover, the
// headings, the reasons of parts that failed, and the notice.
BudgetedText fit_context(SymbolContext context, TokenLimit max_tokens);

}  // namespace symbols::table
