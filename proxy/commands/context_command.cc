#include <unistd.h>

#include "proxy/commands/commands.h"
#include "proxy/index/index_answers.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_client.h"

namespace symbols::commands {

int run(const settings::ContextArguments& given) {
  const terminal::Console console = terminal::Console::of(STDOUT_FILENO);
  const std::variant<runs::Dump, runs::ContextRefusal> prepared = index::prepare_context(given, console);
  if (const auto* const refusal = std::get_if<runs::ContextRefusal>(&prepared)) {
    for (const std::string& line : refusal->lines) terminal::tell(line);
    return refusal->status;
  }
  const runs::Dump& dump = std::get<runs::Dump>(prepared);
  if (const std::optional<int> status = warm::run_warm(dump.arguments, console)) return *status;
  return runs::run_documents(dump);
}

}  // namespace symbols::commands
