#include "proxy/index/name_match.h"

#include <algorithm>

#include "table/whitespace.h"

namespace symbols::index {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_equal(char one, char other) {
  return table::lower_case(one) == table::lower_case(other);
}
bool is_word(char c) {
  return table::is_letter(c) || table::is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// `HTTPServer_v2`: at H, S, v, 2.
bool starts_word(std::string_view name, std::size_t at) {
  if (!is_word(name[at])) return false;
  if (at == 0 || !is_word(name[at - 1])) return true;
  const char before = name[at - 1];
  if (is_upper(name[at])) return !is_upper(before) || (at + 1 < name.size() && is_lower(name[at + 1]));
  return table::is_digit(name[at]) && !table::is_digit(before);
}

// Names and queries are short: trying each start of a word anew is quick. `steps` bounds what names that are
// made to be slow cost.
bool fits_words(std::string_view name, std::string_view query, std::size_t from, bool goes_on, int& steps) {
  if (query.empty()) return true;
  if (++steps > 2000) return false;
  if (goes_on && from < name.size() && is_equal(name[from], query.front()) &&
      fits_words(name, query.substr(1), from + 1, true, steps)) {
    return true;
  }
  for (std::size_t at = from; at < name.size(); ++at) {
    if (is_equal(name[at], query.front()) && starts_word(name, at) &&
        fits_words(name, query.substr(1), at + 1, true, steps)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<NameFit> name_fit(std::string_view name, std::string_view query) {
  if (query.empty() || query.size() > name.size()) return {};
  const auto begin = name.begin();
  auto found = std::search(begin, name.end(), query.begin(), query.end(), is_equal);
  if (found == name.end()) {
    int steps = 0;
    if (fits_words(name, query, 0, false, steps)) return NameFit::words;
    return {};
  }
  if (found == begin) {
    const bool same_case = name.starts_with(query);
    if (query.size() == name.size()) return same_case ? NameFit::exact_case : NameFit::exact;
    return same_case ? NameFit::prefix_case : NameFit::prefix;
  }
  for (; found != name.end();
       found = std::search(found + 1, name.end(), query.begin(), query.end(), is_equal)) {
    if (starts_word(name, static_cast<std::size_t>(found - begin))) return NameFit::word_start;
  }
  return NameFit::inside;
}

QualifiedName split_name(std::string_view text) {
  const std::size_t colons = text.rfind("::");
  const std::size_t dot = text.rfind('.');
  const std::size_t start = std::max(colons == text.npos ? 0 : colons + 2, dot == text.npos ? 0 : dot + 1);
  if (start == 0 || start == text.size()) return {{}, text};
  return {text.substr(0, start == colons + 2 && colons != text.npos ? colons : start - 1),
          text.substr(start)};
}

bool ends_in_qualifier(std::string_view container, std::string_view qualifier) {
  if (qualifier.size() > container.size()) return false;
  const std::string_view end = container.substr(container.size() - qualifier.size());
  if (!std::equal(end.begin(), end.end(), qualifier.begin(), qualifier.end(), is_equal)) return false;
  const std::string_view before = container.substr(0, container.size() - qualifier.size());
  return before.empty() || before.ends_with("::") || before.ends_with('.');
}

}  // namespace symbols::index
