// JSON as it looks after an accident, for tests of readers.
#pragma once

#include <string>

#include "tests/dice.h"

namespace symbols::table {

// One to three edits: a token put in or a few bytes taken out, the end cut off, a byte changed, a number
// replaced.
void damage_json(Dice& dice, std::string& text);

}  // namespace symbols::table
