// `symbols context` before it runs: about which symbol of which document, and how the answer is printed.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proxy/runs/document_run.h"
#include "proxy/settings/arguments.h"

namespace symbols::runs {

// Why there is nothing to ask.
struct ContextRefusal {
  std::vector<std::string> lines{};  // for standard error
  int status = 2;
};

// The document may have to be found in the index. Reads the environment and the configuration files.
std::variant<Dump, ContextRefusal> prepare_context(const settings::ContextArguments& given);

}  // namespace symbols::runs
