#include "proxy/cli/index_flags.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <optional>

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
  symbols find HoverCache)";

constexpr const char* find_footer = R"(
Names that are QUERY come first, then those that begin with it, have it inside, or have its letters at the starts of
their words: hc finds HoverCache. A::b or A.b finds b in A. Files that have changed since they were indexed are left
out, with a note.

Examples:
  symbols find HoverCache
  symbols find Cache --kind Class,Struct --limit 10
  symbols find Table::Open)";

}  // namespace

void add_index_flags(CLI::App& app, IndexArguments& index) {
  app.footer(index_footer);
  app.add_option("DIR", index.folder, "Only the files in this folder of the project")->type_name("");
  app.add_flag("--rebuild", index.rebuild, "Forget what the index has, and ask for everything");
}

void FindFlags::add_to(CLI::App& app) {
  app.footer(find_footer);
  app.add_option("QUERY", given_.query, "The name, or some of it")->type_name("");
  app.add_option("--root", given_.root, "A folder of the project to look in, instead of the working folder")
      ->type_name("DIR");
  app.add_option("--kind", kinds_, "Only symbols of these kinds: Class,Method")->type_name("LIST");
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
