#include "proxy/cli/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "proxy/servers/known_servers.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/server_answers.h"
#include "proxy/setup/setup_targets.h"
#include "table/escape.h"
#include "table/field.h"
#include "table/formats/format.h"
#include "table/symbol_kind.h"

namespace symbols::cli {
namespace {

using Words = std::vector<std::string>;

// bash makes three words of `--format=tr`.
constexpr const char* bash_script = R"bash(_symbols() {
  local kind cur=${COMP_WORDS[COMP_CWORD]#=}
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  kind=${COMPREPLY[*]: -1}
  if [[ $kind == :* ]]; then unset 'COMPREPLY[-1]'; fi
  case $kind in
    :list) compopt -o nospace ;;
    :*) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -A "${kind#:}" -- "$cur") ;;
  esac
}
complete -F _symbols symbols
)bash";

// Read by `source` or found in $fpath.
constexpr const char* zsh_script = R"zsh(#compdef symbols
_symbols() {
  local -a lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}") space
  case $lines[-1] in
    :file) compset -P '--*='; _files ;;
    :directory) compset -P '--*='; _files -/ ;;
    :command) _command_names -e ;;
    :list) space=(-S '') ;;
  esac
  lines=(${lines:#:*})
  local -a shown=(${lines/$'\t'/  -- })
  compadd "$space[@]" -l -d shown -- ${lines%%$'\t'*}
}
if [[ $funcstack[1] == _symbols ]]; then _symbols "$@"; else compdef _symbols symbols; fi
)zsh";

// fish completes files itself.
constexpr const char* fish_script = R"fish(function __symbols_lines
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
function __symbols
    set -l lines (__symbols_lines)
    switch "$lines[-1]"
        case :directory; __fish_complete_directories (commandline -ct) ''
        case :command; __fish_complete_command
        case '*'; string match -v ':*' -- $lines
    end
end
complete -c symbols -n 'not contains :file (__symbols_lines)' -f
complete -c symbols -a '(__symbols)'
)fish";

struct Shell {
  std::string_view name;
  const char* script;
};
constexpr std::array<Shell, 3> shells = {{{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

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

// Of the built-in servers where the user's file cannot be read: completion must print nothing on errors.
Words completed_servers() {
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  const servers::ServerRegistry known = registry ? std::move(*registry) : servers::ServerRegistry::built_in();
  Words names;
  for (const servers::ServerSpec& server : known.servers()) names.push_back(server.name);
  return names;
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

// Of `option`, which takes one.
Words values_of(const CLI::App& command, const CLI::Option& option) {
  const std::string name = option.get_lnames().empty() ? std::string() : option.get_lnames().front();
  if (option.get_type_name() == "FORMAT") return completed_formats(command.get_name());
  if (name == "server") return completed_servers();
  if (name == "language") return completed_languages();
  if (name == "kind") return completed_kinds();
  if (name == "fields" || name == "sort") return completed_fields(name == "sort");
  if (name == "include" && command.get_parent() == nullptr) return {"diagnostics"};
  if (name == "include") return {"children", "source", "references", "callers", "diagnostics"};
  if (name == "answer") return completed_requests();
  if (name == "children") return {"no", "yes", "auto", "1", "2", "3"};
  if (name == "verbosity") return {"counts", "minimal", "signatures", "standard", "full"};
  if (name == "fold") return {"locals", "no"};
  if (name == "ends") return {"long", "all"};
  if (name == "tokenizer") return {"o200k", "digits"};
  if (name == "color") return {"auto", "always", "never"};
  if (name == "hover-reply") return {"row", "text", "standard"};
  if (name == "carrier") return {"object", "symbol"};
  return {};
}

// Of a value or an argument by its type, as the help has it.
std::string completed_by_shell(std::string_view type) {
  if (type.starts_with("FILE") || type == "PATH") return ":file\n";
  return type == "DIR" ? ":directory\n" : "";
}

// The words that begin with `typed`, each after `head`.
std::string candidates(const Words& words, std::string_view typed, std::string_view head = {}) {
  std::string lines;
  for (const std::string& word : words) {
    if (word.starts_with(typed)) lines.append(head).append(word) += '\n';
  }
  return lines;
}

// `head` is what stands before the value in its word: `--format=`, `-f`.
std::string complete_value(const CLI::App& command, const CLI::Option& option, std::string head,
                           std::string_view typed) {
  const bool is_list = option.get_type_name() == "LIST";
  const std::size_t last = is_list ? typed.rfind(',') + 1 : 0;
  head += typed.substr(0, last);
  return completed_by_shell(option.get_type_name()) +
         candidates(values_of(command, option), typed.substr(last), head) + (is_list ? ":list\n" : "");
}

std::string complete_option(const CLI::App& command, std::string_view typed) {
  std::string lines;
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    Words names;
    for (const std::string& letter : option->get_snames()) names.push_back('-' + letter);
    for (const std::string& word : option->get_lnames()) names.push_back("--" + word);
    for (const std::string& name : names) {
      if (name.starts_with(typed)) lines += name + '\t' + first_line(option->get_description()) + '\n';
    }
  }
  return lines;
}

std::vector<const CLI::App*> shown_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string complete_argument(const CLI::App& command, std::string_view typed) {
  const std::string& name = command.get_name();
  if (name == "setup") return candidates(completed_targets(), typed);
  if (name == "completions") return candidates({"bash", "zsh", "fish"}, typed);
  for (const CLI::Option* const option : command.get_options()) {
    const std::string type = option->get_positional() ? option->get_name(true, true) : std::string();
    if (const std::string line = completed_by_shell(type); !line.empty()) return line;
  }
  return {};
}

// The option whose value is being typed; null if none is.
const CLI::Option* option_with_value(const CLI::App& command, const std::string& name) {
  const CLI::Option* const option = name.starts_with('-') ? command.get_option_no_throw(name) : nullptr;
  return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  const auto* const found = std::ranges::find(shells, shell, &Shell::name);
  if (found != shells.end()) return std::string(found->script);
  return Error{shell.empty() ? "no shell given" : "there are no completions for the shell " + table::quoted(shell),
               "give one of bash, zsh, fish"};
}

std::string complete(const CLI::App& program, std::vector<std::string> words) {
  std::string typed = words.empty() ? std::string() : words.back();
  if (!words.empty()) words.pop_back();
  std::erase(words, "=");
  if (typed == "=") typed.clear();
  if (words.size() > 1 && words[1] == "context" && (words[0] == "-w" || words[0] == "--warm"))
    words.erase(words.begin());
  const std::string first = words.empty() ? std::string() : words.front();
  const std::string last = words.empty() ? std::string() : words.back();
  const std::vector<const CLI::App*> commands = shown_commands(program);
  const auto named = std::ranges::find(commands, first, &CLI::App::get_name);
  const CLI::App* const command = named == commands.end() ? &program : *named;
  if (std::ranges::count(words, "--") > 0)
    return command->get_name() == "proxy" && last == "--" ? ":command\n" : ":file\n";
  if (const CLI::Option* const option = option_with_value(*command, last))
    return complete_value(*command, *option, "", typed);
  const std::size_t name_size = typed.starts_with("--") ? typed.find('=') : 2;
  if (const CLI::Option* const option = option_with_value(*command, typed.substr(0, name_size));
      option != nullptr && name_size < typed.size()) {
    const std::size_t head = name_size + (typed[name_size] == '=' ? 1 : 0);
    return complete_value(*command, *option, typed.substr(0, head), typed.substr(head));
  }
  if (typed.starts_with('-')) return complete_option(*command, typed);
  if (command != &program || !words.empty()) return complete_argument(*command, typed);
  std::string lines;
  for (const CLI::App* const one : commands) {
    if (one->get_name().starts_with(typed))
      lines += one->get_name() + '\t' + first_line(one->get_description()) + '\n';
  }
  return lines + ":file\n";
}

std::string first_line(std::string_view description) {
  std::string line(description.substr(0, description.find('\n')));
  if (line.ends_with(',') || line.ends_with(':') || line.ends_with(';')) line.pop_back();
  return line;
}

}  // namespace symbols::cli
