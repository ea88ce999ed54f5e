// What the writer and the reader of the `tree` format share, so that they cannot disagree (docs/spec.md,
// section 2, has the grammar): names, places, and the columns that the symbols before predict.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "lsp/position.h"
#include "table/escape.h"

namespace symbols::table {

inline constexpr CellEscape tree_quoted_escape("`");

// Replaces a name or a kind that the view does not show.
inline constexpr std::string_view tree_not_shown = "?";
inline constexpr char tree_quote = '`';

// Appends the name, in backticks if it could be read as something else. `name` may be anything.
// `after_place`: the name directly follows a place, so it cannot be read as a place itself.
void append_tree_name(std::string& out, std::string_view name, bool after_place);

// A symbol without quotes, as in `name:13-1@13+2`.
struct TreeSymbolText {
  std::string_view name;  // at least one character of the symbol
  std::string_view columns;
  // The parts of the columns; empty if they are not there.
  std::string_view start;
  std::string_view end;
  std::optional<std::string_view> selection{};  // after the `@`
  std::string_view folded_mark;                 // folded_after_mark
  std::string_view folded;                      // after the `+`
};
TreeSymbolText split_tree_symbol(std::string_view symbol);

// A place, as in `f`, `f23`, `c28-44`, `<255>3`. Whether its numbers are in range is not checked.
struct TreePlaceText {
  std::string_view kind;
  std::string_view first;  // line; empty if it has none
  std::string_view last;
};
std::optional<TreePlaceText> split_tree_place(std::string_view text);
// Whether `text` is a place with a line: a name that looks like one needs quotes.
bool is_tree_place(std::string_view text);

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
  std::optional<std::uint64_t> line{};       // none: not shown
  std::optional<std::uint64_t> last_line{};  // none: not shown

  // Those of `range`; the last one if it is_long, or with `all_ends`.
  void set_lines(const lsp::Range& range, bool all_ends);
  // Whether the place has a last line that is not the first.
  bool shows_last() const { return last_line && last_line != line; }
};

// And the space after it.
void append_tree_place(std::string& out, const TreePlace& place);

// Where a selection is in its range.
struct TreeSelection {
  enum class Form {
    at,     // `offset` columns after the range's start, on its line, as long as the name is in the source
    whole,  // the whole range
    empty,  // at the range's start
    other,  // none of these
  };
  Form form = Form::at;
  std::int64_t offset = 0;  // with Form::at

  bool operator==(const TreeSelection&) const = default;
};

// Predicts the columns of a symbol from the symbols before it: the writer leaves out what is predicted, the
// reader puts it back. Follows the symbols of a text in their order: for each one enter(), then the
// predictions, then leave().
class TreeColumns {
 public:
  // `name` is valid UTF-8, as the reader sees it, and must live until leave().
  void enter(std::size_t depth, std::int64_t kind, std::uint32_t first_line, std::uint32_t last_line,
             std::string_view name);

  // A predicted column may be negative or above what a position can hold.
  std::int64_t start() const;
  TreeSelection selection() const { return before_->selection; }
  std::int64_t end(std::int64_t start, std::int64_t name_end) const;

  // Of the name in the source, in UTF-16 units.
  std::int64_t name_length() const { return name_length_; }
  // Whether all of `selection` is on the range's first line.
  bool on_first_line(const lsp::Range& selection) const {
    return selection.start.line == first_line_ && selection.end.line == first_line_;
  }
  // Where the name ends, for the prediction of the range's end.
  std::int64_t name_end(const lsp::Range& range, const lsp::Range& selection,
                        TreeSelection::Form form) const {
    const bool by_selection =
        form == TreeSelection::Form::at || (form == TreeSelection::Form::other && on_first_line(selection));
    return by_selection ? selection.end.character : range.start.character + name_length_;
  }

  void leave(const lsp::Range& range, const lsp::Range& selection, TreeSelection form);

 private:
  // The last symbol of one depth, kind and form (one line, or several).
  struct Before {
    std::int64_t start = 0;
    TreeSelection selection;
    std::int64_t end = -1;  // with several lines; -1 before the first one
    std::int64_t tail = 0;  // with one line: from the end of the name to that of the range
  };
  struct Key {
    std::size_t depth;
    std::int64_t kind;
    bool one_line;

    auto operator<=>(const Key&) const = default;
  };
  struct Neighbour {
    std::uint32_t last_line;
    std::uint32_t end;  // column
    lsp::Range selection;
  };

  std::map<Key, Before> before_of_;
  // By name, of the last one-line symbol.
  std::unordered_map<std::string, std::int64_t, StringHash, std::equal_to<>> tails_;
  std::vector<Neighbour> path_;  // [i] is the last symbol at level i

  // Of the current symbol.
  Before* before_ = nullptr;
  std::size_t depth_ = 0;
  std::uint32_t first_line_ = 0;
  bool one_line_ = false;
  std::string_view name_;
  std::int64_t name_length_ = 0;
};

}  // namespace symbols::table
