// `symbols PATH…` and `symbols context` before they run: what is asked of each document, and how the answers
// are printed.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "proxy/runs/document_run.h"
#include "proxy/settings/arguments.h"
#include "proxy/terminal/terminal.h"

namespace symbols::runs {

// Reads the environment and the configuration file. `console`: that of the standard output. Error: they are
// wrong, or do not go with the rest of the command line.
Result<Dump> prepare_dump(const settings::DumpArguments& given, const terminal::Console& console);

// Why there is nothing to ask.
struct ContextRefusal {
  std::vector<std::string> lines{};  // for standard error
  int status = 2;
};

// The document may have to be found in the index. Reads the environment and the configuration files.
// `console`: that of the standard output; paths are shown from the working folder. In context.cc.
std::variant<Dump, ContextRefusal> prepare_context(const settings::ContextArguments& given,
                                                   const terminal::Console& console);

}  // namespace symbols::runs
