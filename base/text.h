// Text: characters of ASCII, which are enough for Markdown, C-like languages and protocols; the parts of a
// text; numbers in it; the distance between two names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace symbols {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
// Bytes of identifiers in most languages, with `$` and every byte of a character beyond ASCII.
constexpr bool is_identifier(char c) {
  return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_whitespace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr char lower_case(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper_case(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

// The word of identifier characters that starts at `at`; empty where none does.
inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_identifier(text[end])) ++end;
  return text.substr(at, end - at);
}

// Gives each word of identifier characters to `use`.
template <class Use>
void for_each_word(std::string_view text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = word_at(text, at);
    if (!word.empty()) use(word);
    at += word.size() + 1;
  }
}

// Whether the identifier `word` stands in `text`, not as a part of a longer one.
inline bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_identifier(text[at - 1])) && (end == text.size() || !is_identifier(text[end])))
      return true;
  }
  return false;
}

// `text` without whitespace, or the characters `blanks`, at its ends.
inline std::string_view trim(std::string_view text, std::string_view blanks = " \t\n\v\f\r") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);  // npos + 1 is 0
}

// Removes the first part from `text`, with the separator behind it, and returns it: a view.
inline std::string_view take_part(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// Views into `text`. A text that ends in the separator has no empty last part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) parts.push_back(take_part(text, separator));
  return parts;
}

// "1 file", "2 files".
inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Whether `word` is one of `words`, which single spaces separate.
inline bool is_among(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    if (take_part(words, ' ') == word) return true;
  }
  return false;
}

// The first bytes of what another program wrote, in quotes and printable ASCII, for messages: 'Usage:\x0A…'.
inline std::string quoted_start(std::string_view bytes) {
  constexpr std::size_t max_shown = 60;
  std::string out = "'";
  for (const char c : bytes.substr(0, max_shown)) {
    if (c >= 0x20 && c < 0x7F) {
      out += c;
    } else {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out + (bytes.size() > max_shown ? "…'" : "'");
}

// Appends decimal digits, without a format string or an allocation.
template <class Integer>
void append_number(std::string& out, Integer number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

// The number that the whole of `text` is: digits, with a minus before them where Integer has a sign. None for
// anything else, and for a number that an Integer cannot hold.
template <class Integer>
std::optional<Integer> whole_number(std::string_view text, int base = 10) {
  Integer number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// The decimal number that `text` starts with, such as 5 for "5.9.2"; what follows it must be the end or a
// dot. None if there is no such number, or an int cannot hold it, or it is negative.
inline std::optional<int> leading_number(std::string_view text) {
  const std::optional<int> number = whole_number<int>(text.substr(0, text.find('.')));
  return number >= 0 ? number : std::nullopt;
}

// The number of bytes to insert, remove or change (Levenshtein). Time grows with the product of both.
inline std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t k = 0; k < other.size(); ++k) {
      const std::size_t change = diagonal + (one[i] == other[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({change, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

// Hashes strings for a lookup by view, without a copy, in an unordered container with std::equal_to<>.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// A file that CMake builds into the program (cmake/embed_files.cmake).
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace symbols
