// Reads the columns that follow a name in the `tree` format, and puts back those that the text leaves out
// (docs/spec.md, section 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "table/formats/line_reader.h"
#include "table/formats/tree_columns.h"
#include "table/rows.h"

namespace symbols::table {

// A base of the tree's reader. Functions that return false have set error_.
class TreeColumnsReader : protected LineReader {
 protected:
  using LineReader::LineReader;

  struct Place {
    std::int64_t kind = 0;
    bool has_kind = false;
    bool has_line = false;
    std::uint32_t first_line = 0;  // from 0
    std::uint32_t last_line = 0;
  };

  // The current symbol, whose name must be set, and where it is.
  Row* symbol_ = nullptr;
  Place place_;
  std::size_t depth_ = 0;

  // Sets the ranges of the current symbol from its place and from `text`, a part of the line: `:13-1@13`, or
  // less. To be called for each symbol in order: the first one says what the text has.
  bool read_columns(std::string_view text);

  bool read_line_number(std::string_view text, std::uint32_t& line);  // `line` counts from 0
  bool read_number(std::string_view text, std::uint32_t& out);

  bool holds_selections() const { return holds_ == Holds::selections; }

  // What at least one symbol does not have.
  bool lacks_kind_ = false;
  bool lacks_range_ = false;
  bool lacks_lines_ = false;
  bool lacks_first_lines_ = false;
  std::size_t without_selection_ = 0;  // so many symbols

 private:
  // What the text has beside names and kinds. `first_lines`: with the last lines of some symbols, or no lines
  // at all.
  enum class Holds { first_lines, lines, ranges, selections };

  struct Columns {
    std::string_view start;
    std::string_view end;
    bool lines = false;  // `:-`
    bool has_selection = false;
    std::string_view selection;  // after the `@`
  };

  bool settle(const Columns& columns);
  bool read_range(const Columns& columns);
  bool put(std::int64_t value, std::uint32_t& out);
  bool read_selection(std::string_view text, TreeSelection& form);
  bool read_position(std::string_view text, lsp::Position& position);

  bool is_first_ = true;
  Holds holds_ = Holds::first_lines;
  TreeColumns columns_;
  std::string_view columns_text_;  // of the current symbol
};

}  // namespace symbols::table
