// The commands of workspace/executeCommand that the proxy answers (docs/spec.md, section 7).
#pragma once

#include <string_view>

namespace symbols::session {

inline constexpr std::string_view symbols_command = "symbols.documentSymbols";
inline constexpr std::string_view context_command = "symbols.context";

}  // namespace symbols::session
