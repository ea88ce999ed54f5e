#include "tests/table/damaged_text.h"

#include <algorithm>

namespace symbols::table {

void damage_text(Dice& dice, std::string& text, const std::vector<std::string>& tokens) {
  static const std::vector<std::string> numbers{"-2",         "-1", "0",   "1",    "7",
                                                "4294967296", "[]", "1.0", "null", "-9223372036854775808"};
  for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
    const std::size_t at = dice.below(text.size() + 1);
    const std::size_t line = text.rfind('\n', at);
    const std::size_t number = text.find_first_of("0123456789", at);
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
      case 4:
        if (line != std::string::npos) {
          const std::string copy = text.substr(line, text.find('\n', line + 1) - line);
          text.insert(std::min(text.find('\n', dice.below(text.size())), text.size()), copy);
        }
        break;
      default:
        if (number != std::string::npos) {
          const std::size_t end = std::min(text.find_first_not_of("0123456789", number), text.size());
          text.replace(number, end - number, dice.pick(numbers));
        }
    }
  }
}

}  // namespace symbols::table
