#include <fmt/format.h>
#include <fmt/ranges.h>

#include "proxy/batch/input_options.h"
#include "proxy/cli/command.h"

namespace symbols::cli {
namespace {

constexpr const char* index_footer = R"(
DIR defaults to the whole project of the working folder. The index is stored in $XDG_CACHE_HOME/symbols/index; nothing
is written into the project. A run may be killed at any time: the answers so far are kept.

Examples:
  symbols index
  symbols index src
  symbols index --watch                         while you work
  symbols index --shard 3/8 --database 3.db     on the third of eight machines
  symbols index --merge 1.db 2.db 3.db          one index from several
  symbols find HoverCache

Exit status: 0 all files were answered; 1 one could not be answered or stored; 2 wrong command line.)";

constexpr const char* find_footer = R"(
Exact matches come first, then names that begin with QUERY, names that contain it, and names with its letters at the
starts of their words: hc finds HoverCache. A::b or A.b finds b in A. Several words find the names that have them, in
any order. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols find HoverCache
  symbols find Cache -k Class,Struct --limit 10
  symbols find Table::Open
  symbols find cache hover

Exit status: 0 found; 1 nothing was found, or there is no index; 2 wrong command line.)";

constexpr const char* map_footer = R"(
Prints folders, their files, and the names of each file and the members of its types (in braces), those first that
other files mention most. Tests, examples, templates, styles and the like come last. +N counts the folders, files or
names left out there. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols map
  symbols map src -n 1000

Exit status: 0 printed; 1 there is no index, or it has no such file; 2 wrong command line.)";

Result<CommandLine> read_index(const Given& given) {
  settings::IndexArguments index{.document = document_of(given),
                                 .folder = given.argument(0),
                                 .rebuild = given.has("--rebuild"),
                                 .watch = given.has("--watch"),
                                 .database = given.text("--database"),
                                 .merge = given.texts("--merge")};
  if (given.has("--shard")) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", given.text("--shard"));
    if (!shard) return shard.error();
    index.document.inputs.shard = *shard;
  }
  if (!index.merge.empty() &&
      (index.rebuild || index.watch || given.has("--shard") || !index.folder.empty())) {
    return Error{"--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it",
                 "leave them out"};
  }
  if (index.rebuild && !index.database.empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  return index;
}

Result<CommandLine> read_find(const Given& given) {
  settings::FindArguments find{.query = fmt::format("{}", fmt::join(given.arguments, " ")),
                               .root = given.text("--root"),
                               .kinds = given.answers.filter_kind.value_or(std::vector<std::int64_t>()),
                               .why = given.has("--why")};
  if (find.query.empty()) {
    return Error{"no name given", "give the name of a symbol, or part of it, such as: symbols find Cache"};
  }
  if (const std::string text = given.text("--limit"); given.has("--limit")) {
    const Result<std::uint64_t> limit =
        options::OptionValue::of_text("--limit", text).number_within(1, 1'000'000'000);
    if (!limit) return limit.error();
    find.limit = *limit;
  }
  return find;
}

Result<CommandLine> read_map(const Given& given) {
  return settings::MapArguments{.folder = given.argument(0),
                                .root = given.text("--root"),
                                .max_tokens = given.answers.max_tokens,
                                .tokenizer = given.answers.tokenizer};
}

}  // namespace

const Command index_command = {
    .name = "index",
    .taker = options::takers::index,
    .summary = "Index the symbols of a project;\nlater runs ask only about files that changed",
    .usage = "[DIR] [OPTIONS]",
    .footer = index_footer,
    .read = read_index,
    .arguments = {{{"DIR", "Only the files in this folder of the project"}}},
    .max_arguments = 1};

const Command find_command = {.name = "find",
                              .taker = options::takers::find,
                              .summary = "Find symbols of a project by name, in its index",
                              .usage = "QUERY... [OPTIONS]",
                              .footer = find_footer,
                              .read = read_find,
                              .arguments = {{{"QUERY", "The name, part of it, or words of it"}}},
                              .max_arguments = any_number};

const Command map_command = {.name = "map",
                             .taker = options::takers::map,
                             .summary = "Outline a project within a budget of tokens,\nfrom its index",
                             .usage = "[DIR] [OPTIONS]",
                             .footer = map_footer,
                             .read = read_map,
                             .arguments = {{{"DIR", "Only this folder of the project (default: all of it)"}}},
                             .max_arguments = 1};

}  // namespace symbols::cli
