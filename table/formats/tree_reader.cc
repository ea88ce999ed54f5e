#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "table/formats/range_text.h"
#include "table/formats/tree_columns_reader.h"
#include "table/formats/tree_format.h"
#include "table/formats/tree_row.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

// Reads line by line. Functions that return false have set error_.
class TreeReader : private TreeColumnsReader {
 public:
  explicit TreeReader(std::string_view text) : TreeColumnsReader("the tree", text) {}

  Result<SymbolRows> read() {
    constexpr std::size_t symbol_size = 12;  // bytes; most symbols take more
    rows_.all.reserve(rest_.size() / symbol_size + 1);

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
                     path_.empty()
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
      if (place_.first_line == std::numeric_limits<std::uint32_t>::max())
        return fail_in(row, "a line above 4294967296");
      ++place_.first_line;
    }
    place_.last_line = place_.first_line;
    return true;
  }

  // Removes a name and its columns from `row`.
  bool read_symbol(std::string_view& row) {
    symbol_ = &rows_.all.emplace_back();
    symbol_->kind = place_.kind;
    path_.resize(depth_);
    if (depth_ > 0) symbol_->parent = path_.back();
    path_.push_back(static_cast<std::int32_t>(rows_.size() - 1));

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
    switch (field) {
      case Field::detail:
      case Field::signature:
      case Field::doc:
        return read_text(tree_text_escape, key, value, *text_of(*symbol_, field));
      case Field::tags:
        return read_tags(value);
      case Field::selection:
        return read_selection_key(value);
      case Field::lines:
      case Field::depth:
      case Field::children:
        return true;  // follow from the others
      default:
        return fail_in(key, fmt::format("unknown key {}; the keys are in, detail, tags, selection, lines, "
                                        "signature, doc, depth and children",
                                        quoted(key)));
    }
  }

  // The selection of a symbol without a range, which becomes its range too.
  bool read_selection_key(std::string_view value) {
    if (holds_selections()) return fail_in(value, "the selection is already after the name");
    const Result<lsp::Range> selection = parse_range(value);
    if (!selection) return fail_in(value, selection.error().message);
    symbol_->selection_range = *selection;
    if (!place_.has_line) symbol_->range = *selection;
    --without_selection_;
    return true;
  }

  bool read_tags(std::string_view value) {
    const std::optional<std::string_view> wrong = read_numbers(value, symbol_->tags);
    return !wrong ||
           fail_in(*wrong, fmt::format("tags: expected numbers, as in 1 2, found {}", quoted(*wrong)));
  }

  std::vector<std::int32_t> path_;  // [i] is the row before's ancestor at level i, itself last
  SymbolRows rows_;
};

}  // namespace

Result<SymbolRows> read_tree(std::string_view text) {
  return TreeReader(text).read();
}

}  // namespace symbols::table
