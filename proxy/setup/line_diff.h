// The changes to a file as a unified diff, which `patch` accepts.
#pragma once

#include <string>
#include <string_view>

namespace symbols::setup {

// The unified diff from `before` to `after`, the texts of the file `path`, with three lines around each
// change; empty if they are equal. For texts that differ in thousands of lines it may show unchanged lines as
// changed.
std::string line_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace symbols::setup
