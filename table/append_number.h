// The protocol writes its numbers as the text formats do.
#pragma once

#include "lsp/append_number.h"

namespace symbols::table {

using lsp::append_number;

}  // namespace symbols::table
