// Estimates how many tokens a text costs a language model, without the model's vocabulary. Budgets
// (docs/spec.md, section 5) and the proxy's statistics use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace symbols::table {

// Whose tokens are counted.
enum class Tokenizer {
  o200k,   // o200k_base, of OpenAI's models: up to three digits are a token
  digits,  // each digit is a token of its own, as with Qwen; otherwise like o200k
};

// The approximate number of tokens in `utf8`: rather too many than too few, by a hundredth. 0 only for an
// empty text. An invalid byte counts as a symbol. One pass, no allocation, about 250 MB/s.
//
// The rule: the text is split into the pieces that the tokenizer never joins: a word with at most one space
// or mark before it, which ends before a capital that follows a lower-case letter; up to three digits; a run
// of marks with its newlines; a run of whitespace. A piece is one token, and more where its characters seldom
// stand together: a letter has a weight by each of the three letters before it, a mark by the mark before it,
// a letter of another script by its script. What the weights of a piece sum up to is what it costs beyond.
//
// docs/formats.md has the error, over files to which the weights were not fitted;
// `node bench/tokens/budgets.mjs` measures it.
std::size_t estimate_tokens(std::string_view utf8, Tokenizer tokenizer = Tokenizer::o200k);

// A budget: at most so many tokens of such a tokenizer.
struct TokenLimit {
  // A number alone is a limit too.
  TokenLimit(std::size_t most, Tokenizer of = Tokenizer::o200k) : tokens(most), tokenizer(of) {}

  // The limit on the estimate for a text that shall not have more than `most` tokens. The estimate errs most
  // where a text is short, so a little is kept back: a fortieth, at most 12 tokens.
  static TokenLimit for_text_of(std::size_t most, Tokenizer of) {
    constexpr std::size_t max_reserve = 12;
    return {most - std::min(most / 40, max_reserve), of};
  }

  std::size_t tokens;
  Tokenizer tokenizer;
};

}  // namespace symbols::table
