#include "tests/table/damaged_json.h"

#include <vector>

namespace symbols::table {

void damage_json(Dice& dice, std::string& text) {
  static const std::vector<std::string> tokens{
      "[",          "]",    "{",         "}",       ",",    ":",     "\"",
      "\\",         "null", "true",      "-1",      "1.5",  "1e400", "99999999999999999999",
      "4294967296", "-",    "\"Class\"", "\\ud83d", "[[[[", "\xff",  std::string(1, '\0'),
      "\n",         " "};
  static const std::vector<std::string> numbers{
      "-2", "-1", "0", "1", "7", "1000", "1.0", "\"a\"", "null", "4294967296", "[]", "-9223372036854775808"};
  for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
    const std::size_t at = dice.below(text.size() + 1);
    switch (dice.below(6)) {
      case 0:
        text.insert(at, dice.pick(tokens));
        break;
      case 1:
        text.erase(at, 1 + dice.below(3));
        break;
      case 2:
        text.resize(at);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
        break;
      default: {  // what looks like a number
        const std::size_t start = text.find_first_of("0123456789", at);
        if (start == std::string::npos) break;
        const std::size_t end = text.find_first_not_of("0123456789", start);
        text.replace(start, end == std::string::npos ? 1 : end - start, dice.pick(numbers));
      }
    }
  }
}

}  // namespace symbols::table
