// Waiting for another run of this program that works on the same file or folder.
#pragma once

#include <chrono>

namespace symbols::files {

// Locks the open file or folder for this process alone (flock); closing the descriptor unlocks it. False: it
// cannot be locked, or another has held it for `limit`.
bool lock_within(int descriptor, std::chrono::milliseconds limit);

}  // namespace symbols::files
