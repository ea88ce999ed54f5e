// `symbols PATH…` and `symbols context`: questions about documents.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <variant>

#include "proxy/batch/input_options.h"
#include "proxy/cli/command_line.h"
#include "proxy/index/index_answers.h"
#include "proxy/runs/document_run.h"
#include "proxy/warm/warm_client.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

// A path that is not there, and near to the name of a command; empty if it is not.
std::string near_command(const std::string& path) {
  if (path.find_first_of("./:") != path.npos) return {};
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) return {};
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.emplace_back(command.name);
  return options::nearest_name(path, names);
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
  if (inputs.paths.empty() && inputs.files_from.empty()) return Error{"no file given", {}};
  if (std::ranges::count(inputs.paths, "") > 0) return Error{"a path is empty", {}};
  const auto standard = std::ranges::count(inputs.paths, "-");
  if (standard > 0 && inputs.language.empty())
    return Error{"- (standard input) needs --language, such as --language typescript", {}};
  if (standard > 1) return Error{"- (standard input) is given twice", {}};
  return {};
}

Result<runs::DumpArguments> read_dump(const Given& given) {
  if (const Command* const command = misplaced_command(given)) {
    return Error{fmt::format("'{0}' is a command and must come first; for a file of that name write ./{0}",
                             command->name),
                 {}};
  }
  Result<runs::DumpArguments> document = document_of(given);
  if (!document) return document;
  runs::DumpArguments& dump = *document;
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
  return document;
}

Result<runs::ContextArguments> read_context(const Given& given) {
  const Result<runs::DumpArguments> document = document_of(given);
  if (!document) return document.error();
  runs::ContextArguments context{.document = *document};
  std::string place = given.argument(0);
  if (given.has("-:")) {
    if (!place.empty()) return Error{"-:LINE already names a position", "to ask by name give - NAME"};
    place = "-:" + given.text("-:");
  }
  if (place.empty()) return Error{"no file given", "give FILE:LINE, FILE NAME or NAME"};
  context.document.inputs.paths = {place};
  if (given.arguments.size() > 1) context.name = given.arguments[1];
  return context;
}

Result<int> run_prepared(const Command& command, const Given& given) {
  const terminal::Console console = terminal::Console::of(STDOUT_FILENO);
  const Result<PreparedDocuments> prepared = prepare_documents(command, given, console);
  if (!prepared) return prepared.error();
  if (const auto* const refusal = std::get_if<runs::ContextRefusal>(&*prepared)) {
    for (const std::string& line : refusal->lines) terminal::tell(line);
    return refusal->status;
  }
  const runs::Dump& dump = std::get<runs::Dump>(*prepared);
  if (dump.arguments.from_index) return index::run_from_index(dump);
  if (const std::optional<int> status = warm::run_warm(dump.arguments, console)) return *status;
  return runs::run_documents(dump);
}

}  // namespace

Result<PreparedDocuments> prepare_documents(const Command& command, const Given& given,
                                            const terminal::Console& console) {
  if (command.taker == options::takers::context) {
    const Result<runs::ContextArguments> arguments = read_context(given);
    if (!arguments) return arguments.error();
    return index::prepare_context(*arguments, console);
  }
  const Result<runs::DumpArguments> arguments = read_dump(given);
  if (!arguments) return arguments.error();
  Result<runs::Dump> dump = runs::prepare_dump(*arguments, console);
  if (!dump) return runs::ContextRefusal{.lines = {dump.error().text()}, .status = 2};
  return *std::move(dump);
}

Result<int> run_dump(const Given& given) {
  return run_prepared(dump_command, given);
}

Result<int> run_context(const Given& given) {
  return run_prepared(*find_command_named("context"), given);
}

}  // namespace symbols::cli
