// What `symbols doctor` finds, and its findings about the languages of a folder, each tried on one of its
// files with its server.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "proxy/files/ignore_rules.h"
#include "proxy/servers/server_registry.h"
#include "proxy/settings/arguments.h"
#include "proxy/settings/configuration.h"

namespace symbols::commands {

enum class Condition {
  ok,
  note,    // nothing is wrong, but something would be better or is not there
  slow,    // it works, after a while that has a reason
  broken,  // something that was set up does not work
};

struct Finding {
  Condition condition = Condition::ok;
  std::string subject;  // "settings", "typescript", "opencode"
  std::string text;     // not escaped
  std::string mend{};   // what to do; empty where nothing is wrong
};

using Findings = std::vector<Finding>;

// Starts the servers, and ends them. All of it takes no longer than three times the timeout of `doctor`.
Findings languages_of(const std::filesystem::path& folder, const settings::Configuration& configuration,
                      const servers::ServerRegistry& registry, const settings::DoctorArguments& doctor);

}  // namespace symbols::commands
