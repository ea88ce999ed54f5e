// `symbols PATH…` before it runs: what is asked of each document, and how the answers are printed.
#pragma once

#include "base/result.h"
#include "proxy/cli/command_line.h"
#include "proxy/cli/document_run.h"
#include "proxy/cli/terminal.h"
#include "proxy/query/document_inquiry.h"

namespace symbols::cli {

struct Dump {
  DumpArguments arguments;  // with the settings of environment and configuration
  query::InquiryOptions inquiry{};
  MakeSink make_sink{};
};

// Reads the environment and the configuration file. `console`: that of the standard output. Error: they are
// wrong, or do not go with the rest of the command line.
Result<Dump> prepare_dump(const DumpArguments& given, const Console& console);

}  // namespace symbols::cli
