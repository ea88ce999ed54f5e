#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "table/formats/codecs.h"
#include "table/formats/line_reader.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_text.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr std::uint64_t max_number = std::numeric_limits<std::uint32_t>::max();

// Reads line by line. Functions that return false have set error_.
class TreeReader : private LineReader {
 public:
  explicit TreeReader(std::string_view text) : LineReader("the tree", text), path_(rows_.all) {}

  Result<SymbolRows> read() {
    while (next_row()) {
      if (!read_row()) return std::move(error_);
    }
    if (lacks_kind_) rows_.lacking.push_back(Field::kind);
    if (lacks_range_) rows_.lacking.push_back(Field::range);
    if (without_selection_ > 0) rows_.lacking.push_back(Field::selection);
    if (lacks_lines_) rows_.lacking.push_back(Field::lines);
    rows_.first_lines = lacks_lines_ && !lacks_first_lines_;
    return std::move(rows_);
  }

 private:
  struct Place {
    std::int64_t kind = 0;
    bool has_kind = false;
    bool has_line = false;
    std::uint32_t first_line = 0;  // from 0
    std::uint32_t last_line = 0;
  };

  // What the text has beside names and kinds. `first_lines`: with the last lines of some symbols, or no lines
  // at all.
  enum class Holds { first_lines, lines, ranges, selections };

  // The parts of `:13-1@13`.
  struct Columns {
    std::string_view start;
    std::string_view end;
    bool lines = false;                         // `:-`
    std::optional<std::string_view> selection;  // after the `@`
  };

  bool read_row() {
    std::string_view row = line_.substr(0, line_.find('\t'));
    std::string_view fields = line_.substr(row.size());
    if (!read_indent(row)) return false;
    if (!read_place(row)) return false;
    while (read_symbol(row)) {
      if (row.empty()) return read_hover(fields) && read_keys(fields);
      const char separator = row.front();
      row.remove_prefix(1);
      // Only a space may begin a place. After each comma of a long line the next space would be far.
      const std::string_view word = separator == ' ' ? row.substr(0, row.find(' ')) : row;
      const bool is_place = word.size() < row.size() && tree_place_length(word) == word.size();
      if (is_place) {
        if (!read_place(row)) return false;
      } else if (!move_place(row, separator)) {
        return false;
      }
    }
    return false;
  }

  // Removes the indentation from `row` and sets depth_.
  bool read_indent(std::string_view& row) {
    depth_ = row.find_first_not_of(' ');
    if (depth_ == std::string_view::npos) return fail_in(row, "expected a row, found an empty line");
    std::size_t length = depth_;
    if (row.starts_with(tree_level_mark)) {
      const std::size_t end = row.find(' ');
      const std::string_view digits = row.substr(0, end).substr(tree_level_mark.size());
      const std::optional<std::size_t> depth = parse_number<std::size_t>(digits);
      if (!depth || end == std::string_view::npos) {
        return fail_in(digits, "expected the number of the level after \\^, then a space");
      }
      depth_ = *depth;
      length = end + 1;
    }
    if (depth_ > path_.size()) {
      return fail_in(row.substr(length),
                     path_.size() == 0
                         ? "the first row must be at level 0, without indentation"
                         : fmt::format("level {}, but the row before leaves at most level {} to this one",
                                       depth_, path_.size()));
    }
    row.remove_prefix(length);
    return true;
  }

  // Removes the place and the space after it from `row`.
  bool read_place(std::string_view& row) {
    const std::string_view text = row.substr(0, row.find(' '));
    std::size_t length = 0;
    place_ = {};
    if (text.starts_with(tree_not_shown)) {
      length = 1;
    } else if (const std::optional<ReadKind> kind = read_kind(text)) {
      place_.kind = kind->kind;
      place_.has_kind = true;
      length = kind->length;
    }
    if (length == 0 || text.size() == row.size()) return fail_place(row);
    const std::string_view lines = text.substr(length);
    if (!lines.empty()) {
      const std::size_t dash = lines.find('-');
      const std::string_view last = dash == std::string_view::npos ? lines : lines.substr(dash + 1);
      if (!read_line_number(lines.substr(0, dash), place_.first_line) ||
          !read_line_number(last, place_.last_line)) {
        return false;
      }
      place_.has_line = true;
    }
    row.remove_prefix(text.size() + 1);
    return true;
  }

  bool fail_place(std::string_view row) {
    if (line_number_ == 1 && line_ == tree_signatures_mark) {
      return fail_in(row, "a tree of signatures cannot be read back", "ask for another verbosity or format");
    }
    return fail_in(row, "expected a place, a space and a name",
                   "a row looks like \"f25-29 countLines\": a letter for the kind, then the lines");
  }

  // Moves to the place of the next symbol of the group, which starts `row`.
  bool move_place(std::string_view row, char separator) {
    if (!place_.has_line) return true;
    if (separator == ' ') {
      if (place_.first_line == max_number) return fail_in(row, "a line above 4294967296");
      ++place_.first_line;
    }
    place_.last_line = place_.first_line;
    return true;
  }

  // Removes a name and its columns from `row`.
  bool read_symbol(std::string_view& row) {
    symbol_ = &rows_.all.emplace_back();
    symbol_->kind = place_.kind;
    symbol_->parent = path_.enter(rows_.size() - 1, depth_);

    std::string_view columns;
    if (row.starts_with(tree_quote)) {
      std::size_t end = 1;
      while (end < row.size() && row[end] != tree_quote) end += row[end] == '\\' ? 2 : 1;
      if (end >= row.size()) return fail_in(row, "expected a ` at the end of the name");
      if (!read_text(tree_quoted_escape, "the name", row.substr(1, end - 1), symbol_->name)) return false;
      row.remove_prefix(end + 1);
      columns = row.substr(0, row.find_first_of(" ,"));
      const std::string_view with_quote(columns.data() - 1, columns.size() + 1);
      if (tree_columns_start(with_quote) != 1) {
        return fail_in(
            columns,
            fmt::format("expected columns, a space, a comma or the end of the row after the name, found {}",
                        quoted(columns)));
      }
    } else {
      const std::string_view word = row.substr(0, row.find_first_of(" ,"));
      if (word.empty()) return fail_in(row, "expected a name; an empty name is written as ``");
      const std::string_view name = word.substr(0, tree_columns_start(word));
      if (const std::size_t quote = name.find(tree_quote); quote != std::string_view::npos) {
        return fail_in(name.substr(quote),
                       "a name that contains a ` must be in backticks, with each ` in it as \\`");
      }
      if (name != tree_not_shown && !read_text(tree_text_escape, "the name", name, symbol_->name))
        return false;
      columns = word.substr(name.size());
      row.remove_prefix(name.size());
    }
    row.remove_prefix(columns.size());
    if (const std::size_t plus = columns.rfind('+'); plus != std::string_view::npos) {
      std::uint32_t count = 0;
      if (!read_number(columns.substr(plus + 1), count)) return false;
      columns = columns.substr(0, plus);
      const bool is_after = columns.ends_with(folded_after_mark);
      if (is_after) columns.remove_suffix(folded_after_mark.size());
      if (count > 0) {
        (is_after ? symbol_->folded.after : symbol_->folded.inside) = count;
      }
    }
    return read_columns(columns);
  }

  bool read_text(const CellEscape& escape, std::string_view what, std::string_view text, std::string& out) {
    const std::optional<EscapeFault> fault = escape.append_unescaped(out, text);
    return !fault || fail_in(text.substr(fault->offset), fmt::format("{}: {}", what, fault->message));
  }

  // Removes the hover from `fields`.
  bool read_hover(std::string_view& fields) {
    if (fields.empty()) return true;
    fields.remove_prefix(1);
    const std::string_view text = fields.substr(0, fields.find('\t'));
    fields.remove_prefix(text.size());
    if (text.empty()) return true;
    rows_.with_hover = true;
    return read_text(tree_text_escape, "the hover", text, symbol_->hover);
  }

  // Reads the keys, each of which starts with a tab.
  bool read_keys(std::string_view row) {
    std::vector<std::string_view> seen;
    while (!row.empty()) {
      row.remove_prefix(1);
      const std::string_view part = row.substr(0, row.find('\t'));
      row.remove_prefix(part.size());
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) {
        return fail_in(part,
                       fmt::format("expected after the hover's tab and another tab a key and a value, as "
                                   "in detail=…, found {}",
                                   quoted(part)));
      }
      const std::string_view key = part.substr(0, equals);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        return fail_in(key, fmt::format("the key {} appears twice", quoted(key)));
      }
      seen.push_back(key);
      if (!read_key(key, part.substr(equals + 1))) return false;
    }
    return true;
  }

  bool read_key(std::string_view key, std::string_view value) {
    if (key == tree_container_key) {
      if (depth_ > 0) return fail_in(key, "a row within another has no container besides it");
      return read_text(tree_text_escape, key, value, symbol_->container_name);
    }
    const Field field = find_field(key).value_or(Field::name);
    if (field == Field::lines || field == Field::depth || field == Field::children)
      return true;  // they follow from the others
    if (field != Field::selection && field < Field::detail) {
      return fail_in(key, fmt::format("unknown key {}; the keys are in, detail, tags, selection, lines, "
                                      "signature, doc, depth and children",
                                      quoted(key)));
    }
    if (field == Field::selection && holds_ == Holds::selections) {
      return fail_in(value, "the selection is already after the name");
    }
    std::string text;
    if (!read_text(tree_text_escape, key, value, text)) return false;
    if (const auto fault = read_cell(*symbol_, field, std::move(text))) {
      return fail_in(value, fmt::format("{}: {}", key, *fault));
    }
    if (field == Field::selection) {
      if (!place_.has_line) symbol_->range = symbol_->selection_range;  // a symbol without a range
      --without_selection_;
    }
    return true;
  }

  // Sets the ranges of the current symbol from its place and from `text`, a part of the line: `:13-1@13`, or
  // less. The first symbol says what the text has.
  bool read_columns(std::string_view text) {
    columns_text_ = text;
    Columns columns;
    if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
      columns.selection = text.substr(at + 1);
      text = text.substr(0, at);
    }
    if (!text.empty()) {
      text.remove_prefix(1);
      const std::size_t dash = text.find('-');
      columns.lines = text == "-";
      if (dash != std::string_view::npos) columns.start = text.substr(0, dash);
      columns.end = dash == std::string_view::npos ? text : text.substr(dash + 1);
    }
    const bool is_first = std::exchange(is_first_, false);
    if (is_first && !settle(columns)) return false;
    if (!place_.has_kind) lacks_kind_ = true;
    const bool none = columns.start.empty() && columns.end.empty() && !columns.selection;
    if (!place_.has_line || holds_ < Holds::ranges) {
      if (!none || (columns.lines && !is_first)) {
        return fail_in(columns_text_, "columns, but the first symbol, or this symbol's place, has none");
      }
      lacks_range_ = true;
      ++without_selection_;
      if (!place_.has_line || holds_ != Holds::lines) lacks_lines_ = true;
      if (!place_.has_line) {
        lacks_first_lines_ = true;
        return true;
      }
      symbol_->range = {{place_.first_line, 0}, {place_.last_line, 0}};
      symbol_->selection_range = {symbol_->range.start, symbol_->range.start};
      return true;
    }
    if (columns.lines) return fail_in(columns_text_, "expected a column before or after the -");
    return read_range(columns);
  }

  // Sets what the text has, by its first symbol.
  bool settle(const Columns& columns) {
    if (columns.lines && !columns.selection) {
      holds_ = Holds::lines;
    } else if (!columns.end.empty() || !columns.start.empty()) {
      if (columns.start.empty() || columns.end.empty() || !columns.selection) {
        return fail_in(columns_text_, "the first symbol must have all its columns, as in countLines:8-3@8");
      }
      holds_ = columns.selection == "?" ? Holds::ranges : Holds::selections;
    }
    return true;
  }

  bool read_range(const Columns& columns) {
    using Form = TreeSelection::Form;
    lsp::Range& range = symbol_->range;
    lsp::Range& selection = symbol_->selection_range;
    range = {{place_.first_line, 0}, {place_.last_line, 0}};
    columns_.enter(depth_, place_.kind, place_.first_line, place_.last_line, symbol_->name);

    if (columns.start.empty()) {
      if (!put(columns_.start(), range.start.character)) return false;
    } else if (!read_number(columns.start, range.start.character)) {
      return false;
    }
    TreeSelection form{.form = Form::empty};
    if (holds_ == Holds::selections) {
      form = columns_.selection();
      if (columns.selection && !read_selection(*columns.selection, form)) return false;
    } else {
      if (columns.selection && columns.selection != "?") {
        return fail_in(columns_text_, "the text has no selections, as its first symbol says");
      }
      ++without_selection_;
    }
    const lsp::Position start = range.start;
    if (form.form == Form::at) {
      const std::int64_t from = start.character + form.offset;
      selection = {{start.line, 0}, {start.line, 0}};
      if (!put(from, selection.start.character) ||
          !put(from + columns_.name_length(), selection.end.character)) {
        return false;
      }
    } else if (form.form != Form::other) {
      selection = {start, start};
    }
    if (columns.end.empty()) {
      const std::int64_t name_end = columns_.name_end(range, selection, form.form);
      if (!put(columns_.end(start.character, name_end), range.end.character)) return false;
    } else if (!read_number(columns.end, range.end.character)) {
      return false;
    }
    if (form.form == Form::whole) selection = range;
    columns_.leave(range, selection, form);
    return true;
  }

  // Sets a column that the text leaves out.
  bool put(std::int64_t value, std::uint32_t& out) {
    if (value < 0 || value > static_cast<std::int64_t>(max_number)) {
      return fail_in(columns_text_,
                     fmt::format("a column that is left out would be {}, which no position can be", value));
    }
    out = static_cast<std::uint32_t>(value);
    return true;
  }

  // Reads what follows the `@`. Form::other sets the selection of symbol_.
  bool read_selection(std::string_view text, TreeSelection& form) {
    using Form = TreeSelection::Form;
    if (text == "?") return fail_in(text, "the text has selections, as its first symbol says");
    if (text.empty() || text == "!") {
      form = {.form = text.empty() ? Form::whole : Form::empty};
      return true;
    }
    lsp::Range& selection = symbol_->selection_range;
    const std::size_t dash = text.find('-');
    const std::string_view first = text.substr(0, dash);
    const bool with_line = first.find(':') != std::string_view::npos;
    if (!with_line && dash == std::string_view::npos) {
      std::uint32_t column = 0;
      if (!read_number(text, column)) return false;
      form = {.form = Form::at,
              .offset = std::int64_t{column} - std::int64_t{symbol_->range.start.character}};
      return true;
    }
    form = {.form = Form::other};
    if (!read_position(first, selection.start)) return false;
    if (dash != std::string_view::npos) return read_position(text.substr(dash + 1), selection.end);
    selection.end.line = selection.start.line;
    return put(selection.start.character + columns_.name_length(), selection.end.character);
  }

  // `line:column`, or a column of the first line.
  bool read_position(std::string_view text, lsp::Position& position) {
    const std::size_t colon = text.find(':');
    position.line = place_.first_line;
    if (colon == std::string_view::npos) return read_number(text, position.character);
    return read_line_number(text.substr(0, colon), position.line) &&
           read_number(text.substr(colon + 1), position.character);
  }

  bool read_line_number(std::string_view text, std::uint32_t& line) {
    const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(text);
    if (!number || *number == 0 || *number > max_number + 1) {
      return fail_in(text, fmt::format("expected a line from 1 to 4294967296, as in 25 or 25-29, found {}",
                                       quoted(text)));
    }
    line = static_cast<std::uint32_t>(*number - 1);
    return true;
  }

  bool read_number(std::string_view text, std::uint32_t& out) {
    const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(text);
    if (!number) {
      return fail_in(text, fmt::format("expected a number up to 4294967295, found {}", quoted(text)));
    }
    out = *number;
    return true;
  }

  SymbolRows rows_;
  ParentPath path_;
  TreeColumns columns_;
  bool is_first_ = true;
  Holds holds_ = Holds::first_lines;
  // What at least one symbol does not have.
  bool lacks_kind_ = false;
  bool lacks_range_ = false;
  bool lacks_lines_ = false;
  bool lacks_first_lines_ = false;
  std::size_t without_selection_ = 0;  // so many symbols

  // The current symbol, and where it is.
  Row* symbol_ = nullptr;
  Place place_;
  std::size_t depth_ = 0;
  std::string_view columns_text_;
};

}  // namespace

Result<SymbolRows> read_tree(std::string_view text) {
  return TreeReader(text).read();
}

}  // namespace symbols::table
