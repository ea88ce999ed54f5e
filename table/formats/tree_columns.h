// Predicts the columns of a symbol in the `tree` format from the symbols before it: the writer leaves out
// what is predicted, the reader puts it back (docs/spec.md, section 2).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "lsp/position.h"

namespace symbols::table {

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

// Follows the symbols of a text in their order: for each one enter(), then the predictions, then leave().
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
  Key before_key_{};
  std::int64_t* tail_ = nullptr;  // in tails_; null if its name is new, or it has several lines
  std::size_t depth_ = 0;
  std::uint32_t first_line_ = 0;
  bool one_line_ = false;
  std::string_view name_;
  std::int64_t name_length_ = 0;
};

}  // namespace symbols::table
