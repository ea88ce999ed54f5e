#include "table/formats/tree_text.h"

#include <re2/re2.h>

#include <array>

#include "lsp/unicode.h"
#include "table/rows.h"

namespace symbols::table {
namespace {

// How many UTF-16 units the name takes in the source: 8 for an operator, that is a name with
// the word `operator` at its start or after `.` or `:`; else the part before the first `<`,
// of that what follows the last `.` or `:`. `name` must be valid UTF-8.
std::uint64_t source_length(std::string_view name) {
  const bool simple = name.find_first_of(".:<") == std::string_view::npos && !name.starts_with('o');
  if (!simple) {
    static const re2::RE2 operators(R"((^|[.:])operator(\W|$))", re2::RE2::Latin1);
    const bool is_operator =
        name.find("operator") != std::string_view::npos && re2::RE2::PartialMatch(name, operators);
    if (is_operator) return 8;
    name = name.substr(0, name.find('<', 1));
    const std::size_t mark =
        name.size() < 2 ? std::string_view::npos : name.find_last_of(".:", name.size() - 2);
    if (mark != std::string_view::npos) name.remove_prefix(mark + 1);
  }
  return lsp::find_non_ascii(name) == std::string_view::npos ? name.size() : lsp::utf16_length(name);
}

}  // namespace

void append_tree_name(std::string& out, std::string_view name, bool after_place) {
  const bool is_plain = !name.empty() && name != tree_not_shown &&
                        name.find_first_of(" ,`") == std::string_view::npos &&
                        split_tree_symbol(name).columns.empty() && (after_place || !is_tree_place(name)) &&
                        !name.ends_with(folded_after_mark);
  if (is_plain) return plain_escape.append(out, name);
  out += tree_quote;
  tree_quoted_escape.append(out, name);
  out += tree_quote;
}

TreeSymbolText split_tree_symbol(std::string_view symbol) {
  TreeSymbolText parts{.name = symbol};
  // Most names end in none of these characters.
  const char last = symbol.empty() ? 'a' : symbol.back();
  if (!is_digit(last) && last != '@' && last != '!' && last != '?' && last != '-') return parts;
  // From the last character of the name on. In bytes, as names may be anything.
  static const re2::RE2 columns(
      R"((?s:.)(?::(?:-|(\d+)-(\d*)|(\d+)))?(@(?:[!?]|\d+(?:-\d+)?|\d+:\d+(?:-\d+:\d+)?)?)?)"
      R"((?:(\xE2\x80\xA6)?\+(\d+))?$)",
      re2::RE2::Latin1);
  std::array<re2::StringPiece, 7> found;
  columns.Match(symbol, 0, symbol.size(), re2::RE2::UNANCHORED, found.data(), 7);
  parts.columns = std::string_view(found[0]).substr(1);
  parts.name.remove_suffix(parts.columns.size());
  parts.start = found[1];
  parts.end = found[2].empty() ? found[3] : found[2];
  if (!found[4].empty()) parts.selection = std::string_view(found[4]).substr(1);
  parts.folded_mark = found[5];
  parts.folded = found[6];
  return parts;
}

std::optional<TreePlaceText> split_tree_place(std::string_view text) {
  static const re2::RE2 place(R"((<-?\d+>|\?|[A-Za-z]+)(?:(\d+)(?:-(\d+))?)?)", re2::RE2::Latin1);
  std::array<re2::StringPiece, 4> found;
  if (!place.Match(text, 0, text.size(), re2::RE2::ANCHOR_BOTH, found.data(), 4)) return {};
  if (is_letter(text.front()) && !read_kind(found[1])) return {};
  return TreePlaceText{found[1], found[2], found[3]};
}

bool is_tree_place(std::string_view text) {
  if (text.find_first_of("0123456789") == std::string_view::npos) return false;  // as most names
  const std::optional<TreePlaceText> place = split_tree_place(text);
  return place && !place->first.empty();
}

void TreePlace::set_lines(const lsp::Range& range, bool all_ends) {
  line = std::uint64_t{range.start.line} + 1;
  if (all_ends || is_long(range)) last_line = std::uint64_t{range.end.line} + 1;
}

void append_tree_place(std::string& out, const TreePlace& place) {
  if (place.kind) {
    append_kind(out, *place.kind, place.kind_names);
  } else {
    out += tree_not_shown;
  }
  if (place.line) append_number(out, *place.line);
  if (place.shows_last()) {
    out += '-';
    append_number(out, *place.last_line);
  }
  out += ' ';
}

void TreeColumns::enter(std::size_t depth, std::int64_t kind, std::uint32_t first_line,
                        std::uint32_t last_line, std::string_view name) {
  depth_ = depth;
  if (path_.size() > depth + 1) path_.resize(depth + 1);
  first_line_ = first_line;
  one_line_ = first_line == last_line;
  name_ = name;
  name_length_ = static_cast<std::int64_t>(source_length(name));
  before_ = &before_of_[{depth, kind, one_line_}];
}

std::int64_t TreeColumns::start() const {
  if (depth_ < path_.size()) {
    const Neighbour& beside = path_[depth_];
    if (beside.last_line == first_line_) return std::int64_t{beside.end} + 2;
  } else if (depth_ > 0 && depth_ <= path_.size()) {
    const Neighbour& above = path_[depth_ - 1];
    if (above.selection.start.line == first_line_) return std::int64_t{above.selection.end.character} + 1;
  }
  return before_->start;
}

std::int64_t TreeColumns::end(std::int64_t start, std::int64_t name_end) const {
  if (!one_line_) return before_->end < 0 ? start + 1 : before_->end;
  const auto known = tails_.find(name_);
  return name_end + (known == tails_.end() ? before_->tail : known->second);
}

void TreeColumns::leave(const lsp::Range& range, const lsp::Range& selection, TreeSelection form) {
  const std::int64_t tail = range.end.character - name_end(range, selection, form.form);
  before_->start = range.start.character;
  if (form.form != TreeSelection::Form::other) before_->selection = form;
  before_->end = range.end.character;
  before_->tail = tail;
  if (one_line_) tails_[std::string(name_)] = tail;
  path_.resize(depth_ + 1);  // a level that was skipped, which no tree has, would be all zeros
  path_[depth_] = {range.end.line, range.end.character, selection};
}

}  // namespace symbols::table
