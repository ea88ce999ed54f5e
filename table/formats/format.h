// The formats by their names, and the two ways through each of them (docs/spec.md, section 2): rows to text,
// and text back to rows. To add one: here and in format.cc, its own files beside these, and its name in
// options/option_table.cc and the editors' settings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/position.h"
#include "table/budget.h"
#include "table/escape.h"
#include "table/formats/pretty_format.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"

namespace symbols::table {

enum class Format { table, tree, outline, tsv, toon, packed, json, pretty, ndjson };

// Those that a client can ask for. The command line alone offers the others: `pretty` is for people at a
// terminal, `ndjson` for programs that load the rows of many files.
inline constexpr std::array all_formats = {Format::table, Format::tree,   Format::outline, Format::tsv,
                                           Format::toon,  Format::packed, Format::json};

// "table"
std::string_view format_name(Format format);

// The format of that name, of all_formats and `others`, which the command line offers too; `standard` is
// json. `option` is what the user knows it as, for the error.
Result<Format> parse_format(std::string_view option, std::string_view name,
                            std::span<const Format> others = {});

// How rows become the text of an answer.
struct Rendering {
  Format format = Format::table;
  View view{};
  bool counts = false;                     // one line about them instead: verbosity `counts`
  std::optional<TokenLimit> max_tokens{};  // not with json
  PrettyStyle pretty{};                    // with pretty only
  std::string path{};                      // with ndjson only: the file of the rows; empty: not named
};

// The text is valid UTF-8, without a newline at its end; of json and packed pure ASCII. Only with a budget is
// its number of tokens known. `beside`: the rest of the answer. Its lines come after the rows and before the
// line about what the budget left out; json and packed have no place for them.
BudgetedText render(SymbolRows rows, const Rendering& rendering, const BesideRows& beside = {});

// The rows of a text that render() or a person wrote. Error: with line and column; that `outline`,
// `pretty`, `tsv` and `toon` are not read back.
Result<SymbolRows> read_rows(Format format, std::string_view text);

// The formats one by one (guarantees: docs/spec.md, section 2). `pretty` is in pretty_format.h.
//
// Each writer writes the fields that `view` shows: lines joined by one newline, none at the end, valid UTF-8;
// invalid bytes become U+FFFD. Of the line formats, `view.positions` puts the position of a line's first
// symbol before it.
//
// Each reader gives back the rows with what their text holds; fields that it lacks have defaults, and stand
// in SymbolRows::lacking. Text may end in a newline, have CR LF line ends, and a last line `# truncated: …`,
// which is skipped. Errors say where: line and column (in characters), both from 1, and what was expected.

// The fixed words and marks of `table`, which other lines of an answer use too.
inline constexpr CellEscape table_cell_escape("|");
inline constexpr std::string_view table_separator = " | ";
// The last column of a table with HOVER_INFO, and its cells.
inline constexpr std::string_view table_end_title = "EOL";
inline constexpr std::string_view table_end_marker = "<<<";

inline constexpr std::string_view table_header = "NAME | KIND | RANGE | SELECTION | PARENT";
inline constexpr std::string_view table_header_with_hover =
    "NAME | KIND | RANGE | SELECTION | PARENT | HOVER_INFO | EOL";

// One line per row under a header, which is always there (docs/spec.md, section 2, "table").
std::string write_table(const SymbolRows& rows, const View& view);
// Columns may be in any order but for EOL; a kind is a number or a word. Without SELECTION a row gets the
// empty range at its start, without PARENT nesting comes from DEPTH. An empty last cell may lack its trailing
// space, which editors and mail remove.
Result<SymbolRows> read_table(std::string_view text);

// The answer to a textDocument/hover request as a row of the table (docs/spec.md, section 7). Its cells
// before escaping; the text must live only during the call.
struct HoverRow {
  std::string_view name;             // the word at the position
  std::optional<std::int64_t> kind;  // none if no symbol has its selection there
  // Those of the symbol, or the hover's own; none if neither is known.
  std::optional<lsp::Range> range;
  std::optional<lsp::Range> selection;
  std::string_view parent;  // the innermost symbol around the position; empty at top level or if unknown
  std::string_view hover;   // flattened (hover_text.h)
  bool kind_names = false;  // the kind as LSP's word
};

// The header and the row, as write_table() has them; what is absent is empty. With kind, range and selection
// read_table() reads it back, as a symbol at top level with `parent` as its container_name.
std::string write_hover_row(const HoverRow& row);

// A table with tabs between cells and a header of field names. Nothing is quoted.
std::string write_tsv(const SymbolRows& rows, const View& view);

// The view selects the fields, not their order. The nesting shows `parent` in any case; with `parent`, an
// unresolved container_name is a key `in`. Exactly name, kind and range (verbosity `minimal`) give first
// lines without columns, and the last line of symbols of 20 lines and more, or of all with view.all_ends;
// `lines` without `range` give both lines. Row::folded is shown in any case. Without rows the text is empty.
std::string write_tree(const SymbolRows& rows, const View& view);
// What verbosity `signatures` shows, for people and models; nothing reads it back. The signatures are those
// of Row::hover_parts, or of the details where these hold them.
std::string write_tree_signatures(const SymbolRows& rows, const View& view);
// Whether the server's details hold the signatures, so that no hover is needed for them: the detail of a
// function, method or constructor has parameters (gopls, rust-analyzer, clangd).
bool details_hold_signatures(const SymbolRows& rows);
// Derived fields (`lines` beside a range, `depth`, `children`) are skipped; `signature` and `doc` become
// hover_parts. Lines 25-29 are the range 24:0-28:0, which gives the same lines again. Without a range, lines
// or a selection it is 0:0. A text of `minimal` without all last lines lacks lines, but has first_lines.
Result<SymbolRows> read_tree(std::string_view text);

// For reading only (docs/spec.md, section 2, "outline"): a header, whatever the fields of `view`, and
// below it what the view shows of hover (else of signature and doc) and of detail, joined by ` - `; a `[`
// or a space at its start gets a backslash before it, so it cannot look like a header.
std::string write_outline(const SymbolRows& rows, const View& view);

// One tabular array of TOON by its specification 4.0 (github.com/toon-format/spec, sections 4 to 9 and 12). A
// number beyond 2^53, which JavaScript would round, is a string. Quoted beyond the specification are strings
// with characters that CellEscape would escape, and those that start or end in any Unicode whitespace, which
// some decoders trim. `notice`, if not empty, is the string of a member `truncated` after the rows.
std::string write_toon(const SymbolRows& rows, const View& view, std::string_view notice = {});

// One line of pure ASCII. `notice`, if not empty, is the text of the member `truncated`.
std::string write_packed(const SymbolRows& rows, const View& view, std::string_view notice = {});
// Needs name, kind, range, and parent or depth. Members may be in any order, unknown ones are skipped. Errors
// name the element instead of its line, as in `symbols[5][10] (parent)`.
Result<SymbolRows> read_packed(std::string_view text);

// LSP's DocumentSymbol[], minified, pure ASCII. Where the view shows the hover, a row's hover, unless empty,
// stands in `detail` in place of the server's; nothing else of the view counts. An unresolved container_name
// is left out: no member of DocumentSymbol can hold it.
std::string write_json(const SymbolRows& rows, const View& view);
// Also the older SymbolInformation[], whose nesting is rebuilt; null is no rows. The rows have no hovers:
// `detail` is read as a detail, whatever wrote it.
Result<SymbolRows> read_json(std::string_view text);

// Rows from recorded replies of a server (docs/formats.md, "Converting"). `symbols`: the result of a
// documentSymbol request. `hovers`: a JSON array of those of its hover requests; with it the rows have
// hovers, cut to `hover_chars` Unicode scalar values (0 for no limit), and both their parts.
Result<SymbolRows> read_raw_reply(std::string_view symbols, std::optional<std::string_view> hovers,
                                  std::size_t hover_chars = default_hover_characters);

// One JSON object a row, pure ASCII; the empty text without rows. `path`: of each row, empty for none.
std::string write_ndjson(const SymbolRows& rows, const View& view, std::string_view path);
// The rows of one document. Members may be in any order, unknown ones are skipped; name, kind, range and
// parent or depth must be there. Lines that only have diagnostics, and empty ones, are skipped. Errors too: a
// second path, a line about a file that failed.
Result<SymbolRows> read_ndjson(std::string_view text);
// Appends `{"path":"…",` or, for an empty path, `{`.
void start_ndjson_line(std::string& out, std::string_view path);

// The error "cannot read <what> at line 3, column 7: <reason>" for JSON that a person may have written.
// `offset` is in bytes of `text`; columns count characters.
Error unreadable(std::string_view what, std::string_view text, std::size_t offset, std::string_view reason);
// That error where `json` is no JSON value, or where anything but white space follows the value. A lone
// surrogate is well, as servers send them. Takes linear time; nesting costs no stack.
std::optional<Error> json_fault(std::string_view what, std::string_view json);

}  // namespace symbols::table
