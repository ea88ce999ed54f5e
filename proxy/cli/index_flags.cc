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
starts of their words: hc finds HoverCache. A::b or A.b finds b in A. Files that have changed since they were indexed
are left out, with a note.

Examples:
  symbols find HoverCache
  symbols find Cache -k Class,Struct --limit 10
  symbols find Table::Open

Exit status: 0 searched, even if nothing was found; 1 there is no index; 2 wrong command line.)";

constexpr const char* map_footer = R"(
Prints folders, their files, and the exported names of each file, those first that other files mention most. If the
budget allows, members of types (in braces), signatures, and names that are not exported (after a -) follow. +N counts
the files or names left out there. Files that have changed since they were indexed are left out, with a note.

Examples:
  symbols map
  symbols map src -n 1000

Exit status: 0 printed; 1 there is no index, or it has no such file; 2 wrong command line.)";

}  // namespace

void IndexFlags::add_to(CLI::App& app) {
  app.footer(index_footer);
  app.add_option("DIR", folder_, "Only the files in this folder of the project")->type_name("");
  app.add_flag("--rebuild", rebuild_, "Discard the index and ask for every file again");
  app.add_flag("--watch", watch_, "Keep the index up to date as files change, until Ctrl-C");
  app.add_option("--shard", shard_, "Only the I-th of N shares of the files, the same on every machine: 1/8")
      ->type_name("I/N");
  app.add_option("--database", database_, "Keep the index in this file, instead of the user's cache")
      ->type_name("FILE");
  app.add_option("--merge", merge_,
                 "Merge these indexes, without starting servers: for each file the newest answer counts")
      ->type_name("FILE...");
}

Result<void> IndexFlags::read(settings::IndexArguments& index) const {
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
    return Error{"--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it",
                 "leave them out"};
  }
  if (rebuild_ && !database_.empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  return {};
}

void add_map_flags(CLI::App& app, settings::MapArguments& map) {
  app.footer(map_footer);
  app.add_option("DIR", map.folder, "Only this folder of the project (default: all of it)")->type_name("");
  app.add_option(with_letter("--root"), map.root,
                 "A folder of the project, instead of DIR or the working folder")
      ->type_name("DIR");
}

void FindFlags::add_to(CLI::App& app) {
  app.footer(find_footer);
  app.add_option("QUERY", given_.query, "The name, or part of it")->type_name("");
  app.add_option(with_letter("--root"), given_.root,
                 "A folder of the project to search, instead of the working folder")
      ->type_name("DIR");
  app.add_option(with_letter("--kind"), kinds_, "Only symbols of these kinds: Class,Method")
      ->type_name("LIST");
  app.add_option("--limit", limit_, "At most N symbols (default 50)")->type_name("N");
}

Result<settings::FindArguments> FindFlags::read() const {
  settings::FindArguments find = given_;
  if (find.query.empty()) {
    return Error{"no name given", "give the name of a symbol, or part of it, such as: symbols find Cache"};
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
