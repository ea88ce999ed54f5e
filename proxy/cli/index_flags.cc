#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "proxy/batch/shard.h"
#include "proxy/cli/command.h"
#include "proxy/cli/common_flags.h"
#include "table/escape.h"
#include "table/selection.h"

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

struct IndexFlags {
  settings::IndexArguments index{};
  std::string shard{};
  AnswerFlags answers{};
};

struct FindFlags {
  settings::FindArguments find{};
  std::vector<std::string> words{};
  std::string kinds{};
  std::string limit{};
};

struct MapFlags {
  settings::MapArguments map{};
  AnswerFlags answers{};
};

Result<CommandLine> read_index(const IndexFlags& flags) {
  settings::IndexArguments index = flags.index;
  Result<options::AnswerOptions> answers = flags.answers.read();
  if (!answers) return answers.error();
  index.document.answers = std::move(*answers);
  if (!flags.shard.empty()) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", flags.shard);
    if (!shard) return shard.error();
    index.document.inputs.shard = *shard;
  }
  if (!index.merge.empty() &&
      (index.rebuild || index.watch || !flags.shard.empty() || !index.folder.empty())) {
    return Error{"--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it",
                 "leave them out"};
  }
  if (index.rebuild && !index.database.empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  return index;
}

Result<CommandLine> read_find(const FindFlags& flags) {
  settings::FindArguments find = flags.find;
  find.query = fmt::format("{}", fmt::join(flags.words, " "));
  if (find.query.empty()) {
    return Error{"no name given", "give the name of a symbol, or part of it, such as: symbols find Cache"};
  }
  Result<std::vector<std::int64_t>> kinds = table::parse_kinds("--kind", table::split_list(flags.kinds));
  if (!kinds) return kinds.error();
  find.kinds = std::move(*kinds);
  if (!flags.limit.empty()) {
    const auto limit = options::OptionValue::of_text("--limit", flags.limit).number();
    if (!limit || *limit == 0) {
      return Error{fmt::format("--limit cannot be {}", table::quoted(flags.limit)),
                   "give a number, at least 1"};
    }
    find.limit = *limit;
  }
  return find;
}

}  // namespace

Command add_index(CLI::App& program) {
  const auto flags = std::make_shared<IndexFlags>();
  settings::IndexArguments& index = flags->index;
  CLI::App* const app = program.add_subcommand(
      "index", "Index the symbols of a project;\nlater runs ask only about files that changed");
  app->footer(index_footer);
  app->add_option("DIR", index.folder, "Only the files in this folder of the project")->type_name("");
  app->add_flag("--rebuild", index.rebuild, "Discard the index and ask for every file again");
  app->add_flag("--watch", index.watch, "Keep the index up to date as files change, until Ctrl-C");
  app->add_option("--shard", flags->shard,
                  "Only the I-th of N shares of the files, the same on every machine: 1/8")
      ->type_name("I/N");
  app->add_option("--database", index.database, "Keep the index in this file, instead of the user's cache")
      ->type_name("FILE");
  app->add_option("--merge", index.merge,
                  "Merge these indexes, without starting servers: for each file the newest answer counts")
      ->type_name("FILE...");
  flags->answers.add_to(*app, AnswerFlags::Use::index);
  add_server_flags(*app, index.document);
  return {app, [flags](const auto&) { return read_index(*flags); }};
}

Command add_find(CLI::App& program) {
  const auto flags = std::make_shared<FindFlags>();
  CLI::App* const app = program.add_subcommand("find", "Find symbols of a project by name, in its index");
  app->footer(find_footer);
  app->add_option("QUERY", flags->words, "The name, part of it, or words of it")->type_name("");
  app->add_option("-r,--root", flags->find.root,
                  "A folder of the project to search, instead of the working folder")
      ->type_name("DIR");
  app->add_option("-k,--kind", flags->kinds, "Only symbols of these kinds: Class,Method")->type_name("LIST");
  app->add_option("--limit", flags->limit, "At most N symbols (default 50)")->type_name("N");
  app->add_flag("--why", flags->find.why, "Say of each symbol why it is where it is in the list");
  return {app, [flags](const auto&) { return read_find(*flags); }};
}

Command add_map(CLI::App& program) {
  const auto flags = std::make_shared<MapFlags>();
  CLI::App* const app =
      program.add_subcommand("map", "Outline a project within a budget of tokens,\nfrom its index");
  app->footer(map_footer);
  app->add_option("DIR", flags->map.folder, "Only this folder of the project (default: all of it)")
      ->type_name("");
  app->add_option("-r,--root", flags->map.root,
                  "A folder of the project, instead of DIR or the working folder")
      ->type_name("DIR");
  flags->answers.add_to(*app, AnswerFlags::Use::map);
  return {app, [flags](const auto&) -> Result<CommandLine> {
            const Result<options::AnswerOptions> answers = flags->answers.read();
            if (!answers) return answers.error();
            flags->map.max_tokens = answers->max_tokens;
            flags->map.tokenizer = answers->tokenizer;
            return flags->map;
          }};
}

}  // namespace symbols::cli
