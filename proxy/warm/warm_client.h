// A call's side: finds the daemon, starts it if there is none, and asks it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "proxy/warm/warm_request.h"

namespace symbols::warm {

// A connection to the daemon for this environment, which is started if there is none. Two first calls at once
// start one. None: it cannot be had within a few seconds; the call answers by itself.
Descriptor reach();

// All that came back until the connection was closed, or nothing came for so long that the daemon counts as
// lost.
struct Reply {
  std::string bytes{};          // without the end
  std::optional<int> status{};  // of report::end; none: the daemon was lost, or refused
};

// Sends the request, and our own standard streams when the daemon is ready for them. When it returns, the
// daemon does not begin to write to them any more.
Reply ask(int connection, const Request& request, std::chrono::milliseconds patience);

}  // namespace symbols::warm
