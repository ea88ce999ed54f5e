// What would change in a file, in the form that everybody reads and `patch` takes.
#pragma once

#include <string>
#include <string_view>

namespace symbols::setup {

// The unified diff from `before` to `after`, the texts of the file `path`, with three lines around each
// change; empty where they are the same. For texts that differ in thousands of lines it may show more of them
// as changed than are.
std::string line_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace symbols::setup
