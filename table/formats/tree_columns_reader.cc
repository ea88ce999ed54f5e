#include "table/formats/tree_columns_reader.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "table/escape.h"
#include "table/formats/range_text.h"

namespace symbols::table {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();

// Removes the part of `text` from its last `mark` on, and returns what follows the mark.
std::optional<std::string_view> take_after(std::string_view& text, char mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view part = text.substr(at + 1);
  text = text.substr(0, at);
  return part;
}

}  // namespace

bool TreeColumnsReader::read_columns(std::string_view text) {
  columns_text_ = text;
  Columns columns;
  if (const auto selection = take_after(text, '@')) {
    columns.has_selection = true;
    columns.selection = *selection;
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
  const bool none = columns.start.empty() && columns.end.empty() && !columns.has_selection;
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
bool TreeColumnsReader::settle(const Columns& columns) {
  if (columns.lines && !columns.has_selection) {
    holds_ = Holds::lines;
  } else if (!columns.end.empty() || !columns.start.empty()) {
    if (columns.start.empty() || columns.end.empty() || !columns.has_selection) {
      return fail_in(columns_text_, "the first symbol must have all its columns, as in countLines:8-3@8");
    }
    holds_ = columns.selection == "?" ? Holds::ranges : Holds::selections;
  }
  return true;
}

bool TreeColumnsReader::read_range(const Columns& columns) {
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
    if (columns.has_selection && !read_selection(columns.selection, form)) return false;
  } else {
    if (columns.has_selection && columns.selection != "?") {
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
bool TreeColumnsReader::put(std::int64_t value, std::uint32_t& out) {
  if (value < 0 || value > static_cast<std::int64_t>(most)) {
    return fail_in(columns_text_,
                   fmt::format("a column that is left out would be {}, which no position can be", value));
  }
  out = static_cast<std::uint32_t>(value);
  return true;
}

// Reads what follows the `@`. Form::other sets the selection of symbol_.
bool TreeColumnsReader::read_selection(std::string_view text, TreeSelection& form) {
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
    form = {.form = Form::at, .offset = std::int64_t{column} - std::int64_t{symbol_->range.start.character}};
    return true;
  }
  form = {.form = Form::other};
  if (!read_position(first, selection.start)) return false;
  if (dash != std::string_view::npos) return read_position(text.substr(dash + 1), selection.end);
  selection.end.line = selection.start.line;
  return put(selection.start.character + columns_.name_length(), selection.end.character);
}

// `line:column`, or a column of the first line.
bool TreeColumnsReader::read_position(std::string_view text, lsp::Position& position) {
  const std::size_t colon = text.find(':');
  position.line = place_.first_line;
  if (colon == std::string_view::npos) return read_number(text, position.character);
  return read_line_number(text.substr(0, colon), position.line) &&
         read_number(text.substr(colon + 1), position.character);
}

bool TreeColumnsReader::read_line_number(std::string_view text, std::uint32_t& line) {
  const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(text);
  if (!number || *number == 0 || *number > most + 1) {
    return fail_in(
        text, fmt::format("expected a line from 1 to 4294967296, as in 25 or 25-29, found {}", quoted(text)));
  }
  line = static_cast<std::uint32_t>(*number - 1);
  return true;
}

bool TreeColumnsReader::read_number(std::string_view text, std::uint32_t& out) {
  const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(text);
  if (!number) {
    return fail_in(text, fmt::format("expected a number up to 4294967295, found {}", quoted(text)));
  }
  out = *number;
  return true;
}

}  // namespace symbols::table
