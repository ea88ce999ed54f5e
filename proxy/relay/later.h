// Delays, as those see them who have no clock and no loop of their own.
#pragma once

#include <chrono>
#include <functional>

namespace symbols::relay {

// Runs an action after a delay, from the loop and never from within the call, unless the program ends first.
// It cannot be called off: an action that may outlive what it is about looks whether that still exists.
using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

}  // namespace symbols::relay
