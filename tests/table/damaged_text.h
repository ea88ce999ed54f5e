// Texts as they look after an accident, for tests of readers.
#pragma once

#include <string>
#include <vector>

#include "tests/dice.h"

namespace symbols::table {

// One to three edits: one of `tokens` put in or a few bytes taken out, the end cut off, a byte changed, a
// line once more somewhere else, a number replaced.
void damage_text(Dice& dice, std::string& text, const std::vector<std::string>& tokens);

}  // namespace symbols::table
