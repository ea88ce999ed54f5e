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
};

// Reads the params of initialize. Error: an option that is wrong, or does not go with those of the command
// line; everything else that is not understood is passed over.
Result<ClientInitialize> read_initialize(std::string_view params, const options::AnswerOptions& command_line);

// The body of initialize as the server gets it: without initializationOptions.symbols and, where `options`
// (all that holds for the session) ask for a text format, with the capabilities that such answers need. For a
// server that is confined without the client's processId: many ask by signal 0 whether that process is there,
// which the kernel refuses them, and then end. None where nothing changes, or the body is not what it should
// be.
std::optional<std::string> rewrite_initialize(std::string_view body, const options::AnswerOptions& options,
                                              bool is_confined = false);

// The body of the answer as the client gets it: with capabilities.experimental.symbols and, in a text format,
// our commands. None where it has no capabilities.
std::optional<std::string> rewrite_initialize_reply(std::string_view body,
                                                    const options::AnswerOptions& options,
                                                    std::string_view version);

}  // namespace symbols::session
