#include "table/hover/first_sentence.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace symbols::table {
namespace {

using namespace std::string_view_literals;

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
