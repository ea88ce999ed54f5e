// `symbols PATH…` and `symbols context` before they run: what is asked of each document, and how the answers
// are printed.
#pragma once

#include <string>
#include <variant>
#include <vector>

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

// Why there is nothing to ask.
struct ContextRefusal {
  std::vector<std::string> lines{};  // for standard error
  int status = 2;
};

// The same for `symbols context`, whose document may have to be found in the index.
std::variant<Dump, ContextRefusal> prepare_context(const ContextArguments& given);

}  // namespace symbols::cli
