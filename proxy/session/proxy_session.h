// One run of the proxy between its client and its server: the processes and streams, and how all of it ends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/traffic_log.h"

namespace symbols::session {

class ProxySession {
 public:
  // `program` is a path with a slash in it. `log` outlives the session; may be null.
  ProxySession(const cli::ProxyArguments& arguments, std::string program, files::TrafficLog* log);
  ~ProxySession();

  // Error: the server cannot be started. Nothing was read of the client then.
  Result<void> start();
  // Returns when the server has ended and the client has been sent everything: the exit status of
  // docs/spec.md, section 8.
  int run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace symbols::session
