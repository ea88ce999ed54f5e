#include "table/formats/pretty_format.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

#include "table/escape.h"
#include "table/formats/row_cells.h"
#include "table/one_line.h"

namespace symbols::table {
namespace {

constexpr std::size_t gap = 2;  // between columns
constexpr std::size_t indent_per_level = 2;
constexpr std::size_t max_pretty_indent = 200;
constexpr std::size_t max_column = 60;  // where the width has no limit
constexpr std::size_t least_text = 12;  // fewer columns of a hover are useless

// The basic colours follow the user's theme.
constexpr fmt::text_style plain;
constexpr fmt::text_style dim = fmt::emphasis::faint;
constexpr fmt::text_style green = fmt::fg(fmt::terminal_color::green);
constexpr fmt::text_style yellow = fmt::fg(fmt::terminal_color::yellow);
constexpr fmt::text_style blue = fmt::fg(fmt::terminal_color::blue);

struct PrettyPiece {
  std::size_t spaces = 0;  // before it
  std::string text;        // without control characters
  std::size_t width = 0;   // of the text
  fmt::text_style colour{};
};

// Makes characters that could control a terminal visible (escape.h).
PrettyPiece pretty_piece(std::size_t spaces, std::string_view text, fmt::text_style colour) {
  PrettyPiece piece{spaces, terminal_text(text), 0, colour};
  piece.width = display_width(piece.text);
  return piece;
}

// The columns of a line of these pieces.
std::size_t pretty_width(const std::vector<PrettyPiece>& line) {
  std::size_t width = 0;
  for (const PrettyPiece& piece : line) width += piece.spaces + piece.width;
  return width;
}

// Appends the line, without a newline. One that is wider than the style's width ends in `…` there.
void append_pretty_line(std::string& out, const std::vector<PrettyPiece>& line, PrettyStyle style) {
  const bool cut = style.width > 0 && pretty_width(line) > style.width;
  // One column is for the `…`.
  std::size_t left = cut ? style.width - 1 : std::numeric_limits<std::size_t>::max();
  for (const PrettyPiece& piece : line) {
    const std::size_t spaces = std::min(piece.spaces, left);
    out.append(spaces, ' ');
    left -= spaces;
    if (piece.width > left || (cut && spaces < piece.spaces)) {
      const std::string_view start =
          std::string_view(piece.text).substr(0, prefix_of_width(piece.text, left));
      out += fmt::format(style.colour ? piece.colour : plain, "{}…", start);
      return;
    }
    out += fmt::format(style.colour ? piece.colour : plain, "{}", piece.text);
    left -= piece.width;
  }
}

fmt::text_style kind_colour(std::int64_t kind) {
  using lsp::SymbolKind;
  if (is_one_of(kind, {SymbolKind::class_, SymbolKind::enum_, SymbolKind::interface, SymbolKind::struct_,
                       SymbolKind::type_parameter})) {
    return yellow;
  }
  if (is_one_of(kind, {SymbolKind::method, SymbolKind::constructor, SymbolKind::function, SymbolKind::event,
                       SymbolKind::operator_})) {
    return fmt::fg(fmt::terminal_color::magenta);
  }
  return is_one_of(kind, {SymbolKind::file, SymbolKind::module, SymbolKind::namespace_, SymbolKind::package})
             ? blue
             : fmt::fg(fmt::terminal_color::cyan);
}

bool is_text(Field field) {
  return needs_hover(field) || field == Field::detail;
}

// Whether `words` are the name of the kind: `enum member` of EnumMember.
bool are_kind(std::string_view words, std::int64_t kind) {
  std::string joined;
  std::copy_if(words.begin(), words.end(), std::back_inserter(joined), [](char c) { return c != ' '; });
  return find_kind(joined) == kind;
}

class Writer {
 public:
  Writer(const SymbolRows& rows, const View& view, PrettyStyle style)
      : rows_(rows),
        style_(style),
        view_{view.fields, true},
        depths_(row_depths(rows)),
        columns_(view_.fields.size()) {}

  std::string write() {
    std::uint32_t last_line = 0;
    for (const Row& row : rows_.all) last_line = std::max(last_line, row.range.start.line);
    line_digits_ = std::to_string(std::uint64_t{last_line} + 1).size();
    // One long name must not push the rest of all rows out of sight.
    const std::size_t widest = style_.width > 0 ? style_.width * 3 / 8 : max_column;
    const std::size_t aligned_columns = columns_.size() - 1;  // the last one needs no width
    RowCells measured(rows_, view_);
    for (std::size_t row = 0; aligned_columns > 0 && measured.next(); ++row) {
      const Cells line = line_of(row, measured, aligned_columns);
      for (std::size_t i = 0; i < aligned_columns; ++i) {
        const std::size_t width = pretty_width(line[i]);
        if (width <= widest) columns_[i] = std::max(columns_[i], width);
      }
    }
    std::string out;
    RowCells cells(rows_, view_);
    for (std::size_t row = 0; cells.next(); ++row) {
      if (row > 0) out += '\n';
      append_pretty_line(out, aligned(line_of(row, cells, columns_.size())), style_);
    }
    return out;
  }

 private:
  using Cells = std::vector<std::vector<PrettyPiece>>;  // of one row

  // The first `columns` of a row, at least one.
  Cells line_of(std::size_t row, RowCells& cells, std::size_t columns) const {
    Cells line;
    for (std::size_t i = 0; i < columns; ++i) line.push_back(cell(row, view_.fields[i], cells));
    PrettyPiece& first = line.front().front();
    const std::size_t unmasked = first.text.size();
    mask_line_start(first.text, 0);
    first.width += first.text.size() - unmasked;  // of ASCII
    return line;
  }

  std::vector<PrettyPiece> aligned(const Cells& cells) const {
    std::vector<PrettyPiece> line;
    std::size_t end = 0;     // of what the line has
    std::size_t column = 0;  // where the next one starts
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::vector<PrettyPiece>& pieces = cells[i];
      if (pieces.front().width > 0 || pieces.size() > 1) {
        const std::size_t start = i == 0 ? 0 : std::max(column, end + gap);
        const bool seen =
            style_.width == 0 || start + std::min(least_text, pieces.front().width) <= style_.width;
        if (!seen && is_text(view_.fields[i])) continue;
        const auto first = line.insert(line.end(), pieces.begin(), pieces.end());
        first->spaces += start - end;
        end = pretty_width(line);
      }
      column += columns_[i] + gap;
    }
    return line;
  }

  std::vector<PrettyPiece> cell(std::size_t row, Field field, RowCells& cells) const {
    const Row& symbol = rows_.all[row];
    const CellText cell = cells.cell(field);
    switch (field) {
      case Field::name:
        return name(row, cell.text);
      case Field::kind:
        return {pretty_piece(0, cell.text, kind_colour(symbol.kind))};
      case Field::lines: {
        const std::size_t digits = std::min(cell.text.find('-'), cell.text.size());
        return {pretty_piece(line_digits_ - std::min(digits, line_digits_), cell.text, green)};
      }
      case Field::hover:
      case Field::signature: {
        const bool named = view_.shows(Field::name) && view_.shows(Field::kind);
        return {pretty_piece(0, named ? without_heading(cell.text, row) : cell.text, dim)};
      }
      default:
        return {pretty_piece(0, cell.text, is_text(field) ? dim : plain)};
    }
  }

  std::vector<PrettyPiece> name(std::size_t row, std::string_view text) const {
    const std::size_t deepest = style_.width > 0 ? style_.width / 3 : max_pretty_indent;
    std::vector<PrettyPiece> pieces{
        pretty_piece(std::min(indent_per_level * depths_[row], deepest), text, plain)};
    std::string missing;
    Folded left_out = rows_.all[row].folded;
    left_out.inside += rows_.all[row].left_out;  // of children that a limit left out, only the direct ones
    append_folded(missing, left_out);
    if (!missing.empty()) pieces.push_back(pretty_piece(1, missing, dim));
    return pieces;
  }

  // Without what the row shows: `class Circle` before the documentation, `(method) Circle.` before a member.
  std::string_view without_heading(std::string_view hover, std::size_t row) const {
    const Row& symbol = rows_.all[row];
    std::string_view rest = hover;
    const std::size_t word = rest.find(' ');
    if (are_kind(rest.substr(0, word), symbol.kind) &&
        take_start(rest, std::string(rest.substr(0, word)) + ' ' + symbol.name)) {
      return rest.empty() || take_start(rest, " - ") ? rest : hover;
    }
    const std::size_t end = hover.find(") ");
    if (!hover.starts_with('(') || end == std::string_view::npos ||
        !are_kind(hover.substr(1, end - 1), symbol.kind)) {
      return hover;
    }
    rest = hover.substr(end + 2);
    if (const auto parent = parent_row(rows_, row)) take_start(rest, rows_.all[*parent].name + '.');
    return rest;
  }

  const SymbolRows& rows_;
  PrettyStyle style_;
  View view_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::size_t> columns_;  // their widths
  std::size_t line_digits_ = 0;       // of the largest first line
};

std::string heading(const Diagnostics& part) {
  if (!part.value) return "no diagnostics: " + part.failure;
  const auto& [first, total] = *part.value;
  if (total == 0) return "no diagnostics";
  const std::string count =
      first.size() < total ? fmt::format("{} of {}", first.size(), total) : std::to_string(total);
  return fmt::format("{} diagnostic{}{}", count, total == 1 ? "" : "s", first.empty() ? "" : ":");
}

std::string place(const lsp::Diagnostic& diagnostic) {
  return fmt::format("{}:{}", std::uint64_t{diagnostic.range.start.line} + 1,
                     std::uint64_t{diagnostic.range.start.character} + 1);
}

fmt::text_style severity_colour(std::int64_t severity) {
  return severity == 1 ? fmt::fg(fmt::terminal_color::red) : severity == 2 ? yellow : blue;
}

}  // namespace

std::vector<Field> pretty_fields(const std::vector<Field>& fields) {
  std::vector<Field> shown;
  if (holds(fields, Field::range) || holds(fields, Field::lines)) shown.push_back(Field::lines);
  if (holds(fields, Field::kind)) shown.push_back(Field::kind);
  shown.push_back(Field::name);
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(shown), is_text);
  return shown;
}

std::string write_pretty(const SymbolRows& rows, const View& view, PrettyStyle style) {
  if (!rows.all.empty()) return Writer(rows, view, style).write();
  std::string out;
  append_pretty_line(out, {pretty_piece(0, "no symbols", dim)}, style);
  return out;
}

std::string write_pretty_diagnostics(const Diagnostics& part, PrettyStyle style) {
  style.width = 0;
  std::string out;
  if (!part.wanted()) return out;
  append_pretty_line(out, {pretty_piece(0, heading(part), dim)}, style);
  if (!part.value) return out;
  std::size_t places = 0;
  std::size_t severities = 0;
  for (const lsp::Diagnostic& diagnostic : part.value->first) {
    places = std::max(places, place(diagnostic).size());
    severities = std::max(severities, severity_word(diagnostic.severity).size());
  }
  for (const lsp::Diagnostic& diagnostic : part.value->first) {
    const std::string where = place(diagnostic);
    const std::string_view severity = severity_word(diagnostic.severity);
    std::vector<PrettyPiece> line{
        pretty_piece(places - where.size(), where, green),
        pretty_piece(gap, severity, severity_colour(diagnostic.severity)),
        pretty_piece(severities - severity.size() + gap, fold_whitespace(diagnostic.message), plain)};
    for (const std::string& text : {diagnostic.source, diagnostic.code}) {
      const bool first = line.size() == 3;
      if (!text.empty()) line.push_back(pretty_piece(first ? gap : 1, text, dim));
    }
    out += '\n';
    append_pretty_line(out, line, style);
  }
  return out;
}

}  // namespace symbols::table
