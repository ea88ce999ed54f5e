// `symbols PATH…` before it runs: what is asked of each document, and how the answers are printed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/runs/document_run.h"
#include "proxy/terminal/terminal.h"

namespace symbols::runs {

// Reads the environment and the configuration file. `console`: that of the standard output. Error: they are
// wrong, or do not go with the rest of the command line.
Result<Dump> prepare_dump(const DumpArguments& given, const terminal::Console& console);

// Why there is nothing to ask (index/index_answers.h, prepare_context).
struct ContextRefusal {
  std::vector<std::string> lines{};  // for standard error
  int status = 2;
};

}  // namespace symbols::runs
