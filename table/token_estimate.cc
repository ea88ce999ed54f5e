#include "table/token_estimate.h"

#include <array>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "lsp/unicode.h"
#include "table/token_weights.h"

namespace symbols::table {
namespace {

// Costs are in twentieths of a token.
constexpr int piece = 20;

// A hundredth is added: rather too many than too few, as an answer shall not exceed its budget.
constexpr std::uint64_t caution = 100;

// The cost of a word beyond its token, besides that of its letters.
constexpr int late_letter = 1;             // each from the 10th to the 24th
constexpr std::uint64_t segment = 24;      // letters of a word that are weighed together
constexpr std::int64_t segment_cost = 60;  // of one at least, but the last
constexpr int capital_letter = 2;          // each of the first 12 of a word of capitals
constexpr int capitals_then_small = 9;     // `HTTPServer`
constexpr int behind_tab = 10;             // `\tname`
constexpr int behind_symbol = 24;          // `→name`
constexpr int contraction = 11;            // the `'s` of a word
constexpr int unlike_symbol = 21;          // after another mark or symbol
constexpr int same_symbol = 2;             // after itself, as in `────`; emoji are never joined
constexpr int mark_after_symbol = 20;
constexpr int newline_after_symbol = 11;
constexpr std::size_t blanks_of_a_token = 80;

enum class Byte : std::uint8_t { mark, small, capital, digit, space, newline, control, multibyte };

constexpr std::array<Byte, 256> bytes = [] {
  std::array<Byte, 256> bytes{};
  bytes.fill(Byte::control);
  for (std::size_t c = '!'; c <= '~'; ++c) bytes[c] = Byte::mark;
  for (std::size_t c = 'a'; c <= 'z'; ++c) bytes[c] = Byte::small;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) bytes[c] = Byte::capital;
  for (std::size_t c = '0'; c <= '9'; ++c) bytes[c] = Byte::digit;
  bytes[' '] = bytes['\t'] = bytes['\v'] = bytes['\f'] = Byte::space;
  bytes['\n'] = bytes['\r'] = Byte::newline;
  for (std::size_t c = 0x80; c < 0x100; ++c) bytes[c] = Byte::multibyte;
  return bytes;
}();

constexpr std::int8_t weight(char written) {
  return static_cast<std::int8_t>(written - token_weights::none);
}

// The weights of a letter by the letter one, two and three places before it: at 32 * before + letter, where a
// letter is 1 to 26, and 0 the word's end, or what is before its beginning.
using LetterWeights = std::array<std::array<std::int8_t, 1024>, 3>;
constexpr LetterWeights make_letter_weights(const std::string_view (&written)[27]) {
  LetterWeights weights{};
  for (std::size_t place = 0; place < 3; ++place) {
    for (std::size_t before = 0; before < 27; ++before) {
      for (std::size_t letter = 0; letter < 27; ++letter)
        weights[place][32 * before + letter] = weight(written[before][27 * place + letter]);
    }
  }
  return weights;
}
constexpr LetterWeights letter_weights = make_letter_weights(token_weights::letters);
constexpr LetterWeights capital_weights = make_letter_weights(token_weights::capitals);

// The columns and rows of token_weights::marks that are no marks.
constexpr std::size_t to_newline = 32;
constexpr std::size_t to_word = 33;
constexpr std::size_t at_beginning = 32;
constexpr std::size_t after_space = 33;
constexpr std::size_t after_newline = 34;
constexpr std::size_t after_symbol = 35;  // has no row

// The row and the column of a mark: its place in ASCII without digits and letters.
constexpr std::size_t mark_place(char mark) {
  const int before = '!' + (mark > '9' ? 10 : 0) + (mark > 'Z' ? 26 : 0) + (mark > 'z' ? 26 : 0);
  return static_cast<std::size_t>(mark - before);
}
static_assert(mark_place('!') == 0 && mark_place('/') == 14 && mark_place(':') == 15 &&
              mark_place('[') == 22 && mark_place('{') == 28 && mark_place('~') == 31);

static_assert(std::ranges::all_of(token_weights::marks,
                                  [](std::string_view row) { return row.size() == to_word + 1; }));
int mark_weight(std::size_t before, std::size_t to) {
  return weight(token_weights::marks[before][to]);
}

// A character beyond ASCII: a letter or a symbol, and its cost.
struct Character {
  std::size_t length;
  int cost;
  bool letter;
};

// The average cost of a script's letters (its marks too) and of symbols, up to the code point `last`.
struct Block {
  char32_t last;
  int cost;
  bool letter;
};
constexpr Block blocks[] = {
    {0x7F, 0, false},      // control characters
    {0xBF, 0, false},      // Latin-1 marks
    {0x17F, 18, true},     // Latin
    {0x24F, 33, true},     // rare Latin
    {0x2AF, 20, true},     // phonetic
    {0x2FF, 19, false},    // modifiers
    {0x36F, 40, true},     // combining marks
    {0x3FF, 6, true},      // Greek
    {0x40F, 20, true},     // rare Cyrillic
    {0x44F, 4, true},      // Cyrillic
    {0x52F, 13, true},     // rare Cyrillic
    {0x58F, 5, true},      // Armenian
    {0x6FF, 6, true},      // Hebrew, Arabic
    {0x8FF, 30, true},     // Syriac, Thaana
    {0x9FF, 6, true},      // Devanagari, Bengali
    {0xA7F, 10, true},     // Gurmukhi
    {0xAFF, 7, true},      // Gujarati
    {0xB7F, 20, true},     // Oriya
    {0xCFF, 8, true},      // Tamil, Telugu, Kannada
    {0xD7F, 6, true},      // Malayalam
    {0xDFF, 10, true},     // Sinhala
    {0xE7F, 7, true},      // Thai
    {0xEFF, 37, true},     // Lao
    {0xFFF, 27, true},     // Tibetan
    {0x109F, 9, true},     // Burmese
    {0x10FF, 6, true},     // Georgian
    {0x177F, 41, true},    // Ethiopic, Cherokee
    {0x17FF, 9, true},     // Khmer
    {0x1DFF, 44, true},    // Mongolian to phonetic extensions
    {0x1EFF, 4, true},     // Latin, as in Vietnamese
    {0x1FFF, 25, true},    // Greek with accents
    {0x206F, -5, false},   // punctuation
    {0x22FF, 16, false},   // currencies, arrows, mathematics
    {0x24FF, 30, false},   // technical
    {0x257F, 6, false},    // box drawing
    {0x259F, 34, false},   // blocks
    {0x27BF, 9, false},    // geometric shapes, dingbats
    {0x2BFF, 41, false},   // Braille and others
    {0x2DFF, 40, true},    // Glagolitic to Cyrillic extensions
    {0x303F, -9, false},   // CJK punctuation
    {0x30FF, 12, true},    // Japanese syllables
    {0x318F, 40, true},    // Hangul letters
    {0x33FF, 40, false},   // CJK in circles and squares
    {0x4DBF, 41, true},    // rare Chinese characters
    {0x9FFF, 14, true},    // Chinese characters
    {0xABFF, 44, true},    // Yi to Meetei Mayek
    {0xD7FF, 9, true},     // Hangul
    {0xF8FF, 30, false},   // private use
    {0xFAFF, 41, true},    // rare Chinese characters
    {0xFDFF, 28, true},    // Arabic forms
    {0xFE6F, 14, false},   // variation selectors, vertical forms
    {0xFEFE, 20, true},    // Arabic forms
    {0xFF65, -6, false},   // the byte order mark, full-width forms
    {0xFFDF, 20, true},    // half-width Japanese syllables
    {0xFFFF, 20, false},   // U+FFFD among them
    {0x1EFFF, 46, false},  // dead scripts, musical and mathematical symbols
    {0x1FFFF, 19, false},  // emoji
    {0x10FFFF, 46, true},  // rare Chinese characters
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
          word(mark_weight(at_beginning, to_word));
          break;
        case Byte::digit:
          digits();
          break;
        case Byte::mark:
          if (is_letter(1)) {
            const int behind = mark_weight(mark_place(rest_.front()), to_word);
            rest_.remove_prefix(1);
            word(behind);
          } else {
            marks(at_beginning);
          }
          break;
        case Byte::control:
        case Byte::multibyte:
          character();
          break;
        case Byte::space:
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

  Character character_at(std::size_t at) const {
    const lsp::Decoded decoded = lsp::decode_utf8(rest_.substr(at));
    const Block* const block = std::ranges::lower_bound(blocks, decoded.code_point, {}, &Block::last);
    return {decoded.length, block->cost, block->letter};
  }

  bool is_letter(std::size_t at) const {
    const Byte kind = byte(at);
    return kind == Byte::small || kind == Byte::capital ||
           (kind == Byte::multibyte && character_at(at).letter);
  }

  // A piece costs its token, and what its characters cost beyond.
  void add_piece(std::int64_t beyond) {
    cost_ += static_cast<std::uint64_t>(piece + std::max<std::int64_t>(beyond, 0));
  }

  // A word at the start; what stands before it is already consumed and costs `behind`.
  void word(int behind) {
    std::size_t capitals = 0;
    while (byte(capitals) == Byte::capital) ++capitals;
    const LetterWeights& weights =
        capitals > 0 && byte(capitals) != Byte::small ? capital_weights : letter_weights;
    std::size_t small = 0;
    std::size_t others = 0;
    std::int64_t cost = 0;
    std::int64_t segments = 0;  // the cost of those that are complete
    std::uint64_t weighed = 0;
    unsigned before = 0;  // the last three letters, 5 bits each
    const auto add = [&](unsigned letter) {
      // No token has so many letters: what one part of a word saves, another does not cost less for.
      if (++weighed % segment == 0) segments += std::max(std::exchange(cost, 0), segment_cost);
      cost += weights[0][((before << 5) | letter) & 0x3FF] + weights[1][(before & 0x3E0) | letter] +
              weights[2][((before >> 5) & 0x3E0) | letter];
      before = (before << 5) | letter;
    };
    const auto letter = [this](std::size_t at) { return static_cast<unsigned char>(rest_[at]) & 31U; };
    std::size_t at = 0;
    while (at < capitals) add(letter(at++));
    for (;;) {
      const Byte kind = byte(at);
      if (kind == Byte::small) {
        ++small;
        add(letter(at++));
      } else if (kind == Byte::multibyte) {
        const Character c = character_at(at);
        if (!c.letter) break;
        ++others;
        cost += c.cost;
        before = 0;
        at += c.length;
      } else if (kind == Byte::capital && small == 0) {  // else the next word's first
        ++capitals;
        add(letter(at++));
      } else {
        break;
      }
    }
    if (before != 0) add(0);
    const std::size_t letters = capitals + small + others;
    if (letters >= 2) cost += behind;
    if (letters > 9) cost += late_letter * (static_cast<int>(std::min<std::size_t>(letters, 24)) - 9);
    if (capitals > 0 && small == 0) {
      cost += capital_letter * static_cast<int>(std::min<std::size_t>(capitals, 12));
    } else if (capitals >= 2) {
      cost += capitals_then_small;
    }
    add_piece(segments + std::max<std::int64_t>(cost, 0));
    rest_.remove_prefix(at);
    if (rest_.starts_with('\'')) contracted();
  }

  // The ending after an apostrophe belongs to the word before it.
  void contracted() {
    for (const std::string_view ending : {"s", "d", "m", "t", "ll", "ve", "re"}) {
      if (!std::ranges::equal(rest_.substr(1, ending.size()), ending, {}, lower_case)) continue;
      cost_ += contraction;
      rest_.remove_prefix(1 + ending.size());
      return;
    }
  }

  void digits() {
    std::size_t count = 1;
    while (byte(count) == Byte::digit) ++count;
    cost_ += (count + digits_a_token_ - 1) / digits_a_token_ * piece;
    rest_.remove_prefix(count);
  }

  // A character that is no ASCII mark: a letter, or a symbol of the word after it or of a run.
  void character() {
    const Character c = character_at(0);
    if (c.letter) return word(mark_weight(at_beginning, to_word));
    if (!is_letter(c.length)) return marks(at_beginning);
    rest_.remove_prefix(c.length);
    word(behind_symbol + c.cost);
  }

  // A run of marks and symbols with its newlines; `before` is a row of token_weights::marks, or after_symbol.
  void marks(std::size_t before) {
    std::size_t at = 0;
    std::int64_t cost = 0;
    std::string_view symbol;  // directly before
    for (;;) {
      const Byte kind = byte(at);
      if (kind == Byte::mark) {
        const std::size_t mark = mark_place(rest_[at]);
        cost += before == after_symbol ? mark_after_symbol : mark_weight(before, mark);
        before = mark;
        ++at;
      } else if (kind == Byte::multibyte || kind == Byte::control) {
        const Character c = character_at(at);
        if (c.letter) break;
        const std::string_view same = before == after_symbol ? symbol : std::string_view();
        symbol = rest_.substr(at, c.length);
        if (symbol == same && c.cost < piece / 2) {
          cost += same_symbol;
        } else {
          cost += c.cost + (before == at_beginning || before == after_space ? 0 : unlike_symbol);
        }
        before = after_symbol;
        at += c.length;
      } else {
        break;
      }
    }
    if (at < rest_.size() && byte(at) == Byte::newline) {
      cost += before == after_symbol ? newline_after_symbol : mark_weight(before, to_newline);
      before = after_newline;
      for (; at < rest_.size() && (byte(at) == Byte::newline || rest_[at] == '/'); ++at) {
        if (rest_[at] != '/') continue;
        cost += mark_weight(before, mark_place('/'));
        before = mark_place('/');
      }
    }
    add_piece(cost);
    rest_.remove_prefix(at);
  }

  void whitespace() {
    std::size_t end = 0;
    while (end < rest_.size() && (byte(end) == Byte::space || byte(end) == Byte::newline)) ++end;
    const std::size_t line_end = rest_.substr(0, end).find_last_of("\n\r") + 1;  // npos + 1 is 0
    if (line_end > 0) cost_ += piece;                                            // all up to the last newline
    rest_.remove_prefix(line_end);
    const std::size_t blanks = end - line_end;
    if (blanks == 0) return;
    if (blanks == rest_.size()) {
      cost_ += piece;
      rest_ = {};
      return;
    }
    // The last space belongs to a following word or marks, but is separate before a digit.
    if (blanks > 1) cost_ += (1 + blanks / blanks_of_a_token) * piece;
    const char last = rest_[blanks - 1];
    rest_.remove_prefix(blanks);
    if (is_letter(0)) return word(last == ' ' ? mark_weight(after_space, to_word) : behind_tab);
    if (last == ' ' && byte(0) != Byte::digit) return marks(after_space);
    cost_ += piece;
  }

  std::string_view rest_;
  const std::size_t digits_a_token_;
  std::uint64_t cost_ = 0;
};

}  // namespace

std::size_t estimate_tokens(std::string_view utf8, Tokenizer tokenizer) {
  const std::uint64_t cost = TokenScanner(utf8, tokenizer).cost();
  return static_cast<std::size_t>((cost + cost / caution + piece / 2) / piece);
}

}  // namespace symbols::table
