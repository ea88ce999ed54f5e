#include <fmt/format.h>

#include <chrono>
#include <string>

#include "proxy/commands/commands.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_address.h"
#include "proxy/warm/warm_client.h"
#include "proxy/warm/warm_daemon.h"

namespace symbols::commands {

int run(const settings::WarmArguments& arguments) {
  constexpr std::chrono::milliseconds answer_limit{5000};
  if (!arguments.serve.empty()) return warm::run_warm_daemon(arguments.serve);
  const Result<std::filesystem::path> folder = warm::runtime_folder();
  if (!folder) return terminal::tell_error(folder.error(), 1);
  std::string kept;
  std::size_t processes = 0;
  bool failed = false;
  for (const std::filesystem::path& socket : warm::all_sockets(*folder)) {
    const Descriptor connection = warm::connect_to(socket);
    if (!connection) continue;  // of a process that was killed
    const warm::Wanted wanted = arguments.stop ? warm::Wanted::stop : warm::Wanted::list;
    const warm::Reply reply = warm::ask(connection.get(), {.wanted = wanted}, answer_limit);
    kept += reply.bytes;
    ++processes;
    if (reply.status) continue;
    failed = true;
    terminal::tell(fmt::format("the process behind {} does not answer; end it with: fuser -k {}",
                               socket.string(), socket.string()));
  }
  if (arguments.stop) {
    kept = processes == 0 ? "nothing is kept\n" : "stopped\n";
  } else if (kept.empty()) {
    kept = "nothing is kept\n";
  }
  return terminal::print(kept) && !failed ? 0 : 1;
}

}  // namespace symbols::commands
