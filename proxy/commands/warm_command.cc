#include <fmt/format.h>

#include <string>

#include "proxy/commands/commands.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_client.h"

namespace symbols::commands {

int run(const settings::WarmArguments& arguments) {
  if (!arguments.serve.empty()) return warm::run_warm_daemon(arguments.serve);
  const Result<std::vector<warm::Reply>> replies =
      warm::ask_all(arguments.stop ? warm::Wanted::stop : warm::Wanted::list);
  if (!replies) return terminal::tell_error(replies.error(), 1);
  std::string kept;
  bool failed = false;
  for (const warm::Reply& reply : *replies) {
    kept += reply.bytes;
    if (reply.status) continue;
    failed = true;
    terminal::tell(fmt::format("the process behind {} does not answer; end it with: fuser -k {}",
                               reply.socket.string(), reply.socket.string()));
  }
  if (arguments.stop && !replies->empty()) kept = "stopped\n";
  return terminal::print(kept.empty() ? "nothing is kept\n" : kept) && !failed ? 0 : 1;
}

}  // namespace symbols::commands
