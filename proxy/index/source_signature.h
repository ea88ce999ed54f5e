// The parameters and the result of a function, from its declaration in the source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/index/exported.h"

namespace symbols::index {

// `(width: number): number`, in one line and cut after 100 characters, of a symbol of this LSP kind; empty if
// it is no function. `rest`: the text after its name. Type parameters, Python's `self`, and in C++
// the type before the name, are left out. In JavaScript and TypeScript also of variables and properties whose
// value or type is written as a function.
std::string source_signature(std::string_view rest, std::int64_t kind, Language language);

}  // namespace symbols::index
