// Findings of `symbols doctor`, and those about a folder's languages, each tried on a file with its server.
#pragma once

#include <string>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "proxy/options/configuration.h"
#include "proxy/output/document_run.h"
#include "proxy/servers/server_registry.h"

namespace symbols::cli {

enum class Condition {
  ok,
  note,    // nothing is wrong, but something would be better or is not there
  slow,    // it works, after a while that has a reason
  broken,  // something that was set up does not work
};

struct Finding {
  Condition condition = Condition::ok;
  std::string subject;   // "settings", "typescript", "opencode"
  std::string text;      // not escaped
  std::string advice{};  // what to do; empty where nothing is wrong
};

using Findings = std::vector<Finding>;

inline Finding finding_of(std::string subject, const Error& error, Condition condition = Condition::broken) {
  return {condition, std::move(subject), error.message, error.advice};
}

// Starts servers as `arguments` say, with its timeout for their longest silence, and ends them. All of it
// takes no longer than three times that.
Findings findings_about_languages(const fs::path& folder, const options::Configuration& configuration,
                                  const servers::ServerRegistry& registry, output::DumpArguments arguments);

}  // namespace symbols::cli
