// Which version this is.
#pragma once

#include <string>

namespace symbols::settings {

// This program's version, "0.1.0".
std::string program_version();

}  // namespace symbols::settings
