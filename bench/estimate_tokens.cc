// The estimate behind a budget in tokens, for whoever has a real tokenizer to hold it against: bench/tokens
// does.
//
//   estimate_tokens [digits] < TEXTS    TEXTS: each behind its length in bytes and a newline:
//   "5\nhello3\nabc"
//
// Prints a line for each text: how many tokens table::estimate_tokens takes it for.
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "table/token_estimate.h"

int main(int argc, char** argv) {
  using symbols::table::Tokenizer;
  const bool digits = argc > 1 && argv[1] == std::string_view("digits");
  const Tokenizer tokenizer = digits ? Tokenizer::digits : Tokenizer::o200k;
  std::string text;
  std::size_t length = 0;
  while (std::cin >> length) {
    std::cin.get();
    text.resize(length);
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(length))) {
      std::fprintf(stderr,
                   "estimate_tokens: cannot read standard input: it ends within a text of %zu bytes\n",
                   length);
      return 1;
    }
    std::printf("%zu\n", symbols::table::estimate_tokens(text, tokenizer));
  }
  return 0;
}
