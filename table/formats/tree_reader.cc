#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_text.h"
#include "table/rows.h"

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
  // Lines count from 0.
  struct Place {
    std::optional<std::int64_t> kind;
    bool has_line = false;
    std::uint32_t first_line = 0;
    std::uint32_t last_line = 0;
  };

  // What the text has beside names and kinds. `first_lines`: with last lines of some symbols, or no lines.
  enum class Holds { first_lines, lines, ranges, selections };

  bool read_row() {
    std::string_view row = line_.substr(0, line_.find('\t'));
    std::string_view fields = line_.substr(row.size());
    if (!read_indent(row)) return false;
    if (!read_place(row)) return false;
    while (read_symbol(row)) {
      if (row.empty()) return read_fields(fields);
      const char separator = row.front();
      row.remove_prefix(1);
      // A place begins with a space. To look for the next one after each comma would take quadratic time.
      const std::string_view word = separator == ' ' ? row.substr(0, row.find(' ')) : row;
      const bool has_place = word.size() < row.size() && is_tree_place(word);
      if (!(has_place ? read_place(row) : move_place(row, separator))) return false;
    }
    return false;
  }

  // Removes the indentation from `row` and sets depth_.
  bool read_indent(std::string_view& row) {
    if (row.find_first_not_of(' ') == std::string_view::npos)
      return fail_in(row, "expected a row, found an empty line");
    static const re2::RE2 indent(R"(\\\^(\d+) | *)", re2::RE2::Latin1);
    std::array<re2::StringPiece, 2> found;
    indent.Match(row, 0, row.size(), re2::RE2::ANCHOR_START, found.data(), 2);
    const std::string_view level = found[1];
    depth_ =
        level.empty() ? found[0].size() : parse_number<std::size_t>(level).value_or(std::string_view::npos);
    row.remove_prefix(found[0].size());
    return depth_ <= path_.size() ||
           fail_in(row, fmt::format("level {}, but at most level {} can follow the row before", depth_,
                                    path_.size()));
  }

  // Removes the place and the space after it from `row`.
  bool read_place(std::string_view& row) {
    const std::string_view text = row.substr(0, row.find(' '));
    const std::optional<TreePlaceText> parts = split_tree_place(text);
    if (!parts || text.size() == row.size()) return fail_place(row);
    place_ = {.kind = read_kind(parts->kind)};
    if (!place_.kind && parts->kind != tree_not_shown) return fail_place(row);
    place_.has_line = !parts->first.empty();
    if (place_.has_line) {
      if (!read_line_number(parts->first, place_.first_line)) return false;
      place_.last_line = place_.first_line;
      if (!parts->last.empty() && !read_line_number(parts->last, place_.last_line)) return false;
    }
    row.remove_prefix(text.size() + 1);
    return true;
  }

  bool fail_place(std::string_view row) {
    if (line_number_ == 1 && line_ == tree_signatures_mark)
      return fail_in(row, "a tree of signatures cannot be read back", "ask for another verbosity or format");
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
    symbol_->kind = place_.kind.value_or(0);
    symbol_->parent = path_.enter(rows_.size() - 1, depth_);

    const bool is_quoted = row.starts_with(tree_quote);
    if (is_quoted) {
      std::size_t end = 1;
      while (end < row.size() && row[end] != tree_quote) end += row[end] == '\\' ? 2 : 1;
      if (end >= row.size()) return fail_in(row, "expected a ` at the end of the name");
      if (!read_text(tree_quoted_escape, "the name", row.substr(1, end - 1), symbol_->name)) return false;
      row.remove_prefix(end);
    }
    const std::string_view word = row.substr(0, row.find_first_of(" ,"));
    const TreeSymbolText parts = split_tree_symbol(word);
    if (is_quoted && parts.name.size() > 1) {  // more than the closing `
      return fail_expected(word.substr(1), "columns, a space, a comma or the end of the row after the name");
    }
    if (word.empty()) return fail_in(row, "expected a name; an empty name is written as ``");
    if (const std::size_t quote = parts.name.find(tree_quote, is_quoted ? 1 : 0);
        quote != std::string_view::npos) {
      return fail_in(parts.name.substr(quote),
                     "a name that contains a ` must be in backticks, with each ` in it as \\`");
    }
    if (!is_quoted && parts.name != tree_not_shown &&
        !read_text(plain_escape, "the name", parts.name, symbol_->name)) {
      return false;
    }
    row.remove_prefix(word.size());
    std::uint32_t& folded = parts.folded_mark.empty() ? symbol_->folded.inside : symbol_->folded.after;
    return (parts.folded.empty() || read_number(parts.folded, folded)) && read_columns(parts);
  }

  // Reads the hover, then keys and their values; each starts with a tab.
  bool read_fields(std::string_view fields) {
    std::vector<std::string_view> seen;
    for (bool is_hover = true; !fields.empty(); is_hover = false) {
      fields.remove_prefix(1);
      const std::string_view part = fields.substr(0, fields.find('\t'));
      fields.remove_prefix(part.size());
      if (is_hover) {
        rows_.with_hover = rows_.with_hover || !part.empty();
        if (!read_text(plain_escape, "the hover", part, symbol_->hover)) return false;
        continue;
      }
      const std::string_view key = part.substr(0, part.find('='));
      if (key.size() == part.size()) return fail_expected(part, "a key and a value, as in detail=…");
      if (std::ranges::find(seen, key) != seen.end())
        return fail_in(key, fmt::format("the key {} appears twice", quoted(key)));
      seen.push_back(key);
      if (!read_key(key, part.substr(key.size() + 1))) return false;
    }
    return true;
  }

  bool read_key(std::string_view key, std::string_view value) {
    if (key == tree_container_key) {
      if (depth_ > 0) return fail_in(key, "a row within another has no container besides it");
      return read_text(plain_escape, key, value, symbol_->container_name);
    }
    const Field field = find_field(key).value_or(Field::name);
    if (field == Field::lines || field == Field::depth || field == Field::children)
      return true;  // they follow from the others
    if (field != Field::selection && field < Field::detail) {
      return fail_expected(
          key, "one of the keys in, detail, tags, selection, lines, signature, doc, depth and children");
    }
    if (field == Field::selection && holds_ == Holds::selections)
      return fail_in(value, "the selection is already after the name");
    std::string text;
    if (!read_text(plain_escape, key, value, text)) return false;
    if (const auto fault = read_cell(*symbol_, field, std::move(text)))
      return fail_in(value, fmt::format("{}: {}", key, *fault));
    if (field == Field::selection) {
      if (!place_.has_line) symbol_->range = symbol_->selection_range;  // a symbol without a range
      --without_selection_;
    }
    return true;
  }

  // Sets the ranges of the current symbol from its place and its columns. The first says what the text has.
  bool read_columns(const TreeSymbolText& parts) {
    columns_text_ = parts.columns;
    const bool is_first = std::exchange(is_first_, false);
    const bool has_lines = parts.columns.starts_with(":-");
    if (is_first && !settle(parts, has_lines)) return false;
    if (!place_.kind) lacks_kind_ = true;
    if (place_.has_line && holds_ >= Holds::ranges) {
      if (has_lines) return fail_in(columns_text_, "expected a column before or after the -");
      return read_range(parts);
    }
    const bool none = parts.start.empty() && parts.end.empty() && !parts.selection;
    if (!none || (has_lines && !is_first))
      return fail_in(columns_text_, "columns, but the first symbol, or this symbol's place, has none");
    lacks_range_ = true;
    ++without_selection_;
    if (!place_.has_line || holds_ != Holds::lines) lacks_lines_ = true;
    if (!place_.has_line) lacks_first_lines_ = true;
    symbol_->range = {{place_.first_line, 0}, {place_.last_line, 0}};
    symbol_->selection_range = {symbol_->range.start, symbol_->range.start};
    return true;
  }

  // Sets what the text has, by its first symbol.
  bool settle(const TreeSymbolText& columns, bool has_lines) {
    if (has_lines && !columns.selection) {
      holds_ = Holds::lines;
    } else if (!columns.end.empty() || !columns.start.empty()) {
      if (columns.start.empty() || columns.end.empty() || !columns.selection)
        return fail_in(columns_text_, "the first symbol must have all its columns, as in countLines:8-3@8");
      holds_ = columns.selection == "?" ? Holds::ranges : Holds::selections;
    }
    return true;
  }

  bool read_range(const TreeSymbolText& columns) {
    using Form = TreeSelection::Form;
    lsp::Range& range = symbol_->range;
    lsp::Range& selection = symbol_->selection_range;
    range = {{place_.first_line, 0}, {place_.last_line, 0}};
    columns_.enter(depth_, symbol_->kind, place_.first_line, place_.last_line, symbol_->name);

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
      if (columns.selection && columns.selection != "?")
        return fail_in(columns_text_, "the text has no selections, as its first symbol says");
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
    static const re2::RE2 places(R"((?:(\d+):)?(\d+)(?:-(?:(\d+):)?(\d+))?)", re2::RE2::Latin1);
    std::array<re2::StringPiece, 5> found;  // line and column, twice
    places.Match(text, 0, text.size(), re2::RE2::ANCHOR_BOTH, found.data(), 5);
    const auto read_position = [&](std::size_t at, lsp::Position& position) {
      position.line = place_.first_line;
      return (found[at].empty() || read_line_number(found[at], position.line)) &&
             read_number(found[at + 1], position.character);
    };
    lsp::Range& selection = symbol_->selection_range;
    if (!read_position(1, selection.start)) return false;
    const bool has_end = !found[4].empty();
    form = {.form = Form::other};
    if (has_end) return read_position(3, selection.end);
    if (found[1].empty()) {
      form = {
          .form = Form::at,
          .offset = std::int64_t{selection.start.character} - std::int64_t{symbol_->range.start.character}};
      return true;
    }
    selection.end.line = selection.start.line;
    return put(selection.start.character + columns_.name_length(), selection.end.character);
  }

  bool read_line_number(std::string_view text, std::uint32_t& line) {
    const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(text);
    if (!number || *number == 0 || *number > max_number + 1)
      return fail_expected(text, "a line from 1 to 4294967296, as in 25 or 25-29");
    line = static_cast<std::uint32_t>(*number - 1);
    return true;
  }

  bool read_number(std::string_view text, std::uint32_t& out) {
    const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(text);
    out = number.value_or(0);
    return number || fail_expected(text, "a number up to 4294967295");
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
