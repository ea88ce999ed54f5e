#include <utility>

#include "proxy/commands/commands.h"
#include "proxy/index/index_answers.h"
#include "proxy/settings/configuration.h"
#include "proxy/terminal/tell.h"

namespace symbols::commands {

int run(const settings::FindArguments& arguments) {
  const Result<index::FoundIndex> place = index::find_index(arguments.root.empty() ? "." : arguments.root);
  if (!place) return terminal::tell_error(place.error(), 1);
  Result<settings::Configuration> configured = settings::configuration_of(place->root.string());
  if (!configured) return terminal::tell_error(configured.error(), 2);
  const Result<index::IndexAnswer> answer =
      index::find_in_index(*place, {.name = arguments.query,
                                    .kinds = arguments.kinds,
                                    .limit = arguments.limit,
                                    .with_reasons = arguments.why,
                                    .left_out = settings::left_out_by(std::move(configured->ignored))});
  if (!answer) return terminal::tell_error(answer.error(), 1);
  const bool written = answer->text.empty() || terminal::print(answer->text);
  for (const std::string& note : answer->notes) terminal::tell(note);
  return written && answer->is_found ? 0 : 1;
}

}  // namespace symbols::commands
