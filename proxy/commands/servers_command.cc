#include <filesystem>

#include "proxy/commands/commands.h"
#include "proxy/files/project_root.h"
#include "proxy/servers/servers_file.h"
#include "proxy/servers/servers_list.h"
#include "proxy/terminal/tell.h"

namespace symbols::commands {

int run(const settings::ServersArguments& arguments) {
  const std::filesystem::path user_file = servers::user_servers_file();
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load(user_file);
  if (!registry) return terminal::tell_error(registry.error(), 1);
  // Programs in the project of the current folder are not run here either.
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown);
  const std::filesystem::path root =
      unknown ? std::filesystem::path() : files::find_project_root(here / "file", {}, files::home_folder());
  const std::string list = servers::servers_list(
      *registry, servers::LookupOptions::from_environment(root, arguments.trust_project), user_file);
  return terminal::print(list) ? 0 : 1;
}

}  // namespace symbols::commands
