// The two names of std::chrono that are used in many places.
#pragma once

#include <chrono>

namespace symbols {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

}  // namespace symbols
