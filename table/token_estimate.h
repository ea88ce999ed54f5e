// Estimates how many tokens a text costs a language model, without the model's vocabulary. Budgets
// (docs/spec.md, section 5) and the proxy's statistics use it.
#pragma once

#include <cstddef>
#include <string_view>

namespace symbols::table {

// Whose tokens are counted.
enum class Tokenizer {
  o200k,   // o200k_base, of OpenAI's models: up to three digits are a token
  digits,  // each digit is a token of its own, as with Qwen and Gemma; otherwise like o200k
};

// The approximate number of o200k_base tokens in `utf8`. 0 only for an empty text. An invalid byte counts as
// a symbol. One pass, no allocation, about 350 MB/s.
//
// The rule: the text is split into the pieces that the tokenizer never joins: a word with at most one space
// or mark before it, which ends before a capital that follows a lower-case letter; up to three digits; a run
// of marks with its newlines; a run of whitespace. A piece is one token, and more if the vocabulary seldom
// has such pieces: long words, words of capitals, words after a mark other than `_ . ( #`, long runs of
// unlike marks, and in other scripts by the letter. The weights are averages over 7,200 documents.
//
// The absolute error, measured on 5,000 other documents, as mean and 95th percentile:
//   our formats (table, tree, tsv, packed), 200 tokens or more     1.1%   3.2%
//   documentSymbol replies, minified                               2.1%   2.9%
//   hovers as servers send them, and as JSON                       3.0%   9.5%
//   a table's header and one row (60 to 150 tokens)                2.5%   6.2%
//   any of these under 50 tokens                                   3.3%  12.5%
//   source files, English prose                                    3.1%  11.6%
//   tables with hovers in 13 other languages                       3.4%   7.7%
//   nothing but text in 24 languages (worst: Polish, 20% too low)  8.1%  21.4%
// `node bench/tokens/tokens.mjs --estimate` measures the captures again, and Chinese, Japanese and Korean
// separately: docs/formats.md.
std::size_t estimate_tokens(std::string_view utf8, Tokenizer tokenizer = Tokenizer::o200k);

// A budget: at most so many tokens of such a tokenizer.
struct TokenLimit {
  // A number alone is a limit too.
  TokenLimit(std::size_t most, Tokenizer of = Tokenizer::o200k) : tokens(most), tokenizer(of) {}

  std::size_t tokens;
  Tokenizer tokenizer;
};

}  // namespace symbols::table
