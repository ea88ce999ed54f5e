// How long a server gets to end.
#pragma once

#include <chrono>

namespace symbols::batch::stop_limits {

// To answer shutdown, and then to end by itself after exit. TypeScript's takes 100 ms to end; clangd would
// first finish an index of the standard library, which takes 1.5 s and serves nothing.
inline constexpr std::chrono::milliseconds shutdown{3000};
inline constexpr std::chrono::milliseconds exit_grace{300};

}  // namespace symbols::batch::stop_limits
