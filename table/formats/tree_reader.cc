#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "lsp/unicode.h"
#include "table/formats/kind_letters.h"
#include "table/formats/line_reader.h"
#include "table/formats/line_start.h"
#include "table/formats/parse_number.h"
#include "table/formats/range_text.h"
#include "table/formats/tree_format.h"
#include "table/formats/tree_row.h"

namespace symbols::table {
namespace {

constexpr std::string_view numbers_and_marks = "0123456789:-";

// The content of a place.
struct Place {
  enum class Kind { none, range, lines };
  Kind kind = Kind::none;
  bool has_selection = false;  // given explicitly
  bool selection_not_shown = false;
};

bool is_derived(std::string_view key) {
  const std::optional<Field> field = find_field(key);
  return field && (*field == Field::lines || *field == Field::depth || *field == Field::children);
}

// Reads line by line. Functions that return false have set error_.
class TreeReader : private LineReader {
 public:
  explicit TreeReader(std::string_view text) : LineReader("the tree", text) {}

  Result<SymbolRows> read() {
    constexpr std::size_t shortest_row = 4;  // `a f` and a newline
    const auto newlines = static_cast<std::size_t>(std::count(rest_.begin(), rest_.end(), '\n'));
    rows_.tree.symbols.reserve(std::min(newlines, rest_.size() / shortest_row) + 1);

    while (!rest_.empty()) {
      next_line();
      const bool is_last = rest_.empty();
      if (is_last && line_.starts_with(truncated_start)) break;
      if (!read_row()) return std::move(error_);
    }
    if (rows_.with_hover) rows_.hovers.resize(rows_.tree.symbols.size());
    if (!rows_.hover_parts.empty()) rows_.hover_parts.resize(rows_.tree.symbols.size());
    if (lacks_kind_) rows_.lacking.push_back(Field::kind);
    if (lacks_range_) rows_.lacking.push_back(Field::range);
    if (lacks_selection_) rows_.lacking.push_back(Field::selection);
    if (lacks_lines_) rows_.lacking.push_back(Field::lines);
    return std::move(rows_);
  }

 private:
  // Sets the error's position to byte `offset` of `part`, which is a part of the line.
  bool fail(std::string_view part, std::string_view what, std::size_t offset = 0) {
    return LineReader::fail(offset_of(part) + offset, what);
  }

  bool read_row() {
    std::string_view row = line_;
    if (!read_indent(row)) return false;
    const std::size_t length = tree_name_length(row);
    const std::string_view name = row.substr(0, length);
    if (name.empty()) return fail(row, "expected a name; an empty name is written as ?");
    if (name.starts_with("# ") || name.starts_with(file_start)) {
      return fail(
          name,
          "a name cannot start like this, because other lines of an answer do; put a backslash before it");
    }
    if (length == row.size()) {
      fail(row, "expected a name, a space and a position", length);
      error_.advice = "a row looks like \"countLines f24:8-28:3\": a letter for the kind, then the range";
      return false;
    }
    symbol_ = &rows_.tree.symbols.emplace_back();
    enter(depth_);
    if (name != std::string_view(&tree_not_shown, 1) &&
        !read_text(tree_name_escape, "the name", name, symbol_->name)) {
      return false;
    }
    row.remove_prefix(length + 1);
    return read_place(row) && read_hover(row) && read_keys(row);
  }

  // Removes the indentation from `row`, and sets depth_.
  bool read_indent(std::string_view& row) {
    depth_ = row.find_first_not_of(' ');
    if (depth_ == std::string_view::npos) return fail(row, "expected a row, found an empty line");
    std::size_t length = depth_;
    if (row.starts_with(tree_level_mark)) {
      const std::size_t end = row.find(' ');
      const std::string_view digits = row.substr(0, end).substr(tree_level_mark.size());
      const std::optional<std::size_t> depth = parse_number<std::size_t>(digits);
      if (!depth || end == std::string_view::npos) {
        return fail(digits, "expected the number of the level after \\^, then a space");
      }
      depth_ = *depth;
      length = end + 1;
    }
    if (depth_ > path_.size()) {
      return fail(row.substr(length),
                  path_.empty()
                      ? "the first row must be at level 0, without indentation"
                      : fmt::format("level {}, but the row before leaves at most level {} to this one",
                                    depth_, path_.size()));
    }
    row.remove_prefix(length);
    return true;
  }

  void enter(std::size_t depth) {
    path_.resize(depth);
    if (depth > 0) symbol_->parent = path_.back();
    path_.push_back(static_cast<std::int32_t>(rows_.tree.symbols.size() - 1));
  }

  bool read_text(const CellEscape& escape, std::string_view what, std::string_view text, std::string& out) {
    const std::optional<EscapeFault> fault = escape.append_unescaped(out, text);
    return !fault || fail(text, fmt::format("{}: {}", what, fault->message), fault->offset);
  }

  // Removes the place from `row`.
  bool read_place(std::string_view& row) {
    std::size_t kind_length = 1;
    if (row.starts_with(tree_not_shown)) {
      lacks_kind_ = true;
    } else {
      const std::optional<ReadKind> kind = read_kind(row);  // exists, because the name ended here
      symbol_->kind = kind ? kind->kind : 0;
      kind_length = kind ? kind->length : 0;
    }
    row.remove_prefix(kind_length);

    Place place;
    const std::string_view range = take_numbers(row);
    if (range.find(':') != std::string_view::npos) {
      place.kind = Place::Kind::range;
      if (!read_range(range, symbol_->range)) return false;
    } else if (!range.empty()) {
      place.kind = Place::Kind::lines;
      if (!read_lines(range)) return false;
    }
    if (row.starts_with('@')) {
      row.remove_prefix(1);
      if (!read_selection(row, place)) return false;
    }
    if (!row.empty() && row.front() != ' ' && row.front() != '\t') {
      return fail(row,
                  fmt::format("expected the end of the position (a space, a tab or the end of the line), "
                              "found {}",
                              quoted(row)));
    }
    return complete(row, place);
  }

  // Removes a possible number, position or range from `row`.
  static std::string_view take_numbers(std::string_view& row) {
    const std::string_view numbers = row.substr(0, row.find_first_not_of(numbers_and_marks));
    row.remove_prefix(numbers.size());
    return numbers;
  }

  bool read_range(std::string_view text, lsp::Range& range) {
    const Result<lsp::Range> parsed = parse_range(text);
    if (!parsed) return fail(text, parsed.error().message);
    range = *parsed;
    return true;
  }

  bool read_lines(std::string_view text) {
    const std::size_t dash = text.find('-');
    const std::string_view last = dash == std::string_view::npos ? text : text.substr(dash + 1);
    return read_line_number(text.substr(0, dash), symbol_->range.start.line) &&
           read_line_number(last, symbol_->range.end.line);
  }

  bool read_line_number(std::string_view text, std::uint32_t& line) {
    constexpr std::uint64_t most = std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1;
    const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(text);
    if (!number || *number == 0 || *number > most) {
      return fail(text, fmt::format("expected a line from 1 to 4294967296, as in 25 or 25-29, found {}",
                                    quoted(text)));
    }
    line = static_cast<std::uint32_t>(*number - 1);
    return true;
  }

  bool read_number(std::string_view text, std::uint32_t& out) {
    const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(text);
    if (!number) {
      return fail(text,
                  fmt::format("the selection: expected a number up to 4294967295, found {}", quoted(text)));
    }
    out = *number;
    return true;
  }

  // Removes the text after the `@` from `row`.
  bool read_selection(std::string_view& row, Place& place) {
    lsp::Range& selection = symbol_->selection_range;
    const bool beside_range = place.kind == Place::Kind::range;
    if (row.starts_with(tree_not_shown)) {
      if (!beside_range) return fail(row, "the selection: a ? stands only beside a range");
      row.remove_prefix(1);
      place.selection_not_shown = true;
      return true;
    }
    place.has_selection = true;
    const std::string_view text = take_numbers(row);
    const std::size_t colon = text.find(':');
    const std::size_t dash = text.find('-');
    if (colon != std::string_view::npos) {
      if (dash != std::string_view::npos) return read_range(text, selection);
      return read_number(text.substr(0, colon), selection.start.line) &&
             read_number(text.substr(colon + 1), selection.start.character) && end_with_name(text);
    }
    if (!beside_range) {
      return fail(text,
                  "the selection: expected line:column or a range, because there is no range before it");
    }
    if (text.empty()) {
      selection = symbol_->range;
      return true;
    }
    selection.start.line = selection.end.line = symbol_->range.start.line;
    if (!read_number(text.substr(0, dash), selection.start.character)) return false;
    if (dash == std::string_view::npos) return end_with_name(text);
    return read_number(text.substr(dash + 1), selection.end.character);
  }

  // The selection ends where the name does. An error is at `part`.
  bool end_with_name(std::string_view part) {
    lsp::Range& selection = symbol_->selection_range;
    const std::uint64_t end = selection.start.character + std::uint64_t{lsp::utf16_length(symbol_->name)};
    if (end > std::numeric_limits<std::uint32_t>::max()) {
      return fail(part, "the selection, as long as the name, would end above 4294967295");
    }
    selection.end = {selection.start.line, static_cast<std::uint32_t>(end)};
    return true;
  }

  // Sets the defaults for what the place does not have.
  bool complete(std::string_view part, const Place& place) {
    const lsp::Range& range = symbol_->range;
    if (place.kind != Place::Kind::range) lacks_range_ = true;
    if (place.kind == Place::Kind::none) lacks_lines_ = true;
    if (place.has_selection) {
      if (place.kind == Place::Kind::none) symbol_->range = symbol_->selection_range;
      return true;
    }
    symbol_->selection_range = {range.start, range.start};
    if (place.kind == Place::Kind::range && !place.selection_not_shown) return end_with_name(part);
    lacks_selection_ = true;
    return true;
  }

  // Removes the hover from `row`.
  bool read_hover(std::string_view& row) {
    if (!row.starts_with(' ')) return true;
    row.remove_prefix(1);
    const std::string_view text = row.substr(0, row.find('\t'));
    row.remove_prefix(text.size());
    if (text.empty()) return true;
    rows_.with_hover = true;
    rows_.hovers.resize(rows_.tree.symbols.size());
    return read_text(tree_text_escape, "the hover", text, rows_.hovers.back());
  }

  // Removes the keys from `row`; each starts with a tab.
  bool read_keys(std::string_view row) {
    std::vector<std::string_view> seen;
    while (!row.empty()) {
      row.remove_prefix(1);
      const std::string_view part = row.substr(0, row.find('\t'));
      row.remove_prefix(part.size());
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) {
        return fail(part, fmt::format("expected after a tab a key and a value, as in detail=…, found {}",
                                      quoted(part)));
      }
      const std::string_view key = part.substr(0, equals);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        return fail(key, fmt::format("the key {} appears twice", quoted(key)));
      }
      seen.push_back(key);
      if (!read_key(key, part.substr(equals + 1))) return false;
    }
    return true;
  }

  bool read_key(std::string_view key, std::string_view value) {
    if (key == tree_container_key) return read_text(tree_text_escape, key, value, symbol_->container_name);
    if (key == field_name(Field::detail)) return read_text(tree_text_escape, key, value, symbol_->detail);
    if (key == field_name(Field::tags)) return read_tags(value);
    if (key == field_name(Field::signature))
      return read_text(tree_text_escape, key, value, parts().signature);
    if (key == field_name(Field::doc)) return read_text(tree_text_escape, key, value, parts().prose);
    return is_derived(key) ||
           fail(key,
                fmt::format("unknown key {}; the keys are in, detail, tags, lines, signature, doc, depth and "
                            "children",
                            quoted(key)));
  }

  HoverText& parts() {
    rows_.hover_parts.resize(rows_.tree.symbols.size());
    return rows_.hover_parts.back();
  }

  // Numbers separated by one space.
  bool read_tags(std::string_view value) {
    for (std::size_t start = 0; start <= value.size();) {
      const std::size_t blank = std::min(value.find(' ', start), value.size());
      const std::string_view text = value.substr(start, blank - start);
      const std::optional<std::int64_t> tag = parse_number<std::int64_t>(text);
      if (!tag) return fail(text, fmt::format("tags: expected numbers, as in 1 2, found {}", quoted(text)));
      symbol_->tags.push_back(*tag);
      start = blank + 1;
    }
    return true;
  }

  std::size_t depth_ = 0;
  std::vector<std::int32_t> path_;  // [i] is the previous row's ancestor at level i, that row itself last
  SymbolRows rows_;
  lsp::DocumentSymbol* symbol_ = nullptr;  // the last of rows_
  bool lacks_kind_ = false;                // in at least one row
  bool lacks_range_ = false;
  bool lacks_selection_ = false;
  bool lacks_lines_ = false;
};

}  // namespace

Result<SymbolRows> read_tree(std::string_view text) {
  return TreeReader(text).read();
}

}  // namespace symbols::table
