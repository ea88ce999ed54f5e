#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "proxy/batch/input_options.h"
#include "proxy/cli/command.h"
#include "proxy/options/nearest_name.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr const char* dump_footer = R"(
Examples:
  symbols src/app.ts                      the symbols of one file, with hovers
  symbols -f tree -H src                  a folder, in few tokens; honours .gitignore
  symbols src/app.ts:24                   the symbol on line 24, as context prints it
  symbols context src/app.ts area         one symbol: hover, source, references, callers
  symbols index                           index the symbols of this project
  symbols find Cache -k Class             search that index by name
  symbols map src -n 2000                 its most used names, in 2,000 tokens
  symbols src/app.ts include/app.hpp      several files: each under a line ==> path <==
  symbols -f json lib.py                  LSP's own DocumentSymbol[]
  symbols -s 'clangd --log=error' -r . src/main.cc
  git show HEAD:app.ts | symbols -l typescript -
  symbols servers                         which language servers are installed
  symbols setup opencode --write          configure an editor or agent harness
  symbols proxy -- clangd                 for a client that starts clangd
  symbols mcp                             for an agent that uses MCP tools

symbols COMMAND -h: help for a command; --help: all options. After --, words are paths.
Exit status: 0 answered; 1 an input could not be answered; 2 wrong command line.)";

// A path that is not there, and near to the name of a command; empty if it is not.
std::string near_command(const std::string& path) {
  if (path.find_first_of("./:") != path.npos) return {};
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) return {};
  std::vector<std::string_view> names;
  for (const Command* const command : all_commands()) names.push_back(command->name);
  return std::string(options::nearest_name(path, names));
}

// The command among the paths before `--`; null if there is none.
const Command* misplaced_command(const Given& given) {
  const auto dashes = std::ranges::find(given.line, "--");
  for (const std::string& path : given.arguments) {
    const Command* const command = find_command_named(path);
    if (command != nullptr && std::find(given.line.begin(), dashes, path) != dashes) return command;
  }
  return nullptr;
}

Result<void> read_inputs(const Given& given, batch::InputOptions& inputs) {
  inputs.paths = given.arguments;
  if (given.has("-:")) inputs.paths.push_back("-:" + given.text("-:"));
  inputs.files_from = given.text("--files-from");
  if (given.has("--files-from") && inputs.files_from.empty())
    return Error{"--files-from is empty", "give a file, or - for standard input"};
  if (given.has("--null") && inputs.files_from.empty())
    return Error{"--null needs --files-from", "give the list, such as: --files-from - --null"};
  if (inputs.files_from == "-" && std::ranges::count(inputs.paths, "-") > 0) {
    return Error{"standard input cannot be both the list of --files-from and a file",
                 "give one of them as a file"};
  }
  if (given.has("--null")) inputs.files_from_separator = files::PathSeparator::nul;
  if (given.has("--shard")) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", given.text("--shard"));
    if (!shard) return shard.error();
    inputs.shard = *shard;
  }
  if (inputs.paths.empty() && inputs.files_from.empty()) return Error{"no file given", {}};
  if (std::ranges::count(inputs.paths, "") > 0) return Error{"a path is empty", {}};
  const auto standard = std::ranges::count(inputs.paths, "-");
  if (standard > 0 && inputs.language.empty())
    return Error{"- (standard input) needs --language, such as --language typescript", {}};
  if (standard > 1) return Error{"- (standard input) is given twice", {}};
  return {};
}

Result<CommandLine> read_dump(const Given& given) {
  if (const Command* const command = misplaced_command(given)) {
    return Error{fmt::format("'{0}' is a command and must come first; for a file of that name write ./{0}",
                             command->name),
                 {}};
  }
  settings::DumpArguments dump = document_of(given);
  if (const Result<void> inputs = read_inputs(given, dump.inputs); !inputs) return inputs.error();
  if (const std::string command = near_command(given.argument(0, ".")); !command.empty()) {
    return Error{fmt::format("there is no file {}; did you mean the command {}?",
                             table::quoted(given.argument(0)), command),
                 {}};
  }
  dump.from_index = given.has("--from-index");
  dump.verbose = given.has("--verbose");
  if (dump.verbose && !dump.from_index)
    return Error{"--verbose needs --from-index: it says which files came from the index", {}};
  if (const Result<void> fits = dump.answers.check("--max-tokens"); !fits) return fits.error();
  if (dump.answers.include) {
    if (const auto most = dump.answers.include->document_diagnostics(); !most) return most.error();
  }
  return dump;
}

}  // namespace

const Command dump_command = {
    .name = "",
    .taker = options::takers::dump,
    .summary = "Prints the symbols of source files, from their language servers, as a compact table.",
    .usage = "[OPTIONS] PATH...\nFILE:LINE[:COLUMN]\nCOMMAND [OPTIONS] ...",
    .footer = dump_footer,
    .read = read_dump,
    .arguments = {{{"PATH", "Files, folders; - for standard input (needs --language)"}}},
    .max_arguments = any_number};

}  // namespace symbols::cli
