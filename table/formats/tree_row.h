// The rows of the `tree` format: how names and places are written, and which symbols share one. Its writer
// and its reader use the same functions here, so that they cannot disagree (docs/spec.md, section 2, has the
// grammar).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/position.h"
#include "table/escape.h"

namespace symbols::table {

inline constexpr CellEscape tree_text_escape("");
inline constexpr CellEscape tree_quoted_escape("`");

// Replaces a name or a kind that the view does not show.
inline constexpr std::string_view tree_not_shown = "?";
inline constexpr char tree_quote = '`';

// Appends the name, in backticks if it could be read as something else. `name` may be anything.
// `after_place`: the name directly follows a place, so it cannot be read as a place itself.
void append_tree_name(std::string& out, std::string_view name, bool after_place);

// Where the columns at the end of a plain symbol start, as in `name:13-1@13+2`; its length if it has none. At
// least one character is left for the name.
std::size_t tree_columns_start(std::string_view symbol);

// The length of a place with a line at the start of `text` (`f23`, `c28-44`, `<255>3`); 0 if there is none.
// Whether its numbers are in range is not checked.
std::size_t tree_place_length(std::string_view text);

// How many UTF-16 units the name takes in the source: 8 for an operator; else the part before the first `<`,
// of that what follows the last `.` or `:`. `name` must be valid UTF-8.
std::uint64_t tree_name_length(std::string_view name);

// Deeper rows have their level as a number; the spaces before 100,000 levels would be gigabytes.
inline constexpr std::size_t tree_deepest_indent = 100;
inline constexpr std::string_view tree_level_mark = "\\^";

// The first line of a tree of signatures, which is not read back.
inline constexpr std::string_view tree_signatures_mark = "# signatures";

// Whether a symbol has so many lines that `minimal` and `signatures` show its last line too; a symbol that
// ends before it starts has.
inline bool is_long(const lsp::Range& range) {
  constexpr std::uint32_t long_from = 20;
  return range.end.line < range.start.line || range.end.line - range.start.line + 1 >= long_from;
}

inline constexpr std::string_view tree_container_key = "in";  // a container_name that names no row

// The kind and the lines of a symbol. Lines count from 1.
struct TreePlace {
  std::optional<std::int64_t> kind;  // none: not shown
  bool kind_names = false;
  bool name_shown = true;
  std::optional<std::uint64_t> line{};       // none: not shown
  std::optional<std::uint64_t> last_line{};  // none: not shown

  // Those of `range`; the last one if it is_long, or with `all_ends`.
  void set_lines(const lsp::Range& range, bool all_ends);
  // Whether the place has a last line that is not the first.
  bool shows_last() const { return last_line && last_line != line; }
};

// And the space after it.
void append_tree_place(std::string& out, const TreePlace& place);

// Appends symbol after symbol; those without children share rows, until a row is full.
class TreeRows {
 public:
  struct Symbol {
    std::size_t depth = 0;
    bool has_children = false;
    TreePlace place;
    std::string_view position;  // what a new row starts with, before its indentation
    std::string_view name;      // valid UTF-8
    std::string_view columns;   // what follows the name, up to the first tab
    std::string_view keys;      // everything from the first tab on
  };

  // `out` must outlive this.
  explicit TreeRows(std::string& out) : out_(&out), row_start_(out.size()) {}

  void add(const Symbol& symbol);

 private:
  static bool has_own_row(const Symbol& symbol) { return symbol.has_children || !symbol.keys.empty(); }
  bool joins(const Symbol& symbol);
  void append_name(const Symbol& symbol, bool after_place);

  std::string* out_;
  std::size_t row_start_;
  bool any_ = false;
  // The current row: whether it may take more symbols, and the place of its last one.
  bool open_ = false;
  std::size_t depth_ = 0;
  TreePlace last_;
};

}  // namespace symbols::table
