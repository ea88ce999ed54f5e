// A run before it begins: what is asked of each document, and how the answers are printed. Here that of
// `symbols PATH…`.
#pragma once

#include "base/result.h"
#include "proxy/query/document_inquiry.h"
#include "proxy/runs/document_run.h"
#include "proxy/settings/arguments.h"
#include "proxy/terminal/terminal.h"

namespace symbols::runs {

struct Dump {
  settings::DumpArguments arguments;  // with the settings of environment and configuration
  query::InquiryOptions inquiry{};
  MakeSink make_sink{};
};

// Reads the environment and the configuration file. `console`: that of the standard output. Error: they are
// wrong, or do not go with the rest of the command line.
Result<Dump> prepare_dump(const settings::DumpArguments& given, const terminal::Console& console);

}  // namespace symbols::runs
