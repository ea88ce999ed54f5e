// What the proxy changes of `initialize` on its way and of the answer on its way back (docs/spec.md, section
// 7, "initialize"). Every byte that is not named there stays as it came.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/options/answer_options.h"

namespace symbols::session {

// The commands of workspace/executeCommand that the proxy answers.
inline constexpr std::string_view symbols_command = "symbols.documentSymbols";
inline constexpr std::string_view context_command = "symbols.context";

// What the client's initialize tells.
struct ClientInitialize {
  options::AnswerOptions options;     // of initializationOptions.symbols
  bool hierarchical_symbols = false;  // it declared hierarchicalDocumentSymbolSupport
  std::string folders = "null";       // its folders or its root: WorkspaceFolder[], raw JSON
};

// Reads the params of initialize. Error: an option is wrong, or contradicts the command line; everything else
// that is not understood is ignored.
Result<ClientInitialize> read_initialize(std::string_view params, const options::AnswerOptions& command_line);

// The body of initialize as the server gets it: without initializationOptions.symbols and, if `options`
// (those of the session) have a text format, with the capabilities that such answers need. A confined server
// does not get the client's processId: many look by signal 0 for that process, are refused by the kernel, and
// end. None if nothing changes, or the body is malformed.
std::optional<std::string> rewrite_initialize(std::string_view body, const options::AnswerOptions& options,
                                              bool is_confined = false);

// The body of its reply as the client gets it: with capabilities.experimental.symbols and, in a text format,
// our commands. None if it has no capabilities.
std::optional<std::string> rewrite_initialize_reply(std::string_view body,
                                                    const options::AnswerOptions& options,
                                                    std::string_view version);

}  // namespace symbols::session
