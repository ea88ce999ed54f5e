// `symbols servers`: the known language servers. `symbols warm`: those that --warm keeps.
#include <fmt/format.h>

#include <filesystem>

#include "proxy/cli/command_line.h"
#include "proxy/files/project_root.h"
#include "proxy/servers/servers_file.h"
#include "proxy/servers/servers_list.h"
#include "proxy/warm/warm_client.h"

namespace symbols::cli {
namespace {

std::optional<runs::Dump> prepare_dump(const std::vector<std::string>& words,
                                       const terminal::Console& console) {
  const Request request = parse_command_line(words);
  const bool is_of_documents =
      (request.command->taker & (options::takers::dump | options::takers::context)) != 0;
  if (request.text || request.error || !is_of_documents) return std::nullopt;
  Result<PreparedDocuments> prepared = prepare_documents(*request.command, request.given, console);
  auto* const dump = prepared ? std::get_if<runs::Dump>(&*prepared) : nullptr;
  return dump == nullptr ? std::nullopt : std::optional(std::move(*dump));
}

}  // namespace

Result<int> run_servers(const Given& given) {
  const std::filesystem::path user_file = servers::user_servers_file();
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load(user_file);
  if (!registry) return terminal::tell_error(registry.error(), 1);
  // Programs in the project of the current folder are not run here either.
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown);
  const std::filesystem::path root =
      unknown ? std::filesystem::path() : files::find_project_root(here / "file", {}, files::home_folder());
  const std::string list = servers::servers_list(
      *registry, servers::LookupOptions::from_environment(root, given.has("--trust-project")), user_file);
  return terminal::print(list) ? 0 : 1;
}

Result<int> run_warm(const Given& given) {
  if (given.has("--serve")) return warm::run_warm_daemon(given.text("--serve"), prepare_dump);
  const bool stop = given.has("--stop");
  const Result<std::vector<warm::Reply>> replies =
      warm::ask_all(stop ? warm::Wanted::stop : warm::Wanted::list);
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
  if (stop && !replies->empty()) kept = "stopped\n";
  return terminal::print(kept.empty() ? "nothing is kept\n" : kept) && !failed ? 0 : 1;
}

}  // namespace symbols::cli
