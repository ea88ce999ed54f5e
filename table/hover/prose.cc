#include "table/hover/prose.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text.h"
#include "lsp/position.h"
#include "table/one_line.h"
#include "table/signature_text.h"

namespace symbols::table {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view em_dash = "\u2014";
constexpr std::string_view en_dash = "\u2013";

// Tags of JSDoc, TSDoc and Doxygen that are followed by a name.
constexpr std::string_view tags_with_name =
    "param arg argument property prop template tparam typeParam typeparam retval var";
// Tags about time, author and heading, which the reader of an outline does not need.
constexpr std::string_view dropped_tags = "since category author version";
// Tags that only mark a text as documentation: the words go, the text stays.
constexpr std::string_view bare_tags = "brief short rst endrst";

std::size_t skip_blanks(std::string_view line, std::size_t from) {
  while (from < line.size() && is_whitespace(line[from])) ++from;
  return from;
}

std::size_t skip_name(std::string_view line, std::size_t from) {
  if (from < line.size() && line[from] == '[') return bracket_end(line, from);
  while (from < line.size() && !is_whitespace(line[from])) ++from;
  return from;
}

// Bytes of a separate dash at `from`, 0 if there is none.
std::size_t dash_length(std::string_view line, std::size_t from, bool hyphen_too) {
  const std::string_view rest = line.substr(from);
  std::size_t length = 0;
  if (rest.starts_with(em_dash) || rest.starts_with(en_dash)) length = em_dash.size();
  if (hyphen_too && rest.starts_with('-')) length = 1;
  if (length == 0 || (length < rest.size() && !is_whitespace(rest[length]))) return 0;
  return length;
}

// Whether `text` is an address and nothing else.
bool is_web_address(std::string_view text) {
  text = trim(text);
  return (text.starts_with("https://") || text.starts_with("http://")) &&
         text.find_first_of(" \t") == std::string_view::npos;
}

void append_line(std::string& out, std::string_view line) {
  const auto keep = [&] { out += line; };
  const std::size_t start = skip_blanks(line, 0);
  if (start >= line.size() || (line[start] != '@' && line[start] != '\\')) return keep();
  std::size_t end = start + 1;
  while (end < line.size() && is_letter(line[end])) ++end;
  const std::string_view tag = line.substr(start + 1, end - start - 1);
  if (tag.empty()) return keep();
  if (is_among(tag, dropped_tags)) return;

  if (is_among(tag, bare_tags)) {
    out += line.substr(skip_blanks(line, end));
    return;
  }

  if ((tag == "see" || tag == "sa") && is_web_address(line.substr(end))) return;

  std::size_t dash = skip_blanks(line, end);
  std::size_t length = dash_length(line, dash, false);
  if (length == 0 && is_among(tag, tags_with_name)) {
    if (end < line.size() && line[end] == '[') end = bracket_end(line, end);  // \param[in]
    std::size_t name = skip_blanks(line, end);
    if (name < line.size() && line[name] == '{') name = skip_blanks(line, bracket_end(line, name));
    dash = skip_blanks(line, skip_name(line, name));
    if (dash > name) length = dash_length(line, dash, true);
  }
  if (length == 0) return keep();
  out += line.substr(0, dash);
  out += line.substr(skip_blanks(line, dash + length));
}

// Abbreviations, in lower case and without the dot: a dot after them ends no sentence. `etc` is not among
// them: it usually ends a sentence, and if it does not, a lower-case letter follows.
constexpr std::array abbreviations{"eg"sv, "ie"sv, "cf"sv,  "vs"sv,   "resp"sv, "approx"sv, "incl"sv, "fig"sv,
                                   "no"sv, "eq"sv, "sec"sv, "ch"sv,   "pp"sv,   "vol"sv,    "mr"sv,   "mrs"sv,
                                   "ms"sv, "dr"sv, "st"sv,  "prof"sv, "viz"sv,  "ca"sv};
// Abbreviations that are also words: they count only before a number (`no. 5`).
constexpr std::array before_numbers{"no"sv, "fig"sv, "eq"sv, "sec"sv, "ch"sv, "pp"sv, "vol"sv, "st"sv};

constexpr std::array wide_ends{"。"sv, "！"sv, "？"sv};
constexpr std::array closing_marks{"\""sv, "'"sv, ")"sv, "]"sv, "*"sv, "”"sv, "’"sv, "»"sv};

template <class Marks>
std::size_t mark_at(std::string_view text, const Marks& marks) {
  for (const std::string_view mark : marks) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

template <class Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::ranges::any_of(
      words, [&](std::string_view known) { return std::ranges::equal(word, known, {}, lower_case); });
}

// Single letters with dots between them: e.g, i.e, U.S.
bool is_dotted(std::string_view word) {
  if (word.size() < 3 || word.size() % 2 == 0) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 0 ? !is_letter(word[i]) : word[i] != '.') return false;
  }
  return true;
}

// Whether the dot after `before` belongs to an abbreviation or a list number. `next` is the text after the
// dot and its whitespace.
bool is_part_of_a_word(std::string_view before, char next) {
  std::size_t start = before.size();
  while (start > 0 && (is_word(before[start - 1]) || before[start - 1] == '.')) --start;
  const std::string_view word = before.substr(start);
  if (word.empty()) return false;
  if (is_one_of(word, before_numbers)) return is_digit(next);
  if (is_one_of(word, abbreviations)) return true;
  if (is_dotted(word)) return true;
  return start == 0 && std::ranges::all_of(word, is_digit);
}

// `prose` up to `end`, without trailing spaces.
std::string_view up_to(std::string_view prose, std::size_t end) {
  while (end > 0 && prose[end - 1] == ' ') --end;
  return prose.substr(0, end);
}

}  // namespace

std::string prose_text(std::span<const MarkdownBlock> blocks) {
  std::string prose;
  for (const MarkdownBlock& block : blocks) {
    switch (block.kind) {
      case MarkdownBlock::Kind::paragraph:
      case MarkdownBlock::Kind::heading:
        prose += tidy_tags(block.text);
        break;
      case MarkdownBlock::Kind::code:
        prose += block.text;
        break;
      case MarkdownBlock::Kind::ruler:
        continue;
    }
    prose += '\n';
  }
  return prose;
}

std::string tidy_tags(std::string_view prose) {
  std::string out;
  out.reserve(prose.size());
  for (;;) {
    const std::size_t end = prose.find('\n');
    append_line(out, prose.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    prose.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines = lsp::split_lines(text);
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string prose_line(std::string_view prose) {
  const std::string line = fold_whitespace(prose);
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word != "-" && word != "*" && word != "+" && word != en_dash && word != em_dash) break;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return std::string(rest);
}

std::string code_line(std::string_view code) {
  if (!trim(code).starts_with("#define")) return fold_whitespace(code);
  std::string joined;
  for (std::string_view line : split_lines(code)) {
    if (line.ends_with('\\')) line.remove_suffix(1);
    joined.append(line).append(1, '\n');
  }
  return fold_whitespace(joined);
}

std::string_view first_sentence(std::string_view prose) {
  const std::size_t first = prose.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  prose.remove_prefix(first);

  std::size_t i = 0;
  while (i < prose.size()) {
    const char c = prose[i];
    if (c == '`') {
      const std::size_t closing = prose.find('`', i + 1);
      i = closing == std::string_view::npos ? i + 1 : closing + 1;
      continue;
    }
    if (c == ' ' && i + 2 < prose.size() && prose[i + 1] == '@' && is_letter(prose[i + 2]))
      return up_to(prose, i);
    if (const std::size_t wide = mark_at(prose.substr(i), wide_ends)) {
      std::size_t end = i + wide;
      while (const std::size_t mark = mark_at(prose.substr(end), closing_marks)) end += mark;
      return prose.substr(0, end);
    }
    const std::size_t ellipsis = prose.substr(i).starts_with("…") ? "…"sv.size() : 0;
    const bool is_mark = c == '.' || c == '!' || c == '?' || ellipsis > 0;
    if (!is_mark) {
      ++i;
      continue;
    }
    std::size_t end = i + std::max<std::size_t>(ellipsis, 1);
    while (end < prose.size() && (prose[end] == '.' || prose[end] == '!' || prose[end] == '?')) ++end;
    while (const std::size_t mark = mark_at(prose.substr(end), closing_marks)) end += mark;
    const std::size_t next = std::min(prose.find_first_not_of(' ', end), prose.size());
    if (next == prose.size()) return up_to(prose, next);
    const bool goes_on = next == end || is_lower(prose[next]) ||
                         (c == '.' && is_part_of_a_word(prose.substr(0, i), prose[next]));
    if (!goes_on) return prose.substr(0, end);
    i = end;
  }
  return up_to(prose, prose.size());
}

}  // namespace symbols::table
