#include "table/formats/row_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <iterator>

#include "lsp/unicode.h"
#include "table/hover/prose.h"

namespace symbols::table {
namespace {

bool is_lines(std::string_view text) {
  static const re2::RE2 lines(R"(\d+(?:-\d+)?)");
  return re2::RE2::FullMatch(text, lines);
}

// Whether `text` is numbers, which one space each separates. Appends them.
bool read_numbers(std::string_view text, std::vector<std::int64_t>& numbers) {
  for (const std::string_view part : split(text, ' ')) {
    const auto number = parse_number<std::int64_t>(part);
    if (!number) return false;
    numbers.push_back(*number);
  }
  return !text.ends_with(' ');
}

}  // namespace

std::optional<std::size_t> ParentPath::find(std::string_view name, const lsp::Range& range) const {
  std::optional<std::size_t> deepest;
  const std::size_t end = path_.size() - std::min(path_.size(), max_searched);
  for (std::size_t depth = path_.size(); depth-- > end;) {
    const Row& row = rows_[path_[depth]];
    if (row.name != name) continue;
    if (lsp::contains(row.range, range)) return depth;
    if (!deepest) deepest = depth;
  }
  return deepest;
}

void append_range(std::string& out, const lsp::Range& range) {
  append_number(out, range.start.line);
  out += ':';
  append_number(out, range.start.character);
  out += '-';
  if (range.end.line != range.start.line) {
    append_number(out, range.end.line);
    out += ':';
  }
  append_number(out, range.end.character);
}

bool LineReader::fail_expected(std::string_view part, std::string_view expected) {
  return fail_in(part, fmt::format("expected {}, found {}", expected, quoted(part)));
}

std::optional<lsp::Range> parse_range(std::string_view text) {
  std::string_view end = text;
  std::string_view start = take_part(end, '-');
  const auto first_line = whole_number<std::uint32_t>(take_part(start, ':'));
  const auto first = whole_number<std::uint32_t>(start);
  const bool is_long = end.find(':') != std::string_view::npos;
  const auto last_line = is_long ? whole_number<std::uint32_t>(take_part(end, ':')) : first_line;
  const auto last = whole_number<std::uint32_t>(end);
  if (!first_line || !first || !last_line || !last) return {};
  const lsp::Range range{{*first_line, *first}, {*last_line, *last}};
  std::string only_spelling;
  append_range(only_spelling, range);
  return only_spelling == text ? std::optional(range) : std::nullopt;
}

std::optional<std::string> read_cell(Row& row, Field field, std::string text) {
  const auto expect = [&text](bool fits, std::string_view what) {
    return fits ? std::nullopt
                : std::optional(fmt::format("expected {}, found {}", what, table::quoted(text)));
  };
  switch (field) {
    case Field::kind: {
      const bool is_word = !text.empty() && is_letter(text[0]);
      const auto kind = is_word ? find_kind(text) : parse_number<std::int64_t>(text);
      row.kind = kind.value_or(0);
      return expect(kind.has_value(), "a symbol kind's number or name, as in 12 or Function");
    }
    case Field::range:
    case Field::selection: {
      const std::optional<lsp::Range> range = parse_range(text);
      (field == Field::range ? row.range : row.selection_range) = range.value_or(lsp::Range{});
      return expect(range.has_value(), "a range, as in 52:6-61 or 24:8-28:3, numbers up to 4294967295");
    }
    case Field::lines:
      return expect(is_lines(text), "lines, as in 53 or 53-59");
    case Field::depth:
    case Field::children:
      return expect(parse_number<std::uint32_t>(text).has_value(), "a number from 0 on");
    case Field::tags:
      return expect(text.empty() || read_numbers(text, row.tags), "numbers separated by a space");
    default:
      *text_of(row, field) = std::move(text);
      return {};
  }
}

RowCells::RowCells(const SymbolRows& rows, const View& view)
    : rows_(rows), kind_names_(view.kind_names), follows_path_(view.shows(Field::parent)), path_(rows.all) {
  if (follows_path_ || view.shows(Field::depth)) depths_ = row_depths(rows);
  if (view.shows(Field::children)) children_ = child_counts(rows);
}

bool RowCells::next() {
  if (follows_path_ && row_ != before_first) path_.enter(row_, depths_[row_]);
  ++row_;
  return row_ < rows_.size();
}

CellText RowCells::cell(Field field) {
  scratch_.clear();
  switch (field) {
    case Field::kind:
      if (!kind_names_) return number(row().kind);
      scratch_ = kind_name(row().kind);
      return {parse_number<std::int64_t>(scratch_) ? CellText::Form::number : CellText::Form::word, scratch_};
    case Field::range:
      append_range(scratch_, row().range);
      return {CellText::Form::word, scratch_};
    case Field::selection:
      append_range(scratch_, row().selection_range);
      return {CellText::Form::word, scratch_};
    case Field::parent:
      return parent();
    case Field::lines: {  // count from 1: `53-59`, or `53` for one
      const lsp::Range& range = row().range;
      append_number(scratch_, std::uint64_t{range.start.line} + 1);
      if (range.end.line != range.start.line) {
        scratch_ += '-';
        append_number(scratch_, std::uint64_t{range.end.line} + 1);
      }
      return {CellText::Form::word, scratch_};
    }
    case Field::doc:
      return {CellText::Form::text, first_sentence(row().hover_parts.prose)};
    case Field::depth:
      return number(depths_[row_]);
    case Field::children:
      return number(children_[row_]);
    case Field::tags:
      fmt::format_to(std::back_inserter(scratch_), "{}", fmt::join(row().tags, " "));
      return {CellText::Form::text, scratch_};
    default:
      return {CellText::Form::text, *text_of(row(), field)};
  }
}

CellText RowCells::number(std::int64_t number) {
  append_number(scratch_, number);
  return {CellText::Form::number, scratch_};
}

CellText RowCells::parent() {
  CellText marked = marked_parent();
  if (path_.size() > ParentPath::max_searched || marked.mark.empty()) return marked;
  const std::optional<std::size_t> found = path_.find(marked.text, row().range);
  const std::size_t depth = depths_[row_];
  const bool is_clear = depth == 0 ? !found : !marked.text.empty() && found == depth - 1;
  if (is_clear) marked.mark = {};
  return marked;
}

CellText RowCells::marked_parent() {
  const std::size_t depth = depths_[row_];
  if (depth == 0) {
    const std::string_view container = row().container_name;
    return {CellText::Form::text, container, container.empty() ? std::string_view() : "\\^"};
  }
  scratch_ = "\\^";
  append_number(scratch_, depth - 1);
  return {CellText::Form::text, rows_.all[static_cast<std::size_t>(row().parent)].name, scratch_};
}

void append_position(std::string& out, const View& view, const SymbolRows& rows, std::size_t row) {
  if (!view.positions) return;
  const lsp::Position start = rows.all[row].selection_range.start;
  append_number(out, start.line);
  out += ':';
  append_number(out, start.character);
  out += '\t';
}

void LineReader::next_line() {
  const std::size_t newline = rest_.find('\n');
  line_ = rest_.substr(0, newline);
  rest_.remove_prefix(newline == std::string_view::npos ? rest_.size() : newline + 1);
  if (newline != std::string_view::npos && line_.ends_with('\r')) line_.remove_suffix(1);
  ++line_number_;
}

bool LineReader::next_row() {
  if (rest_.empty()) return false;
  next_line();
  return !rest_.empty() || !line_.starts_with(truncated_start);
}

bool LineReader::read_text(const CellEscape& escape, std::string_view what, std::string_view cell,
                           std::string& out) {
  const std::optional<EscapeFault> fault = escape.append_unescaped(out, cell);
  return !fault || fail_in(cell.substr(fault->offset), fmt::format("{}: {}", what, fault->message));
}

bool LineReader::fail(std::size_t offset, std::string_view what_is_wrong, std::string advice) {
  error_ = {fmt::format("cannot read {} at line {}, column {}: {}", what_, line_number_,
                        lsp::scalar_count(line_.substr(0, offset)) + 1, what_is_wrong),
            std::move(advice)};
  return false;
}

}  // namespace symbols::table
