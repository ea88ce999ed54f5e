// `symbols index`, and what its index answers: `symbols find` and `symbols map`. `symbols impact` and
// `symbols check`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "base/filesystem.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/project_root.h"
#include "proxy/index/check.h"
#include "proxy/index/impact.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/index_pass.h"
#include "proxy/index/index_runner.h"
#include "proxy/index/index_store.h"
#include "proxy/options/configuration.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

using index::IndexStore;
using terminal::tell_error;

std::vector<std::string> all_markers(const servers::ServerRegistry& registry) {
  std::vector<std::string> markers;
  for (const servers::ServerSpec& server : registry.servers())
    markers.insert(markers.end(), server.root_markers.project.begin(), server.root_markers.project.end());
  return markers;
}

// The project's index at this path, or the user's file.
Result<index::IndexTarget> find_target(const Given& given, const fs::path& root) {
  Result<index::IndexTarget> target = given.text("--database").empty()
                                          ? index::user_index(root)
                                          : index::IndexTarget{.root = root,
                                                               .folder = root,
                                                               .database = given.text("--database"),
                                                               .owner = IndexStore::Owner::user};
  std::error_code failure;
  if (target && !given.argument(0).empty()) target->folder = fs::canonical(given.argument(0), failure);
  return target;
}

// Error: `file` is not an index, or one of another project: none of its files is here.
Result<void> check_index(const std::string& file, const fs::path& root) {
  if (const Result<void> good = IndexStore::check(file); !good) return good;
  Result<IndexStore> store = IndexStore::open(file, IndexStore::Missing::is_error, IndexStore::Owner::user);
  if (!store) return store.error();
  const Result<index::IndexContents> indexed = store->contents();
  if (!indexed) return indexed.error();
  const auto is_there = [&root](const auto& one) { return files::is_there(root / one.first); };
  if (indexed->files.empty() || std::ranges::any_of(indexed->files, is_there)) return {};
  return Error{fmt::format("the index {} belongs to another project: {} has none of its {} files",
                           table::quoted(file), table::quoted(root.string()), indexed->files.size()),
               "give the --root that it was made with"};
}

// Returns the line that reports it.
Result<std::string> merge_indexes(const std::vector<std::string>& others, const index::IndexTarget& target) {
  const auto start = steady_clock::now();
  // Before anything is changed.
  for (const std::string& other : others) {
    if (const Result<void> good = check_index(other, target.root); !good) return good.error();
  }
  Result<IndexStore> store = IndexStore::open(target.database, IndexStore::Missing::create, target.owner);
  if (!store) return store.error();
  std::size_t taken = 0;
  for (const std::string& other : others) {
    std::error_code failure;
    if (fs::equivalent(other, target.database, failure)) continue;
    const Result<std::size_t> from_this = store->take_newer(other);
    if (!from_this) return from_this.error();
    taken += *from_this;
  }
  const Result<index::IndexContents> indexed = store->contents();
  if (!indexed) return indexed.error();
  std::size_t rows = 0;
  for (const auto& [path, file] : indexed->files) rows += file.rows;
  const std::chrono::duration<double> duration = steady_clock::now() - start;
  return fmt::format("{} files, {} rows: {} taken from {} indexes, {:.2f} s\n", indexed->files.size(), rows,
                     taken, others.size(), duration.count());
}

// Prints what `ask` makes of the nearest index at or above `start` (empty: here), of its project's settings
// and of `folder` in that project (empty: all of it).
template <class Ask>
int answer_from_index(const std::string& start, const std::string& folder, Ask ask) {
  const Result<index::FoundIndex> place = index::find_index(start.empty() ? "." : start);
  if (!place) return tell_error(place.error(), 1);
  const Result<std::string> inside = index::folder_in_project(folder, place->root);
  if (!inside) return tell_error(inside.error(), 2);
  Result<options::Configuration> configured = options::configuration_of(place->root.string());
  if (!configured) return tell_error(configured.error(), 2);
  const Result<index::IndexAnswer> answer = ask(*place, *inside, *configured);
  if (!answer) return tell_error(answer.error(), 1);
  const bool written = answer->text.empty() || terminal::print(answer->text);
  for (const std::string& note : answer->notes) terminal::tell(note);
  return written && answer->is_found ? 0 : 1;
}

// Prints the answer of the steps. The exit status is 1 if a check finds something or is not answered.
template <class ToText, class ToJson, class MakeSteps>
int answer_in_steps(output::DumpArguments document, ToText to_text, ToJson to_json, MakeSteps steps) {
  document.answers.include_hover = false;
  if (!document.answers.format) document.answers.format = table::Format::tree;
  const Result<output::Dump> dump = output::prepare_dump(document, terminal::Console::of(STDOUT_FILENO));
  if (!dump) return tell_error(dump.error(), 2);
  const auto answer = output::take_steps(steps(*dump));
  if (!answer) return tell_error(answer.error(), 1);
  for (const std::string& note : answer->notes) terminal::tell("note: " + note);
  const std::string here = files::working_folder().string();
  const options::AnswerOptions& answers = dump->arguments.answers;
  const bool in_lines = answers.format == table::Format::ndjson;
  const bool is_written = terminal::print(in_lines || answers.format == table::Format::json
                                              ? to_json(*answer, here, in_lines)
                                              : to_text(*answer, here, answers.token_limit()));
  bool is_good = is_written;
  if constexpr (requires { answer->unknown; })
    is_good = is_written && answer->found.empty() && answer->unknown == 0;
  return is_good ? 0 : 1;
}

}  // namespace

Result<int> run_index(const Given& given) {
  const auto start = steady_clock::now();
  Result<output::DumpArguments> read = document_of(given);
  if (!read) return read.error();
  output::DumpArguments& document = *read;
  const std::string folder = given.argument(0);
  const std::vector<std::string> merge = given.texts("--merge");
  if (!merge.empty() &&
      (given.has("--rebuild") || given.has("--watch") || given.has("--shard") || !folder.empty())) {
    return Error{"--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it",
                 "leave them out"};
  }
  if (given.has("--rebuild") && !given.text("--database").empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return tell_error(registry.error(), 1);
  const fs::path asked = folder.empty() ? "." : folder;
  const Result<fs::path> root = index::index_root(asked, document.inputs.root, all_markers(*registry));
  if (!root) return tell_error(root.error(), 2);
  if (const Result<void> added = index::add_index_settings(document, *root); !added)
    return tell_error(added.error(), 2);
  const Result<index::IndexTarget> target = find_target(given, *root);
  if (!target) return tell_error(target.error(), 1);
  if (!merge.empty()) {
    const Result<std::string> merged = merge_indexes(merge, *target);
    return merged ? (terminal::print(*merged) ? 0 : 1) : tell_error(merged.error(), 1);
  }
  std::error_code failure;
  document.inputs.paths = {folder.empty() && !fs::equivalent(*root, ".", failure) ? root->string()
                                                                                  : asked.string()};
  Result<engine::DocumentInputs> inputs = engine::find_document_inputs(document.inputs, *registry);
  if (!inputs) return tell_error(inputs.error(), 2);
  if (given.has("--rebuild")) {
    if (const Result<void> gone = IndexStore::discard(target->database); !gone)
      return tell_error(gone.error(), 1);
  }
  if (given.has("--watch")) return index::watch_index(document, *target, *registry);
  Result<std::unique_ptr<index::IndexPass>> pass =
      index::IndexPass::prepare(*target, *registry, document.inputs.shard.has_value(), *inputs, start);
  if (!pass) return tell_error(pass.error(), 1);
  const auto make_sink = [&](const engine::DocumentInputs&, output::RunOutput& output) {
    (*pass)->write_to(output, index::IndexPass::Summary::always);
    return *std::move(pass);
  };
  return output::run_documents({document, index::index_inquiry(), make_sink}, std::move(*inputs));
}

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
  return answer_from_index(given.text("--root"), {},
                           [&](const auto& place, const auto&, options::Configuration& configured) {
                             query.left_out = options::left_out_by(std::move(configured.ignored));
                             return index::find_in_index(place, query);
                           });
}

Result<int> run_map(const Given& given) {
  const std::string asked = given.argument(0);
  const std::string root = given.text("--root");
  return answer_from_index(
      root.empty() ? asked : root, asked,
      [&](const index::FoundIndex& place, const std::string& folder,
          const options::Configuration& configured) {
        const options::AnswerOptions settings = given.answers.over(configured.settings);
        const auto limit = table::TokenLimit::for_text_of(settings.max_tokens.value_or(index::map_tokens),
                                                          settings.tokenizer_or_default());
        Result<index::IndexAnswer> map = index::map_of_index(place, folder, limit, configured.ignored);
        if (map && map->text.empty()) {
          map->is_found = false;
          map->notes.push_back(fmt::format("the index has no file in {}; make it with: symbols index",
                                           table::quoted(asked.empty() ? place.root.string() : asked)));
        }
        return map;
      });
}

Result<int> run_impact(const Given& given) {
  Result<output::DumpArguments> document = document_of(given);
  if (!document) return document.error();
  index::ImpactQuestion question{.staged = given.has("--staged")};
  for (const std::string& word : given.arguments) {
    if (options::has_line(word)) {
      const Result<options::SourcePlace> place = options::read_source_place(word, files::is_there);
      if (!place) return place.error();
      question.places.push_back(*place);
    } else if (word.empty()) {
      return Error{"the revision is empty", "leave it out for the last commit"};
    } else if (question.revision.empty()) {
      question.revision = word;
    } else {
      return Error{fmt::format("{} is a second revision", table::quoted(word)),
                   "give one, or places: FILE:LINE"};
    }
  }
  if (!question.places.empty() && (question.staged || !question.revision.empty()))
    return Error{"a place needs no revision and no --staged", "leave them out"};
  if (const std::string text = given.text("--depth"); given.has("--depth")) {
    const Result<std::uint64_t> depth = options::OptionValue::of_text("--depth", text).number_within(1, 10);
    if (!depth) return depth.error();
    question.depth = *depth;
  }
  return answer_in_steps(
      *document, index::impact_text, index::impact_json,
      [&question](const output::Dump& dump) { return index::impact_steps(std::move(question), dump); });
}

Result<int> run_check(const Given& given) {
  Result<output::DumpArguments> document = document_of(given);
  if (!document) return document.error();
  index::CheckQuestion question{.since = given.text("--since")};
  if (given.has("--since") && question.since.empty())
    return Error{"the revision of --since is empty", "leave it out for the last commit"};
  for (const std::string& file : given.arguments) {
    const Result<fs::path> path = files::absolute_source_path(file);
    if (!path) return tell_error(path.error(), 1);
    question.paths.push_back(path->string());
  }
  return answer_in_steps(
      *document, index::check_text, index::check_json,
      [&question](const output::Dump& dump) { return index::check_steps(std::move(question), dump); });
}

}  // namespace symbols::cli
