#include "proxy/cli/index_flags.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <optional>

#include "proxy/cli/short_options.h"
#include "proxy/options/option_value.h"
#include "table/escape.h"
#include "table/selection.h"

namespace symbols::cli {
namespace {

constexpr const char* index_footer = R"(
DIR defaults to the whole project of the working folder. The index is kept in $XDG_CACHE_HOME/symbols/index, and
nothing is written into the project. Killed at any moment, what was answered is kept.

Examples:
  symbols index
  symbols index src
  symbols index --watch                         while one works
  symbols index --shard 3/8 --database 3.db     on the third of eight machines
  symbols index --merge 1.db 2.db 3.db          one index of theirs
  symbols find HoverCache

Exit status: 0 all files are answered; 1 one could not be answered or kept; 2 wrong command line.)";

constexpr const char* find_footer = R"(
Names that are QUERY come first, then those that begin with it, have it inside, or have its letters at the starts of
their words: hc finds HoverCache. A::b or A.b finds b in A. Files that have changed since they were indexed are left
out, with a note.

Examples:
  symbols find HoverCache
  symbols find Cache -k Class,Struct --limit 10
  symbols find Table::Open

Exit status: 0 the search was made, whatever it found; 1 there is no index; 2 wrong command line.)";

constexpr const char* map_footer = R"(
Printed are folders, in each the files, and of each file the exported names, those first that other files mention most;
then, where there is room, the members of types in braces, signatures, and after a - what is not exported. +N files or names are
left out there. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols map
  symbols map src -n 1000

Exit status: 0 printed; 1 there is no index, or it has no such file; 2 wrong command line.)";

}  // namespace

void IndexFlags::add_to(CLI::App& app) {
  app.footer(index_footer);
  app.add_option("DIR", folder_, "Only the files in this folder of the project")->type_name("");
  app.add_flag("--rebuild", rebuild_, "Forget what the index has, and ask for everything");
  app.add_flag("--watch", watch_, "Go on with what changes in the project, until Ctrl-C");
  app.add_option("--shard", shard_, "Only the I-th of N shares of the files, the same on every machine: 1/8")
      ->type_name("I/N");
  app.add_option("--database", database_, "Keep the index in this file, instead of the user's cache")
      ->type_name("FILE");
  app.add_option("--merge", merge_,
                 "Ask for nothing: take from these indexes the files that they have newer answers of")
      ->type_name("FILE...");
}

Result<void> IndexFlags::read(IndexArguments& index) const {
  index.folder = folder_;
  index.rebuild = rebuild_;
  index.watch = watch_;
  index.database = database_;
  index.merge = merge_;
  if (!shard_.empty()) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", shard_);
    if (!shard) return shard.error();
    index.document.inputs.shard = *shard;
  }
  if (!merge_.empty() && (rebuild_ || watch_ || !shard_.empty() || !folder_.empty())) {
    return Error{
        "--merge asks for nothing, so that DIR, --shard, --rebuild and --watch cannot be given with it",
        "leave them out"};
  }
  if (rebuild_ && !database_.empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  return {};
}

void add_map_flags(CLI::App& app, MapArguments& map) {
  app.footer(map_footer);
  app.add_option("DIR", map.folder, "Only this folder of the project (default: all of it)")->type_name("");
  app.add_option(with_letter("--root"), map.root,
                 "A folder of the project, instead of DIR or the working folder")
      ->type_name("DIR");
}

void FindFlags::add_to(CLI::App& app) {
  app.footer(find_footer);
  app.add_option("QUERY", given_.query, "The name, or some of it")->type_name("");
  app.add_option(with_letter("--root"), given_.root,
                 "A folder of the project to look in, instead of the working folder")
      ->type_name("DIR");
  app.add_option(with_letter("--kind"), kinds_, "Only symbols of these kinds: Class,Method")
      ->type_name("LIST");
  app.add_option("--limit", limit_, "At most N symbols (default 50)")->type_name("N");
}

Result<FindArguments> FindFlags::read() const {
  FindArguments find = given_;
  if (find.query.empty()) {
    return Error{"no name given", "give the name of a symbol, or some of it, such as: symbols find Cache"};
  }
  Result<std::vector<std::int64_t>> kinds = table::parse_kinds("--kind", table::split_list(kinds_));
  if (!kinds) return kinds.error();
  find.kinds = std::move(*kinds);
  if (!limit_.empty()) {
    const auto limit = options::OptionValue::of_text("--limit", limit_).number();
    if (!limit || *limit == 0) {
      return Error{fmt::format("--limit cannot be {}", table::quoted(limit_)), "give a number, at least 1"};
    }
    find.limit = *limit;
  }
  return {boost::system::in_place_value, std::move(find)};
}

}  // namespace symbols::cli
