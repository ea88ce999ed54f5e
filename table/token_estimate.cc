#include "table/token_estimate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "lsp/unicode.h"

namespace symbols::table {
namespace {

// Costs are in hundredths of a token.
constexpr std::uint64_t piece = 100;

// The cost of a piece beyond its token.
constexpr std::uint64_t behind_common_mark = 12;    // of a word: `.get`, `_id`, `(self`
constexpr std::uint64_t behind_other_mark = 53;     // `<T`, `/usr`, `-name`, `'x`
constexpr std::uint64_t behind_rare_mark = 103;     // `"name`, `[int`, `|x`: the mark is a token of its own
constexpr std::uint64_t long_letter = 3;            // each letter from the 6th on
constexpr std::uint64_t longer_letter = 10;         // from the 10th on
constexpr std::uint64_t longest_letter = 26;        // from the 13th on
constexpr std::uint64_t capital_letter = 12;        // each from the 3rd to the 12th of a word of capitals
constexpr std::uint64_t capitals_then_small = 146;  // `HTTPServer`
constexpr std::uint64_t contraction = 54;           // the `'s` of a word
constexpr std::uint64_t unlike_mark = 31;           // each mark from the 4th on, unlike the one before it
constexpr std::uint64_t late_unlike_mark = 46;      // from the 9th on
constexpr std::uint64_t marks_then_newline = 100;   // three or more: a table's `<<<`
constexpr std::uint64_t escaped_bar = 100;          // `\|`, as in a cell of a table
constexpr std::uint64_t escape_in_marks = 36;       // a backslash before another mark
constexpr std::uint64_t symbol = 80;                // each after the first in a run of marks
constexpr std::uint64_t emoji = 140;
// What a word of another script saves: its first letters are in the piece's own token.
constexpr std::uint64_t first_letters = 60;

enum class Byte : std::uint8_t { mark, small, capital, digit, blank, white, newline, multibyte };

constexpr std::array<Byte, 256> make_bytes() {
  std::array<Byte, 256> bytes{};  // control characters are marks
  for (std::size_t c = 'a'; c <= 'z'; ++c) bytes[c] = Byte::small;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) bytes[c] = Byte::capital;
  for (std::size_t c = '0'; c <= '9'; ++c) bytes[c] = Byte::digit;
  bytes[' '] = Byte::blank;
  bytes['\t'] = bytes['\v'] = bytes['\f'] = Byte::white;
  bytes['\n'] = bytes['\r'] = Byte::newline;
  for (std::size_t c = 0x80; c < 0x100; ++c) bytes[c] = Byte::multibyte;
  return bytes;
}
constexpr std::array<Byte, 256> bytes = make_bytes();

constexpr std::uint64_t cost_behind(char mark) {
  switch (mark) {
    case ' ':
      return 0;
    case '_':
    case '.':
    case '(':
    case '#':
      return behind_common_mark;
    case '/':
    case '<':
    case '-':
    case '\'':
    case '\t':
    case '=':
      return behind_other_mark;
    default:
      return behind_rare_mark;
  }
}

// A character beyond ASCII: a letter at its script's average cost, or a symbol.
struct Character {
  std::size_t length = 1;
  std::uint64_t cost = symbol;
  bool letter = false;
};

// The cost of a script's letters, up to the code point `last`. A script's own marks count as letters. Scripts
// that were in none of our documents have a guess between the others.
struct Block {
  char32_t last;
  std::uint64_t cost;
  bool letter;
};
constexpr std::uint64_t guess = 50;
constexpr Block blocks[] = {
    {0xBF, symbol, false},  // Latin-1 marks
    // Latin and combining marks. Expensive, because in languages with such letters the other words cost more
    // too.
    {0x36F, 174, true},
    {0x3FF, 39, true},        // Greek
    {0x52F, 25, true},        // Cyrillic
    {0x58F, guess, true},     // Armenian
    {0x8FF, 28, true},        // Hebrew, Arabic
    {0xDFF, 36, true},        // the scripts of India
    {0xEFF, 37, true},        // Thai, Lao
    {0x10FF, guess, true},    // Tibetan, Burmese, Georgian
    {0x11FF, 61, true},       // Hangul letters
    {0x1DFF, guess, true},    // Ethiopic to phonetic extensions
    {0x1EFF, 174, true},      // Latin, as in Vietnamese
    {0x1FFF, 39, true},       // Greek with accents
    {0x2BFF, symbol, false},  // punctuation, arrows, mathematics, box drawing
    {0x2DFF, guess, true},    // Glagolitic to Cyrillic extensions
    {0x303F, symbol, false},  // CJK punctuation
    {0x312F, 66, true},       // Japanese syllables
    {0x318F, 61, true},       // Hangul letters
    {0x33FF, symbol, false},  // CJK in circles and squares
    {0x9FFF, 82, true},       // Chinese characters
    {0xABFF, guess, true},    // Yi to Meetei Mayek
    {0xD7FF, 61, true},       // Hangul
    {0xF8FF, symbol, false},  // private use
    {0xFAFF, 82, true},       // Chinese characters
    {0xFDFF, 28, true},       // Arabic forms
    {0xFE6F, symbol, false},  // variation selectors, vertical forms
    {0xFEFE, 28, true},       // Arabic forms
    {0xFF65, symbol, false},  // the byte order mark, full-width forms
    {0xFFDF, 66, true},       // half-width Japanese syllables
    {0xFFFF, symbol, false},  // U+FFFD among them
    {0x1FFFF, emoji, false},
    {0x10FFFF, 82, true},  // rare Chinese characters
};

class TokenScanner {
 public:
  TokenScanner(std::string_view text, Tokenizer tokenizer)
      : rest_(text), digits_a_token_(tokenizer == Tokenizer::digits ? 1 : 3) {}

  std::uint64_t cost() {
    while (!rest_.empty()) {
      switch (byte(0)) {
        case Byte::small:
        case Byte::capital:
          word(0);
          break;
        case Byte::digit:
          digits();
          break;
        case Byte::mark:
          mark_or_word();
          break;
        case Byte::multibyte:
          if (character(0).letter) {
            word(0);
          } else {
            mark_or_word();
          }
          break;
        case Byte::blank:
        case Byte::white:
        case Byte::newline:
          whitespace();
          break;
      }
    }
    return cost_;
  }

 private:
  // The byte `at` bytes on, a newline past the end: it belongs to no word, number or run of marks.
  Byte byte(std::size_t at) const {
    return at < rest_.size() ? bytes[static_cast<unsigned char>(rest_[at])] : Byte::newline;
  }

  Character character(std::size_t at) const {
    const lsp::Decoded decoded = lsp::decode_utf8(rest_.substr(at));
    const Block* const block =
        std::lower_bound(std::begin(blocks), std::end(blocks), decoded.code_point,
                         [](const Block& known, char32_t code_point) { return known.last < code_point; });
    return {decoded.length, block->cost, block->letter};
  }

  bool is_letter(std::size_t at) const {
    const Byte kind = byte(at);
    return kind == Byte::small || kind == Byte::capital || (kind == Byte::multibyte && character(at).letter);
  }

  // A word at the start; the text before it is already consumed and costs `behind`.
  void word(std::uint64_t behind) {
    std::size_t at = 0;
    std::size_t capitals = 0;
    std::size_t small = 0;
    std::size_t others = 0;
    std::uint64_t others_cost = 0;
    for (bool inside = true; inside;) {
      switch (byte(at)) {
        case Byte::small:
          ++small;
          ++at;
          break;
        case Byte::capital:
          inside = small == 0;  // else the next word's first
          if (inside) {
            ++capitals;
            ++at;
          }
          break;
        case Byte::multibyte: {
          const Character c = character(at);
          inside = c.letter;
          if (inside) {
            ++others;
            others_cost += c.cost;
            at += c.length;
          }
          break;
        }
        default:
          inside = false;
      }
    }
    cost_ += piece;
    if (capitals + small + others >= 2) cost_ += behind;
    if (others_cost > first_letters) cost_ += others_cost - first_letters;
    cost_ += ascii_letters(capitals, small);
    rest_.remove_prefix(at);
    if (rest_.starts_with('\'')) contracted();
  }

  static std::uint64_t ascii_letters(std::size_t capitals, std::size_t small) {
    const std::size_t letters = capitals + small;
    // How many of them are in `width` places from the place `from` on, counted from 0.
    const auto within = [letters](std::size_t from, std::size_t width) {
      return letters > from ? std::min(letters - from, width) : 0;
    };
    std::uint64_t cost = longest_letter * within(12, letters);
    if (capitals >= 2 && small > 0) return cost + capitals_then_small;
    if (capitals >= 3) return cost + capital_letter * (std::min<std::size_t>(capitals, 12) - 2);
    return cost + long_letter * within(5, 4) + longer_letter * within(9, 3);
  }

  // The ending after an apostrophe belongs to the word before it.
  void contracted() {
    const auto letter = [this](std::size_t at) {
      return at < rest_.size() ? static_cast<char>(rest_[at] | 0x20) : '\0';
    };
    const char first = letter(1);
    const char second = letter(2);
    std::size_t length = 0;
    if (first == 's' || first == 'd' || first == 'm' || first == 't') {
      length = 2;
    } else if ((first == 'l' && second == 'l') || ((first == 'v' || first == 'r') && second == 'e')) {
      length = 3;
    }
    if (length == 0) return;
    cost_ += contraction;
    rest_.remove_prefix(length);
  }

  void digits() {
    std::size_t count = 1;
    while (byte(count) == Byte::digit) ++count;
    cost_ += (count + digits_a_token_ - 1) / digits_a_token_ * piece;
    rest_.remove_prefix(count);
  }

  // A mark or symbol at the start: of the word after it, or of a run.
  void mark_or_word() {
    const bool ascii = byte(0) == Byte::mark;
    const Character c = ascii ? Character{} : character(0);
    if (!is_letter(c.length)) {
      marks();
      return;
    }
    const std::uint64_t behind = ascii ? cost_behind(rest_.front()) : behind_rare_mark;
    if (c.cost == emoji) cost_ += emoji;
    rest_.remove_prefix(c.length);
    word(behind);
  }

  void marks() {
    cost_ += piece;
    std::size_t count = 0;
    std::size_t at = 0;
    char before = '\0';  // for a symbol its last byte, which is no ASCII mark
    for (;; ++count) {
      const Byte kind = byte(at);
      if (kind == Byte::mark) {
        const char mark = rest_[at];
        if (count >= 3 && mark != before) cost_ += count >= 8 ? late_unlike_mark : unlike_mark;
        if (before == '\\' && mark != '\\') cost_ += mark == '|' ? escaped_bar : escape_in_marks;
        before = mark;
        ++at;
      } else if (kind == Byte::multibyte) {
        const Character c = character(at);
        if (c.letter) break;
        if (count > 0 || c.cost == emoji) cost_ += c.cost;
        at += c.length;
        before = rest_[at - 1];
      } else {
        break;
      }
    }
    if (count >= 3 && at < rest_.size() && byte(at) == Byte::newline) cost_ += marks_then_newline;
    while (at < rest_.size() && (byte(at) == Byte::newline || rest_[at] == '/')) ++at;
    rest_.remove_prefix(at);
  }

  void whitespace() {
    std::size_t end = 0;
    std::size_t after_newline = 0;
    while (end < rest_.size()) {
      const Byte kind = byte(end);
      if (kind != Byte::blank && kind != Byte::white && kind != Byte::newline) break;
      ++end;
      if (kind == Byte::newline) after_newline = end;
    }
    if (after_newline > 0) cost_ += piece;  // all up to the last newline
    rest_.remove_prefix(after_newline);
    const std::size_t blanks = end - after_newline;
    if (blanks == 0) return;
    if (blanks == rest_.size()) {
      cost_ += piece;
      rest_ = {};
      return;
    }
    // The last space belongs to a following word or marks, but is separate before a digit.
    if (blanks > 1) cost_ += piece;
    rest_.remove_prefix(blanks - 1);
    const char last = rest_.front();
    rest_.remove_prefix(1);
    if (is_letter(0)) {
      word(cost_behind(last));
    } else if (last == ' ' && byte(0) != Byte::digit) {
      marks();
    } else {
      cost_ += piece;
    }
  }

  std::string_view rest_;
  const std::size_t digits_a_token_;
  std::uint64_t cost_ = 0;
};

}  // namespace

std::size_t estimate_tokens(std::string_view utf8, Tokenizer tokenizer) {
  return static_cast<std::size_t>((TokenScanner(utf8, tokenizer).cost() + piece / 2) / piece);
}

}  // namespace symbols::table
