// One run of the proxy between its client and its server: the processes and streams, and how all of it ends.
#pragma once

#include <memory>

#include "base/result.h"
#include "proxy/files/traffic_log.h"
#include "proxy/process/child_process.h"
#include "proxy/relay/event_loop.h"
#include "proxy/session/proxy_options.h"

namespace symbols::session {

// What the client writes to and reads from: descriptors of ours that whoever started us may share, and that
// stay open.
struct ClientStreams {
  int input;
  int output;
};

// Single-threaded.
class ProxySession {
 public:
  // `loop`, which is the session's alone, `log`, which may be null, and what `start_child` runs on outlive
  // it.
  ProxySession(relay::EventLoop& loop, process::StartChild start_child, ClientStreams client,
               ProxyOptions options, files::TrafficLog* log);
  ~ProxySession();

  // Error: the server cannot be started. Nothing was read of the client then.
  Result<void> start();
  // Runs the loop, until the server has ended and the client has been sent everything: the exit status of
  // docs/spec.md, section 8.
  int run();
  // As a signal does; at the second the server is not given any more time.
  void told_to_end();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace symbols::session
