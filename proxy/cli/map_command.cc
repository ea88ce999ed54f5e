#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "proxy/cli/commands.h"
#include "proxy/cli/configuration.h"
#include "proxy/cli/index_answers.h"
#include "proxy/cli/tell.h"
#include "proxy/index/index_place.h"
#include "table/escape.h"

namespace symbols::cli {

int run_map(const MapArguments& arguments) {
  const std::string& start = arguments.root.empty() ? arguments.folder : arguments.root;
  const Result<index::FoundIndex> place = index::find_index(start.empty() ? "." : start);
  if (!place) return tell_error(place.error(), 1);
  const Result<std::string> folder = folder_in_project(arguments.folder, place->root);
  if (!folder) return tell_error(folder.error(), 2);
  const Result<Configuration> configured = configuration_of(place->root.string());
  if (!configured) return tell_error(configured.error(), 2);
  const options::AnswerOptions& defaults = configured->settings.answers;
  const Result<IndexAnswer> answer = map_of_index(
      *place, *folder,
      table::TokenLimit::for_text_of(arguments.max_tokens.value_or(defaults.max_tokens.value_or(map_tokens)),
                                     arguments.tokenizer.value_or(defaults.tokenizer_or_default())),
      configured->ignored);
  if (!answer) return tell_error(answer.error(), 1);
  const bool written =
      std::fwrite(answer->text.data(), 1, answer->text.size(), stdout) == answer->text.size() &&
      std::fflush(stdout) == 0;
  for (const std::string& note : answer->notes) tell(note);
  if (answer->text.empty()) {
    return tell_error(
        {fmt::format("the index has no file in {}",
                     table::quoted(arguments.folder.empty() ? place->root.string() : arguments.folder)),
         "make it with: symbols index"},
        1);
  }
  return written ? 0 : 1;
}

}  // namespace symbols::cli
