#include "proxy/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <set>

#include "proxy/servers/known_servers.h"
#include "proxy/session/server_answers.h"
#include "proxy/setup/setup_targets.h"
#include "table/field.h"
#include "table/formats/format.h"
#include "table/symbol_kind.h"

namespace symbols::cli {
namespace {

using Words = std::vector<std::string>;

Words completed_formats(std::string_view command) {
  if (command == "config" || command == "doctor") return {"table", "json"};
  if (command == "context") return {"pretty", "tree", "table", "json"};
  Words formats;
  for (const table::Format format : table::all_formats) formats.emplace_back(format_name(format));
  if (command == "proxy") formats.emplace_back("standard");
  if (command == "symbols") formats.emplace_back(format_name(table::Format::pretty));
  if (command == "symbols" || command == "convert") formats.emplace_back(format_name(table::Format::ndjson));
  return formats;
}

Words completed_kinds() {
  constexpr std::int64_t last_kind = 26;
  Words kinds;
  for (std::int64_t kind = 1; kind <= last_kind; ++kind) kinds.push_back(table::kind_name(kind));
  return kinds;
}

// Rows are sorted before hovers arrive.
Words completed_fields(bool sorted) {
  Words fields;
  for (const table::Field field : table::all_fields) {
    if (!sorted || !needs_hover(field)) fields.emplace_back(field_name(field));
  }
  return fields;
}

Words completed_languages() {
  std::set<std::string> ids;
  for (const servers::ServerSpec& server : servers::known_servers()) {
    for (const servers::Language& language : server.languages) ids.insert(language.id);
  }
  return {ids.begin(), ids.end()};
}

Words completed_targets() {
  Words names;
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    if (setup::setup_target(target.name) == &target) names.emplace_back(target.name);
  }
  return names;
}

Words completed_requests() {
  Words requests = session::ServerAnswers::known_names();
  requests.emplace_back("all");
  return requests;
}

// Of `option`, which takes one, by its type or its name.
CompletedValue completed_value(const CLI::App& command, const CLI::Option& option) {
  const auto words = &ValueForms::words;
  const auto list = &ValueForms::list;
  const std::string name = option.get_lnames().front();
  const std::string type = option.get_type_name();
  if (type == "FORMAT") return {words, completed_formats(command.get_name())};
  if (type == "FILE" || type == "FILE..." || type == "PATH") return {&ValueForms::files};
  if (type == "DIR") return {&ValueForms::folders};
  if (name == "server") return {&ValueForms::servers};
  if (name == "language") return {words, completed_languages()};
  if (name == "kind") return {list, completed_kinds()};
  if (name == "fields" || name == "sort") return {list, completed_fields(name == "sort")};
  if (name == "include" && command.get_parent() == nullptr) return {list, {"diagnostics"}};
  if (name == "include") return {list, {"children", "source", "references", "callers", "diagnostics"}};
  if (name == "answer") return {list, completed_requests()};
  if (name == "children") return {words, {"no", "yes", "auto", "1", "2", "3"}};
  if (name == "verbosity") return {words, {"counts", "minimal", "signatures", "standard", "full"}};
  if (name == "fold") return {words, {"locals", "no"}};
  if (name == "ends") return {words, {"long", "all"}};
  if (name == "tokenizer") return {words, {"o200k", "digits"}};
  if (name == "color") return {words, {"auto", "always", "never"}};
  if (name == "hover-reply") return {words, {"row", "text", "standard"}};
  if (name == "carrier") return {words, {"object", "symbol"}};
  return {};
}

}  // namespace

std::string CompletedValue::in(const ValueForms& forms) const {
  return fmt::format(fmt::runtime(forms.*kind), fmt::join(words, " "));
}

std::vector<CompletedOption> completed_options(const CLI::App& command) {
  std::vector<CompletedOption> options;
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    CompletedOption& one = options.emplace_back();
    for (const std::string& letter : option->get_snames()) one.names.push_back('-' + letter);
    for (const std::string& word : option->get_lnames()) one.names.push_back("--" + word);
    one.description = option->get_description();
    if (option->get_items_expected_max() == 0) continue;
    one.type = option->get_type_name();
    one.value = completed_value(command, *option);
  }
  return options;
}

CompletedValue completed_argument(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (name == "setup") return {&ValueForms::words, completed_targets()};
  if (name == "proxy") return {&ValueForms::programs};
  CompletedValue value{&ValueForms::words};
  if (name == "completions") {
    for (const Shell& shell : shells) value.words.emplace_back(shell.name);
    return value;
  }
  if (name == "manual") {
    for (const CLI::App* const one : completed_commands(*command.get_parent()))
      value.words.push_back(one->get_name());
    return value;
  }
  for (const CLI::Option* const option : command.get_options()) {
    const std::string argument = option->get_positional() ? option->get_name(true, true) : std::string();
    if (argument == "FILE" || argument == "PATH") return {&ValueForms::files};
    if (argument == "DIR") return {&ValueForms::folders};
  }
  return {};
}

std::vector<const CLI::App*> completed_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string first_line(std::string_view description) {
  std::string line(description.substr(0, description.find('\n')));
  if (line.ends_with(',') || line.ends_with(':') || line.ends_with(';')) line.pop_back();
  return line;
}

std::string with_backslashes(std::string_view text, std::string_view marks) {
  std::string plain;
  for (const char c : text) {
    if (marks.find(c) != marks.npos) plain += '\\';
    plain += c;
  }
  return plain;
}

}  // namespace symbols::cli
