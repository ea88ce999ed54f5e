// `symbols doctor`: the languages of a folder, each tried on one of its files with its server.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "proxy/commands/finding.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/servers/server_registry.h"
#include "proxy/settings/arguments.h"

namespace symbols::commands {

// Starts the servers, and ends them. `silence`: of a server, after which it counts as lost; all of it takes
// no longer than three times that.
Findings languages_of(const std::filesystem::path& folder, const files::IgnoredPaths& ignored,
                      const servers::ServerRegistry& registry, bool trust_project,
                      std::optional<bool> confine, std::chrono::milliseconds silence);

}  // namespace symbols::commands
