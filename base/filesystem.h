// std::filesystem, which is called fs in all of symbols.
#pragma once

#include <filesystem>

namespace symbols {

namespace fs = std::filesystem;

}  // namespace symbols
