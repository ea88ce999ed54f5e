#include <unistd.h>

#include "proxy/commands/commands.h"
#include "proxy/index/index_answers.h"
#include "proxy/runs/document_run.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_client.h"

namespace symbols::commands {

int run(const settings::DumpArguments& given) {
  const terminal::Console console = terminal::Console::of(STDOUT_FILENO);
  const Result<runs::Dump> dump = runs::prepare_dump(given, console);
  if (!dump) return terminal::tell_error(dump.error(), 2);
  if (dump->arguments.from_index) return index::run_from_index(*dump);
  if (const std::optional<int> status = warm::run_warm(dump->arguments, console)) return *status;
  return runs::run_documents(*dump);
}

}  // namespace symbols::commands
