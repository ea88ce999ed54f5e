#include <fmt/format.h>

#include <string>

#include "proxy/commands/commands.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/index_place.h"
#include "proxy/settings/configuration.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::commands {

int run(const settings::MapArguments& arguments) {
  const std::string& start = arguments.root.empty() ? arguments.folder : arguments.root;
  const Result<index::FoundIndex> place = index::find_index(start.empty() ? "." : start);
  if (!place) return terminal::tell_error(place.error(), 1);
  const Result<std::string> folder = index::folder_in_project(arguments.folder, place->root);
  if (!folder) return terminal::tell_error(folder.error(), 2);
  const Result<settings::Configuration> configured = settings::configuration_of(place->root.string());
  if (!configured) return terminal::tell_error(configured.error(), 2);
  const options::AnswerOptions& defaults = configured->settings;
  const Result<index::IndexAnswer> answer =
      index::map_of_index(*place, *folder,
                          table::TokenLimit::for_text_of(
                              arguments.max_tokens.value_or(defaults.max_tokens.value_or(index::map_tokens)),
                              arguments.tokenizer.value_or(defaults.tokenizer_or_default())),
                          configured->ignored);
  if (!answer) return terminal::tell_error(answer.error(), 1);
  const bool written = terminal::print(answer->text);
  for (const std::string& note : answer->notes) terminal::tell(note);
  if (answer->text.empty()) {
    return terminal::tell_error(
        {fmt::format("the index has no file in {}",
                     table::quoted(arguments.folder.empty() ? place->root.string() : arguments.folder)),
         "make it with: symbols index"},
        1);
  }
  return written ? 0 : 1;
}

}  // namespace symbols::commands
