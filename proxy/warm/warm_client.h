// A call's side: finds the process that keeps servers warm, starts it if there is none, and passes on what it
// answers.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "base/descriptor.h"
#include "proxy/warm/warm_message.h"

namespace symbols::warm {

// A connection to the process for this environment, which is started if there is none. Two first calls at
// once start one. None: it cannot be had within a few seconds; the call answers by itself.
Descriptor reach();

// Sends `say` with `payload` and gives each message of the answer to `take`, which returns false to end it.
// True: `take` has ended it. False: the connection was lost, or nothing came for `patience`.
bool exchange(int connection, Say say, std::string_view payload, std::chrono::milliseconds patience,
              const std::function<bool(const Message&)>& take);

}  // namespace symbols::warm
