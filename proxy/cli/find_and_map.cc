// `symbols find` and `symbols map`: answers from a project's index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "proxy/cli/command_line.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/index_store.h"
#include "proxy/options/configuration.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::cli {

Result<int> run_find(const Given& given) {
  index::SymbolQuery query{.name = fmt::format("{}", fmt::join(given.arguments, " ")),
                           .kinds = given.answers.filter_kind.value_or(std::vector<std::int64_t>()),
                           .limit = 50,
                           .with_reasons = given.has("--why")};
  if (query.name.empty()) {
    return Error{"no name given", "give the name of a symbol, or part of it, such as: symbols find Cache"};
  }
  if (const std::string text = given.text("--limit"); given.has("--limit")) {
    const Result<std::uint64_t> limit =
        options::OptionValue::of_text("--limit", text).number_within(1, 1'000'000'000);
    if (!limit) return limit.error();
    query.limit = *limit;
  }
  const std::string root = given.text("--root");
  const Result<index::FoundIndex> place = index::find_index(root.empty() ? "." : root);
  if (!place) return terminal::tell_error(place.error(), 1);
  Result<options::Configuration> configured = options::configuration_of(place->root.string());
  if (!configured) return terminal::tell_error(configured.error(), 2);
  query.left_out = options::left_out_by(std::move(configured->ignored));
  const Result<index::IndexAnswer> answer = index::find_in_index(*place, query);
  if (!answer) return terminal::tell_error(answer.error(), 1);
  const bool written = answer->text.empty() || terminal::print(answer->text);
  for (const std::string& note : answer->notes) terminal::tell(note);
  return written && answer->is_found ? 0 : 1;
}

Result<int> run_map(const Given& given) {
  const std::string asked = given.argument(0);
  const std::string start = given.text("--root").empty() ? asked : given.text("--root");
  const Result<index::FoundIndex> place = index::find_index(start.empty() ? "." : start);
  if (!place) return terminal::tell_error(place.error(), 1);
  const Result<std::string> folder = index::folder_in_project(asked, place->root);
  if (!folder) return terminal::tell_error(folder.error(), 2);
  const Result<options::Configuration> configured = options::configuration_of(place->root.string());
  if (!configured) return terminal::tell_error(configured.error(), 2);
  const options::AnswerOptions& defaults = configured->settings;
  const Result<index::IndexAnswer> answer = index::map_of_index(
      *place, *folder,
      table::TokenLimit::for_text_of(
          given.answers.max_tokens.value_or(defaults.max_tokens.value_or(index::map_tokens)),
          given.answers.tokenizer.value_or(defaults.tokenizer_or_default())),
      configured->ignored);
  if (!answer) return terminal::tell_error(answer.error(), 1);
  const bool written = terminal::print(answer->text);
  for (const std::string& note : answer->notes) terminal::tell(note);
  if (answer->text.empty()) {
    return terminal::tell_error({fmt::format("the index has no file in {}",
                                             table::quoted(asked.empty() ? place->root.string() : asked)),
                                 "make it with: symbols index"},
                                1);
  }
  return written ? 0 : 1;
}

}  // namespace symbols::cli
