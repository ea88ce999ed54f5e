#include "proxy/cli/setup_flags.h"

#include <CLI/CLI.hpp>

namespace symbols::cli {
namespace {

constexpr const char* setup_footer = R"(
Without a name it lists what there is, with the file or folder that each would write. Without --write it prints: files
that are new as they would be, files that are there as a diff. With --write a file that is there is changed only where you
say so (--yes, or at the terminal), and what was there is kept beside it as FILE.symbols-backup-N. What is in a file beside
what is ours stays as it is.

Examples:
  symbols setup
  symbols setup opencode
  symbols setup opencode --write --yes
  symbols setup opencode --to ./opencode.json --write      for one project)";

}  // namespace

void add_setup_flags(CLI::App& app, SetupArguments& setup) {
  app.footer(setup_footer);
  app.add_option("NAME", setup.name, "The editor or agent harness")->type_name("");
  app.add_flag("--write", setup.write, "Write the configuration instead of printing it");
  app.add_flag("--yes", setup.yes, "With --write: files that are there may be changed");
  app.add_flag(
      "--table", setup.table,
      "For harnesses that print symbols by a layout of their own: all of a file's as one compact table");
  app.add_option("--to", setup.to,
                 "Another file than the usual one of the user; for nvim, vim and claude-code another folder")
      ->type_name("PATH");
}

Result<void> check_setup_flags(const CLI::App& app, const SetupArguments& setup) {
  if (setup.yes && !setup.write) return Error{"--yes goes with --write", ""};
  if (setup.name.empty() && (setup.write || setup.table || !setup.to.empty())) {
    return Error{"setup needs a name for that", "symbols setup lists them"};
  }
  if (app.count("--to") > 0 && setup.to.empty()) return Error{"--to is empty", "give a path"};
  return {};
}

}  // namespace symbols::cli
