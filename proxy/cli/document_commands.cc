// `symbols PATH…`, `symbols context` and `symbols rename`: questions about documents. `symbols warm`: the
// daemon that may answer them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <variant>

#include "base/filesystem.h"
#include "base/text.h"
#include "lsp/unicode.h"
#include "proxy/cli/command_line.h"
#include "proxy/daemon/warm_client.h"
#include "proxy/engine/input_options.h"
#include "proxy/index/index_answers.h"
#include "proxy/output/document_run.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

// Error: there is no file `path`, and a command has this name or one near to it.
Result<void> check_is_no_command(const std::string& path) {
  std::error_code error;
  if (path.find_first_of("./:") != path.npos || fs::exists(fs::symlink_status(path, error))) return {};
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.emplace_back(command.name);
  const std::string nearest = options::nearest_name(path, names);
  if (nearest.empty()) return {};
  if (nearest == path) return Error{fmt::format("'{}' is a command and must come first", path), {}};
  return Error{fmt::format("there is no file {}; did you mean the command {}?", table::quoted(path), nearest),
               {}};
}

Result<void> read_inputs(const Given& given, engine::InputOptions& inputs) {
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

Result<output::DumpArguments> read_dump(const Given& given) {
  Result<output::DumpArguments> document = document_of(given);
  if (!document) return document;
  output::DumpArguments& dump = *document;
  if (const Result<void> inputs = read_inputs(given, dump.inputs); !inputs) return inputs.error();
  if (const Result<void> file = check_is_no_command(given.argument(0, ".")); !file) return file.error();
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

Result<output::ContextArguments> read_context(const Given& given) {
  const Result<output::DumpArguments> document = document_of(given);
  if (!document) return document.error();
  output::ContextArguments context{.document = *document};
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

Result<output::ContextArguments> read_rename(Given given) {
  if (given.arguments.size() < 2)
    return Error{"no new name given", "give FILE:LINE[:COLUMN] NEW, or FILE NAME NEW"};
  const std::string name = given.arguments.back();
  if (name.empty() || std::ranges::any_of(name, is_whitespace) || lsp::find_invalid_utf8(name) != name.npos)
    return Error{"the new name is empty, contains whitespace or is not UTF-8", {}};
  given.arguments.pop_back();
  Result<output::ContextArguments> rename = read_context(given);
  if (rename) rename->rename_to = name;
  return rename;
}

// What there is to run, or why there is nothing. Reads the settings. Error: as of Command::run.
Result<std::variant<output::Dump, output::ContextRefusal>> prepare(const Command& command, const Given& given,
                                                                   const terminal::Console& console) {
  if ((command.taker & (options::takers::context | options::takers::rename)) != 0) {
    const bool is_rename = command.taker == options::takers::rename;
    const Result<output::ContextArguments> arguments = is_rename ? read_rename(given) : read_context(given);
    if (!arguments) return arguments.error();
    return index::prepare_context(*arguments, console);
  }
  const Result<output::DumpArguments> arguments = read_dump(given);
  if (!arguments) return arguments.error();
  Result<output::Dump> dump = output::prepare_dump(*arguments, console);
  if (!dump) return output::ContextRefusal{.lines = {dump.error().text()}, .status = 2};
  return *std::move(dump);
}

Result<int> run_prepared(const Command& command, const Given& given) {
  const terminal::Console console = terminal::Console::of(STDOUT_FILENO);
  const auto prepared = prepare(command, given, console);
  if (!prepared) return prepared.error();
  if (const auto* const refusal = std::get_if<output::ContextRefusal>(&*prepared)) {
    for (const std::string& line : refusal->lines) terminal::tell(line);
    return refusal->status;
  }
  const output::Dump& dump = std::get<output::Dump>(*prepared);
  if (dump.arguments.from_index) return index::run_from_index(dump);
  if (const std::optional<int> status = daemon::run_warm(dump.arguments, console)) return *status;
  Result<output::PreparedRun> run = output::find_documents(dump);
  if (!run) return terminal::tell_error(run.error(), 2);
  return output::run_documents(dump, std::move(run->inputs));
}

// For the daemon (daemon::PrepareDump).
std::optional<output::Dump> prepare_words(const std::vector<std::string>& words,
                                          const terminal::Console& console) {
  const Request request = parse_command_line(words);
  const bool is_of_documents = (request.command->taker & (options::takers::dump | options::takers::context |
                                                          options::takers::rename)) != 0;
  if (request.text || request.error || !is_of_documents) return std::nullopt;
  auto prepared = prepare(*request.command, request.given, console);
  auto* const dump = prepared ? std::get_if<output::Dump>(&*prepared) : nullptr;
  return dump == nullptr ? std::nullopt : std::optional(std::move(*dump));
}

}  // namespace

Result<int> run_dump(const Given& given) {
  return run_prepared(dump_command, given);
}

Result<int> run_context(const Given& given) {
  return run_prepared(*find_command_named("context"), given);
}

Result<int> run_rename(const Given& given) {
  return run_prepared(*find_command_named("rename"), given);
}

Result<int> run_warm(const Given& given) {
  if (given.has("--serve")) return daemon::run_warm_daemon(given.text("--serve"), prepare_words);
  const bool stop = given.has("--stop");
  const Result<std::vector<daemon::Reply>> replies =
      daemon::ask_all(stop ? daemon::Wanted::stop : daemon::Wanted::list);
  if (!replies) return terminal::tell_error(replies.error(), 1);
  std::string kept;
  bool failed = false;
  for (const daemon::Reply& reply : *replies) {
    kept += reply.bytes;
    if (reply.status) continue;
    failed = true;
    terminal::tell(fmt::format("the process behind {0} does not answer; end it with: fuser -k {0}",
                               reply.socket.string()));
  }
  if (stop && !replies->empty()) kept = "stopped\n";
  return terminal::print(kept.empty() ? "nothing is kept\n" : kept) && !failed ? 0 : 1;
}

}  // namespace symbols::cli
