// The flags of `symbols proxy --restart`, as typed.
#pragma once

#include <string>

#include "base/result.h"
#include "proxy/session/server_restart.h"

namespace CLI {
class App;
}  // namespace CLI

namespace symbols::cli {

class RestartFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);
  Result<session::RestartOptions> read() const;

 private:
  bool restart_ = false;
  std::string limit_;
  std::string stall_timeout_;
};

}  // namespace symbols::cli
