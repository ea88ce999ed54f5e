#include "proxy/cli/completion_values.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "proxy/cli/completion_script.h"
#include "proxy/servers/known_servers.h"
#include "proxy/session/server_answers.h"
#include "proxy/setup/setup_targets.h"
#include "table/field.h"
#include "table/formats/format.h"
#include "table/symbol_kind.h"

namespace symbols::cli {
namespace {

using CompletedKind = CompletionValues::Kind;

CompletionValues completed_formats(std::string_view command) {
  if (command == "config") return {CompletedKind::words, {"table", "json"}};
  CompletionValues formats{CompletedKind::words};
  for (const table::Format format : table::all_formats) formats.words.emplace_back(format_name(format));
  if (command == "proxy") formats.words.emplace_back("standard");
  if (command == "symbols") formats.words.emplace_back(format_name(table::Format::pretty));
  if (command == "symbols" || command == "convert")
    formats.words.emplace_back(format_name(table::Format::ndjson));
  return formats;
}

CompletionValues completed_kinds() {
  constexpr std::int64_t last_kind = 26;
  CompletionValues kinds{CompletedKind::list};
  for (std::int64_t kind = 1; kind <= last_kind; ++kind) kinds.words.push_back(table::kind_name(kind));
  return kinds;
}

// Rows are sorted before hovers arrive.
CompletionValues completed_fields(bool sorted) {
  CompletionValues fields{CompletedKind::list};
  for (const table::Field field : table::all_fields) {
    if (!sorted || !needs_hover(field)) fields.words.emplace_back(field_name(field));
  }
  return fields;
}

CompletionValues completed_languages() {
  std::set<std::string> ids;
  for (const servers::ServerSpec& server : servers::known_servers()) {
    for (const servers::Language& language : server.languages) ids.insert(language.id);
  }
  return {CompletedKind::words, {ids.begin(), ids.end()}};
}

CompletionValues completed_targets() {
  CompletionValues names{CompletedKind::words};
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    if (setup::setup_target(target.name) == &target) names.words.emplace_back(target.name);
  }
  return names;
}

CompletionValues completed_parts(std::string_view command) {
  if (command == "symbols") return {CompletedKind::list, {"diagnostics"}};
  return {CompletedKind::list, {"children", "source", "references", "callers", "diagnostics"}};
}

}  // namespace

CompletionValues completion_values(const CLI::App& command, const CLI::Option& option) {
  if (!takes_value(option)) return {};
  const std::string name = option.get_name(false, true);
  const std::string type = option.get_type_name();
  const auto is = [&name](std::string_view long_name) { return name.ends_with(long_name); };
  if (type == "FORMAT") return completed_formats(command.get_name());
  if (type == "FILE" || type == "FILE..." || type == "PATH") return {CompletedKind::files};
  if (type == "DIR") return {CompletedKind::folders};
  if (is("--server")) return {CompletedKind::servers};
  if (is("--language")) return completed_languages();
  if (is("--kind")) return completed_kinds();
  if (is("--fields") || is("--sort")) return completed_fields(is("--sort"));
  if (is("--include")) return completed_parts(command.get_name());
  if (is("--answer")) {
    CompletionValues requests{CompletedKind::list, session::ServerAnswers::known_names()};
    requests.words.emplace_back("all");
    return requests;
  }
  if (is("--children")) return {CompletedKind::words, {"no", "yes", "auto", "1", "2", "3"}};
  if (is("--verbosity"))
    return {CompletedKind::words, {"counts", "minimal", "signatures", "standard", "full"}};
  if (is("--fold")) return {CompletedKind::words, {"locals", "no"}};
  if (is("--ends")) return {CompletedKind::words, {"long", "all"}};
  if (is("--tokenizer")) return {CompletedKind::words, {"o200k", "digits"}};
  if (is("--color")) return {CompletedKind::words, {"auto", "always", "never"}};
  if (is("--hover-reply")) return {CompletedKind::words, {"row", "text", "standard"}};
  if (is("--carrier")) return {CompletedKind::words, {"object", "symbol"}};
  return {};
}

CompletionValues argument_values(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (name == "setup") return completed_targets();
  if (name == "completions") {
    CompletionValues names{CompletedKind::words};
    for (const Shell& shell : shells) names.words.emplace_back(shell.name);
    return names;
  }
  if (name == "manual") {
    CompletionValues commands{CompletedKind::words};
    for (const CLI::App* const one : completed_commands(*command.get_parent()))
      commands.words.push_back(one->get_name());
    return commands;
  }
  if (name == "proxy") return {CompletedKind::programs};
  for (const CLI::Option* const option : command.get_options()) {
    const std::string argument = option->get_positional() ? option->get_name(true, true) : std::string();
    if (argument == "FILE" || argument == "PATH") return {CompletedKind::files};
    if (argument == "DIR") return {CompletedKind::folders};
  }
  return {};
}

std::vector<const CLI::Option*> completed_options(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::App*> completed_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& letter : option.get_snames()) names.push_back('-' + letter);
  for (const std::string& word : option.get_lnames()) names.push_back("--" + word);
  return names;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::string first_line(std::string_view description) {
  std::string line(description.substr(0, description.find('\n')));
  if (line.ends_with(',') || line.ends_with(':') || line.ends_with(';')) line.pop_back();
  return line;
}

}  // namespace symbols::cli
