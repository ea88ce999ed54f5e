// The rows of the `tree` format: which symbols share one, and how a place is written (tree_format.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/range.h"

namespace symbols::table {

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
    std::string_view name;     // valid UTF-8
    std::string_view columns;  // what follows the name, up to the first tab
    std::string_view keys;     // everything from the first tab on
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
