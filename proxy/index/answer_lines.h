// Answers that are made of lines, for people or of JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table/token_estimate.h"

namespace symbols::index {

// The lines, within the limit: they are dropped from the end, but for the first, and a line says how many.
std::string lines_within(const std::vector<std::string>& lines,
                         const std::optional<table::TokenLimit>& limit);

// A list of JSON.
std::string json_strings(const std::vector<std::string>& texts);

// Lists of objects by their names, and the other members, as one object; with `in_lines` as one a line for
// each object, which begins with the name of its list, and then one with the rest, whose list is null.
std::string json_of_lists(
    const std::vector<std::pair<std::string_view, const std::vector<std::string>&>>& lists,
    std::string_view rest, bool in_lines);

}  // namespace symbols::index
