// JSON that a person may have written, edited or cut: what is wrong with it is told by line and column, as
// editors count them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace symbols::table {

// The error "cannot read <what> at line 3, column 7: <reason>". `offset` is in bytes of `text`; lines end at
// LF, columns count characters, both from 1.
Error unreadable(std::string_view what, std::string_view text, std::size_t offset, std::string_view reason);

// The error where `json` is no JSON value, or where anything but white space follows the value; none where
// all is well. A lone surrogate is well, as servers send them. Takes linear time; nesting costs no stack.
std::optional<Error> json_fault(std::string_view what, std::string_view json);

}  // namespace symbols::table
