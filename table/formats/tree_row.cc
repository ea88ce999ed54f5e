#include "table/formats/tree_row.h"

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/formats/range_text.h"
#include "table/rows.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr std::size_t full_row = 100;  // bytes

constexpr std::string_view digits = "0123456789";
constexpr auto npos = std::string_view::npos;

// Whether `text` may follow `@`.
bool is_selection(std::string_view text) {
  if (text.empty() || text == "!" || text == "?") return true;
  if (!take_digits(text)) return false;
  const bool with_line = take_mark(text, ':');
  if (with_line && !take_digits(text)) return false;
  if (text.empty()) return true;
  return take_mark(text, '-') && take_digits(text) &&
         (!with_line || (take_mark(text, ':') && take_digits(text))) && text.empty();
}

// Whether `text` may follow `:`.
bool is_start_or_end(std::string_view text) {
  if (text == "-") return true;
  if (!take_digits(text)) return false;
  take_mark(text, '-');
  take_digits(text);
  return text.empty();
}

// `symbol` without the part at its end that starts with `mark`, has only `characters` after it, and satisfies
// `is_part`; all of `symbol` if there is no such part.
template <class Predicate>
std::string_view without_part(std::string_view symbol, char mark, std::string_view characters,
                              Predicate is_part) {
  const std::size_t at = symbol.find_last_not_of(characters);
  const bool found = at != npos && at > 0 && symbol[at] == mark && is_part(symbol.substr(at + 1));
  return found ? symbol.substr(0, at) : symbol;
}

// Whether the word `operator` is in the name, at its start or after `.` or `:`, and not as part of a longer
// word: `operator==`, `Foo::operator bool`.
bool names_operator(std::string_view name) {
  constexpr std::string_view word = "operator";
  for (std::size_t at = name.find(word); at != npos; at = name.find(word, at + 1)) {
    const bool begins = at == 0 || name[at - 1] == '.' || name[at - 1] == ':';
    const std::size_t end = at + word.size();
    if (begins && (end == name.size() || !is_word(name[end]))) return true;
  }
  return false;
}

}  // namespace

void append_tree_name(std::string& out, std::string_view name, bool after_place) {
  const bool looks_like_place = !after_place && !name.empty() && tree_place_length(name) == name.size();
  const bool is_plain = !name.empty() && name != tree_not_shown && name.find_first_of(" ,`") == npos &&
                        tree_columns_start(name) == name.size() && !looks_like_place &&
                        !name.ends_with(folded_after_mark);
  if (is_plain) {
    tree_text_escape.append(out, name);
    return;
  }
  out += tree_quote;
  tree_quoted_escape.append(out, name);
  out += tree_quote;
}

std::size_t tree_columns_start(std::string_view symbol) {
  // Most names end in none of these characters.
  const char last = symbol.empty() ? 'a' : symbol.back();
  if (!is_digit(last) && last != '@' && last != '!' && last != '?' && last != '-') return symbol.size();
  const std::size_t length = symbol.size();
  symbol = without_part(symbol, '+', digits, [](std::string_view part) { return !part.empty(); });
  if (symbol.size() < length && symbol.size() > folded_after_mark.size() &&
      symbol.ends_with(folded_after_mark)) {
    symbol.remove_suffix(folded_after_mark.size());
  }
  symbol = without_part(symbol, '@', "0123456789:-!?", is_selection);
  symbol = without_part(symbol, ':', "0123456789-", is_start_or_end);
  return symbol.size();
}

std::size_t tree_place_length(std::string_view text) {
  std::string_view rest = text;
  if (take_mark(rest, '<')) {
    take_mark(rest, '-');
    if (!take_digits(rest) || !take_mark(rest, '>')) return 0;
  } else if (!take_mark(rest, tree_not_shown.front())) {
    const std::size_t line = text.find_first_of(digits);  // most names have none
    if (line == npos) return 0;
    const std::optional<ReadKind> kind = read_kind(text.substr(0, line));
    if (!kind || kind->length != line) return 0;
    rest.remove_prefix(line);
  }
  if (!take_digits(rest)) return 0;
  std::string_view end = rest;
  if (take_mark(end, '-') && take_digits(end)) rest = end;
  return text.size() - rest.size();
}

std::uint64_t tree_name_length(std::string_view name) {
  const bool simple = name.find_first_of(".:<") == npos && !name.starts_with('o');
  if (!simple) {
    if (names_operator(name)) return 8;
    const std::size_t arguments = name.find('<', 1);
    name = name.substr(0, arguments);
    const std::size_t mark = name.size() < 2 ? npos : name.find_last_of(".:", name.size() - 2);
    if (mark != npos) name.remove_prefix(mark + 1);
  }
  return lsp::find_non_ascii(name) == npos ? name.size() : lsp::utf16_length(name);
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

void TreeRows::add(const Symbol& symbol) {
  if (!joins(symbol)) {
    if (any_) *out_ += '\n';
    any_ = true;
    *out_ += symbol.position;
    row_start_ = out_->size();
    if (symbol.depth <= tree_deepest_indent) {
      out_->append(symbol.depth, ' ');
    } else {
      *out_ += tree_level_mark;
      append_number(*out_, symbol.depth);
      *out_ += ' ';
    }
    append_tree_place(*out_, symbol.place);
    append_name(symbol, true);
    *out_ += symbol.columns;
    *out_ += symbol.keys;
    open_ = !has_own_row(symbol) && symbol.place.line;
  }
  depth_ = symbol.depth;
  last_ = symbol.place;
}

// Appends the symbol to the row before, if it belongs there and fits.
bool TreeRows::joins(const Symbol& symbol) {
  const TreePlace& place = symbol.place;
  if (!open_ || depth_ != symbol.depth || has_own_row(symbol)) return false;
  const std::size_t before = out_->size();
  if (before - row_start_ >= full_row) return false;
  const bool same_form = place.kind == last_.kind && !place.shows_last() && !last_.shows_last();
  if (same_form && (place.line == last_.line || *place.line == *last_.line + 1)) {
    *out_ += place.line == last_.line ? ',' : ' ';
    append_name(symbol, false);
  } else {
    *out_ += ' ';
    append_tree_place(*out_, place);
    append_name(symbol, true);
  }
  *out_ += symbol.columns;
  if (out_->size() - row_start_ <= full_row) return true;
  out_->resize(before);
  return false;
}

void TreeRows::append_name(const Symbol& symbol, bool after_place) {
  if (symbol.place.name_shown) {
    append_tree_name(*out_, symbol.name, after_place);
  } else {
    *out_ += tree_not_shown;
  }
}

}  // namespace symbols::table
