// What `symbols doctor` has found.
#pragma once

#include <string>
#include <vector>

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

}  // namespace symbols::commands
