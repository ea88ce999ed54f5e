#include "proxy/cli/short_options.h"

#include <algorithm>
#include <array>

namespace symbols::cli {
namespace {

struct ShortOption {
  char letter;
  std::string_view option;
};

constexpr std::array<ShortOption, 15> short_options = {{{'0', "--null"},
                                                        {'c', "--children"},
                                                        {'f', "--format"},
                                                        {'H', "--no-hover"},
                                                        {'i', "--include"},
                                                        {'k', "--kind"},
                                                        {'l', "--language"},
                                                        {'m', "--match"},
                                                        {'n', "--max-tokens"},
                                                        {'r', "--root"},
                                                        {'s', "--server"},
                                                        {'t', "--timeout"},
                                                        {'V', "--version"},
                                                        {'w', "--warm"},
                                                        {'y', "--yes"}}};

}  // namespace

std::string with_letter(std::string_view option) {
  const auto* const found = std::ranges::find(short_options, option, &ShortOption::option);
  std::string names;
  if (found != short_options.end()) names = {'-', found->letter, ','};
  return names.append(option);
}

}  // namespace symbols::cli
