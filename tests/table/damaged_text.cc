#include "tests/table/damaged_text.h"

namespace symbols::table {

void damage_text(Dice& dice, std::string& text, const std::vector<std::string>& tokens) {
  for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
    const std::size_t at = dice.below(text.size() + 1);
    switch (dice.below(5)) {
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
      default: {  // a line once more, somewhere else
        const std::size_t start = text.rfind('\n', at);
        if (start == std::string::npos) break;
        const std::string line = text.substr(start, text.find('\n', start + 1) - start);
        const std::size_t to = text.find('\n', dice.below(text.size()));
        text.insert(to == std::string::npos ? text.size() : to, line);
      }
    }
  }
}

}  // namespace symbols::table
