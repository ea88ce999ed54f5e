// How the formats for people and models tell what folding left out beside a row.
#pragma once

#include <string>
#include <string_view>

#include "base/number.h"
#include "table/rows.h"

namespace symbols::table {

inline constexpr std::string_view folded_after_mark = "\u2026";  // an ellipsis

// Appends `+7` for 7 rows inside, `…+7` for 7 siblings that follow, nothing for none.
inline void append_folded(std::string& out, Folded folded) {
  if (folded == Folded{}) return;
  if (folded.inside == 0) out += folded_after_mark;
  out += '+';
  append_number(out, folded.inside > 0 ? folded.inside : folded.after);
}

}  // namespace symbols::table
