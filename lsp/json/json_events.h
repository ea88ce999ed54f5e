// Reads JSON as events, for large replies of which little is kept: strings without escapes are views of the
// text, whole numbers are converted while they are scanned, nesting costs no stack, and a handler may read an
// object by itself. The 2.6 MB of lib.dom.d.ts become symbols in half the time that RapidJSON's SAX reader
// takes to discard them (bench/render.mjs: 2.8 ms against 5.2); with RapidJSON's iterative reader in its
// place it would be 1.4 times that, and the whole table more than twice. As strict as RapidJSON except for
// numbers: one that no double can hold is infinite here, not an error.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/ascii.h"
#include "lsp/json/json.h"

namespace symbols::lsp {

// What is wrong with a text, and where.
struct JsonFault {
  std::size_t offset = 0;         // in bytes
  const char* message = nullptr;  // null if the handler stopped, at the value that starts there
};

// Calls a Handler for the parts of a JSON value in order. Each of its functions returns whether to continue:
//
//   bool null();  bool boolean(bool);  bool integer(std::int64_t);  bool fraction(double);
//   bool string(std::string_view);  bool key(std::string_view);
//   std::size_t read_object(std::string_view rest);
//   bool start_object();  bool end_object();  bool start_array();  bool end_array();
//
// read_object is called first: `rest` starts with an object. If the handler reads that itself it returns its
// length in bytes, else 0. Strings are unescaped, a lone surrogate as U+FFFD; bytes that are not UTF-8 are
// kept. A whole number above the range of std::int64_t becomes its maximum; from 2^64 on, or below the range,
// it becomes a fraction. Views live until the function returns.
template <class Handler>
class JsonEvents {
 public:
  // Both must outlive this.
  JsonEvents(std::string_view json, Handler& handler)
      : begin_(json.data()), at_(begin_), end_(begin_ + json.size()), handler_(handler) {}

  // Reads the value at the start of the text, after optional whitespace; what follows is not read. None on
  // success.
  std::optional<JsonFault> read() {
    if (read_value()) return {};
    return fault_;
  }

 private:
  enum class Nesting : char { object, array };

  bool read_value() {
    skip_whitespace();
    if (at_ == end_) return fail("The document is empty.");
    for (;;) {
      // At the start of a value.
      switch (peek()) {
        case '{':
          if (const std::size_t length = handler_.read_object({at_, static_cast<std::size_t>(end_ - at_)})) {
            at_ += length;
            break;
          }
          if (!open(Nesting::object, handler_.start_object())) return false;
          if (peek() == '}') break;
          if (!read_key()) return false;
          continue;
        case '[':
          if (!open(Nesting::array, handler_.start_array())) return false;
          if (peek() == ']') break;
          continue;
        case '"': {
          const char* const start = at_;
          const std::optional<std::string_view> text = read_string();
          if (!text) return false;
          if (!handler_.string(*text)) return stop(start);
          break;
        }
        default:
          if (!read_word_or_number()) return false;
      }
      // After a value.
      for (;;) {
        if (open_.empty()) return true;
        skip_whitespace();
        const bool in_object = open_.back() == Nesting::object;
        const char c = peek();
        if (c == ',') {
          ++at_;
          skip_whitespace();
          if (in_object && !read_key()) return false;
          break;
        }
        if (c != (in_object ? '}' : ']')) {
          return fail(in_object ? "Missing a comma or '}' after an object member."
                                : "Missing a comma or ']' after an array element.");
        }
        open_.pop_back();
        if (!(in_object ? handler_.end_object() : handler_.end_array())) return stop(at_);
        ++at_;
      }
    }
  }

  // NUL, which JSON does not use, at the end of the text.
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  void skip_whitespace() {
    const char* at = at_;
    while (at != end_ && is_json_whitespace(*at)) ++at;
    at_ = at;
  }
  bool fail(const char* message) {
    fault_ = {static_cast<std::size_t>(at_ - begin_), message};
    return false;
  }
  bool stop(const char* start) {
    fault_ = {static_cast<std::size_t>(start - begin_), nullptr};
    return false;
  }

  bool open(Nesting nesting, bool go_on) {
    if (!go_on) return stop(at_);
    open_.push_back(nesting);
    ++at_;
    skip_whitespace();
    return true;
  }

  // Leaves at_ at the start of the member's value.
  bool read_key() {
    if (peek() != '"') return fail("Missing a name for object member.");
    const char* const start = at_;
    const std::optional<std::string_view> key = read_string();
    if (!key) return false;
    if (!handler_.key(*key)) return stop(start);
    skip_whitespace();
    if (peek() != ':') return fail("Missing a colon after a name of object member.");
    ++at_;
    skip_whitespace();
    return true;
  }

  // at_ is at the opening quote, and after the closing one afterwards.
  std::optional<std::string_view> read_string() {
    const char* const start = at_ + 1;
    at_ = skip_plain(start);
    if (peek() == '"') return std::string_view(start, static_cast<std::size_t>(at_++ - start));
    while (at_ != end_ && *at_ != '"') {
      if (is_plain(*at_)) {
        at_ = skip_plain(at_);
      } else if (*at_ != '\\' || !skip_escape()) {
        if (*at_ != '\\') fail("Invalid escape character in string.");
        return {};
      }
    }
    if (at_ == end_) return fail("Missing a closing quotation mark in string."), std::nullopt;
    return unescape_json_string({start, static_cast<std::size_t>(at_++ - start)}, unescaped_);
  }
  bool skip_escape() {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    constexpr std::string_view letters = "\"\\/bfnrt";
    if (rest.size() > 1 && letters.find(rest[1]) != std::string_view::npos) {
      at_ += 2;
      return true;
    }
    if (rest.size() < 2 || rest[1] != 'u') return fail("Invalid escape character in string.");
    constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";
    if (rest.size() < 6 || rest.substr(2, 4).find_first_not_of(hex_digits) != std::string_view::npos) {
      return fail("Incorrect hex digit after \\u escape in string.");
    }
    at_ += 6;
    return true;
  }

  bool read_word_or_number() {
    const char* const start = at_;
    if (peek() == '-' || is_digit(peek())) return read_number();
    if (skip_word("null")) return handler_.null() || stop(start);
    if (skip_word("true")) return handler_.boolean(true) || stop(start);
    if (skip_word("false")) return handler_.boolean(false) || stop(start);
    return fail("Invalid value.");
  }
  bool skip_word(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool read_number() {
    const char* const start = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    const char* const digits = at_;
    std::uint64_t value = 0;
    const char* at = digits;
    for (; at != end_ && is_digit(*at); ++at) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    at_ = at;
    if (at_ == digits) return fail("Invalid value.");
    if (*digits == '0' && at_ != digits + 1) {  // ends after the zero: what follows is an error there
      at_ = digits + 1;
      return handler_.integer(0) || stop(start);
    }
    constexpr std::ptrdiff_t safe_digits = 18;  // any number of so few fits
    if (peek() == '.' || peek() == 'e' || peek() == 'E' || at_ - digits > safe_digits) {
      return read_long_number(start);
    }
    const auto number = static_cast<std::int64_t>(value);
    return handler_.integer(negative ? -number : number) || stop(start);
  }
  // A number with a fraction, an exponent or many digits; at_ is after its first digits.
  bool read_long_number(const char* start) {
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++at_;
      if (!skip_digits()) return fail("Miss fraction part in number.");
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!skip_digits()) return fail("Miss exponent in number.");
    }
    if (whole && *start != '-') {
      std::uint64_t number = 0;
      if (std::from_chars(start, at_, number).ec == std::errc{}) {
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        return handler_.integer(static_cast<std::int64_t>(std::min(number, most))) || stop(start);
      }
    } else if (whole) {
      std::int64_t number = 0;
      if (std::from_chars(start, at_, number).ec == std::errc{})
        return handler_.integer(number) || stop(start);
    }
    double number =
        std::numeric_limits<double>::infinity();  // stays so if the number is too large, or too small
    std::from_chars(start, at_, number);
    return handler_.fraction(number) || stop(start);
  }
  bool skip_digits() {
    const char* const start = at_;
    while (is_digit(peek())) ++at_;
    return at_ != start;
  }

  // Whether this byte in a string represents itself.
  static bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }
  // Finds the first byte that is not plain, eight at a time: most names and nearly all keys take one step or
  // two.
  const char* skip_plain(const char* at) const {
    if constexpr (std::endian::native == std::endian::little) {
      constexpr std::uint64_t ones = 0x0101010101010101;
      constexpr std::uint64_t high_bits = 0x80 * ones;
      std::uint64_t bytes = 0;
      for (; end_ - at >= 8; at += 8) {
        std::memcpy(&bytes, at, sizeof bytes);
        // Sets the high bit of each byte that is a quote, a backslash or below 0x20; only the first one is
        // reliable.
        const std::uint64_t quotes = bytes ^ (ones * '"');
        const std::uint64_t backslashes = bytes ^ (ones * '\\');
        const std::uint64_t found = (((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes) |
                                     ((bytes - ones * 0x20) & ~bytes)) &
                                    high_bits;
        if (found != 0) return at + std::countr_zero(found) / 8;
      }
    }
    while (at != end_ && is_plain(*at)) ++at;
    return at;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  Handler& handler_;
  std::vector<Nesting> open_;
  std::string unescaped_;
  JsonFault fault_;
};

}  // namespace symbols::lsp
