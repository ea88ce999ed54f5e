// Which version this is.
#pragma once

#include <string>

namespace symbols::settings {

// This program's version, "0.1.0".
inline std::string program_version() {
  return SYMBOLS_VERSION;  // of CMakeLists.txt
}

}  // namespace symbols::settings
