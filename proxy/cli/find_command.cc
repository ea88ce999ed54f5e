#include <cstdio>
#include <optional>
#include <utility>

#include "proxy/cli/commands.h"
#include "proxy/cli/configuration.h"
#include "proxy/cli/index_answers.h"
#include "proxy/cli/tell.h"
#include "proxy/cli/warm_run.h"

namespace symbols::cli {

int run_find(const FindArguments& arguments) {
  const Result<index::FoundIndex> place = index::find_index(arguments.root.empty() ? "." : arguments.root);
  if (!place) {
    const std::optional<int> status = run_kept(arguments.words);
    return status ? *status : tell_error(place.error(), 1);
  }
  Result<Configuration> configured = configuration_of(place->root.string());
  if (!configured) return tell_error(configured.error(), 2);
  const Result<IndexAnswer> answer =
      find_in_index(*place, {.name = arguments.query,
                             .kinds = arguments.kinds,
                             .limit = arguments.limit,
                             .left_out = left_out_by(std::move(configured->ignored))});
  if (!answer) return tell_error(answer.error(), 1);
  const bool written =
      std::fwrite(answer->text.data(), 1, answer->text.size(), stdout) == answer->text.size() &&
      std::fflush(stdout) == 0;
  for (const std::string& note : answer->notes) tell(note);
  return written ? 0 : 1;
}

}  // namespace symbols::cli
