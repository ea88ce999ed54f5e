#include "proxy/runs/kept_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace symbols::runs {
namespace {

bool depends_on_others(const Dump& dump) {
  return dump.inquiry.context || dump.inquiry.document.diagnostics > 0;
}

// What chose the answers, besides their documents: the words of the command line without the paths at its
// end, what is configured, and the format, which standard output chooses too.
std::string question_of(const Dump& dump) {
  const settings::DumpArguments& arguments = dump.arguments;
  std::vector<std::string> words = arguments.words;
  const std::vector<std::string>& paths = arguments.inputs.paths;
  if (!dump.inquiry.context && words.size() >= paths.size() &&
      std::equal(paths.rbegin(), paths.rend(), words.rbegin())) {
    words.resize(words.size() - paths.size());
  }
  std::string question = std::to_string(static_cast<int>(arguments.answers.format_or_default()));
  for (const std::string& word : words) question += '\0' + word;
  question += '\0';
  for (const std::string& word : arguments.configured) question += '\0' + word;
  // The text of a context has paths from the working folder, and lines as wide as the terminal.
  if (const auto& context = dump.inquiry.context; context && context->outline_folder) {
    const table::PrettyStyle page = context->page.value_or(table::PrettyStyle{});
    question += '\0' + *context->outline_folder + fmt::format(" {} {}", page.width, page.colour);
  }
  return question;
}

}  // namespace

batch::WarmLimits warm_limits(const options::AnswerOptions& settings) {
  batch::WarmLimits limits;
  if (settings.warm_servers) limits.servers = *settings.warm_servers;
  if (settings.warm_memory) limits.server_memory = *settings.warm_memory << 20;
  if (settings.warm_idle) limits.server_idle = std::chrono::seconds(*settings.warm_idle);
  return limits;
}

bool may_use_kept_servers(const KeptRun& run) {
  return !depends_on_others(run.dump) || run.inputs.documents.size() == 1;
}

std::unique_ptr<DocumentRun> make_kept_run(relay::EventLoop& loop, batch::WarmServers& servers, KeptRun run,
                                           RunOutput& output, std::function<void()> on_end) {
  batch::DispatchOptions options = dispatch_options(run.dump);
  if (may_use_kept_servers(run)) {
    options.warm = &servers;
    options.question = question_of(run.dump);
    options.depends_on_others = depends_on_others(run.dump);
  }
  return std::make_unique<DocumentRun>(loop, output, run.dump, std::move(options), std::move(run.inputs),
                                       std::move(on_end));
}

}  // namespace symbols::runs
