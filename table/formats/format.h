// The formats by their names, and the two ways through each of them (docs/spec.md, section 2): rows to text,
// and text back to rows. To add one: here and in format.cc, its own files beside these, and its name in
// options/option_table.cc and the editors' settings.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/budget.h"
#include "table/field.h"
#include "table/formats/pretty_format.h"
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

struct Rendered {
  std::string text;    // valid UTF-8, without a newline at its end; of json and packed pure ASCII
  std::string notice;  // what the budget left out, as in the text; empty where all is there
};

// `beside`: the rest of the answer. Its lines come after the rows and before the line about what the budget
// left out; json and packed have no place for them.
Rendered render(SymbolRows rows, const Rendering& rendering, const BesideRows& beside = {});

// The rows of a text that render() or a person wrote. Error: with line and column; that `outline`,
// `pretty`, `tsv` and `toon` are not read back.
Result<SymbolRows> read_rows(Format format, std::string_view text);

}  // namespace symbols::table
