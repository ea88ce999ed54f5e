#include "proxy/servers/own_installs.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>

#include "proxy/files/writable_by_others.h"

namespace symbols::servers {

namespace fs = std::filesystem;

OwnInstalls find_own_installs(const fs::path& named, const fs::path& home, const fs::path& program,
                              const ProjectBoundary& boundary) {
  OwnInstalls installs;
  const auto packages = [](const fs::path& install) {
    std::error_code error;
    fs::path folder = install / "node_modules";
    return install.is_absolute() && fs::is_directory(folder, error) ? folder : fs::path();
  };
  const auto add = [&](const fs::path& install, bool may_be_in_project) {
    const fs::path folder = packages(install);
    if (folder.empty()) return;
    std::optional<std::string> reason = files::writable_by_others(folder);
    if (!reason && !may_be_in_project && boundary.forbids(folder))
      reason = "they are in the project, which is not trusted";
    if (reason) {
      installs.refused.push_back(
          fmt::format("the servers in {} are not used: {}", install.string(), *reason));
    } else {
      installs.folders.push_back(install);
    }
  };
  if (!packages(named).empty()) installs.folders.push_back(named);
  // One global `typescript` is version 5 or 7, so the advice in servers.json puts the other one here.
  add(home / ".local/lib/symbols/servers", false);
  const fs::path prefix = program.parent_path().parent_path();
  add(prefix / "lib/symbols/servers", true);
  add(prefix / "scripts/servers", true);
  return installs;
}

}  // namespace symbols::servers
