// Completion of the command line by shells. Their scripts call the hidden command `symbols __complete`, which
// completes words from the table of options.
#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "proxy/cli/command_line.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"
#include "proxy/setup/setup_targets.h"
#include "table/escape.h"
#include "table/rows.h"

namespace symbols::cli {
namespace {

using options::Option;
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

constexpr std::string_view shell_names = "bash zsh fish";

// The words that the value of `option`, or the argument of the command of that name, can be.
Words values_of(const Option& option) {
  Words words;
  if (option.name == "server") {
    // Only built-in servers if the user's file cannot be read: completion must print nothing on errors.
    Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!registry) registry = servers::ServerRegistry::built_in();
    for (const servers::ServerSpec& server : registry->servers()) words.push_back(server.name);
  } else if (option.name == "language") {
    std::set<std::string> ids;
    for (const servers::ServerSpec& server : servers::known_servers()) {
      for (const servers::Language& language : server.languages) ids.insert(language.id);
    }
    words.assign(ids.begin(), ids.end());
  } else if (option.name == "kind") {
    for (std::int64_t kind = 1; kind <= lsp::SymbolKind::type_parameter; ++kind)
      words.push_back(table::kind_name(kind));
  } else if (option.name == "fields" || option.name == "sort") {
    for (const table::Field field : table::all_fields) {
      // Rows are sorted before hovers arrive.
      if (option.name == "fields" || !needs_hover(field)) words.emplace_back(field_name(field));
    }
  } else if (option.name == "answer") {
    words = answer_names();
    words.emplace_back("all");
  } else if (option.name == "setup") {
    for (const setup::SetupTarget& target : setup::setup_targets()) {
      // One with two entries once.
      if (setup::setup_target(target.name) == &target) words.emplace_back(target.name);
    }
  } else {
    for (const std::string_view word : split(option.details.values, ' ')) words.emplace_back(word);
  }
  return words;
}

// A line for `word`, after `head` (`--format=`, `-f`), if it begins with `typed`.
std::string candidate(std::string_view typed, const std::string& word, std::string_view description = {},
                      const std::string& head = {}) {
  if (!word.starts_with(typed)) return {};
  return head + word + (description.empty() ? "" : '\t' + first_line(description)) + '\n';
}

std::string complete_value(const Option& option, std::string head, std::string_view typed) {
  const bool is_list = option.type == "LIST";
  const std::size_t last = is_list ? typed.rfind(',') + 1 : 0;
  head += typed.substr(0, last);
  std::string lines;
  // The shell itself completes these.
  if (option.type.starts_with("FILE") || option.type.starts_with("PATH")) lines = ":file\n";
  if (option.type.starts_with("DIR")) lines = ":directory\n";
  for (const std::string& word : values_of(option)) lines += candidate(typed.substr(last), word, {}, head);
  return lines + (is_list ? ":list\n" : "");
}

std::string complete_option(const Command& command, std::string_view typed) {
  std::string lines;
  for (const Option& option : options::all_options()) {
    if (!option.is_for(command.taker) || option.help.empty()) continue;
    if (option.letter != 0) lines += candidate(typed, {'-', option.letter}, option.help);
    if (!option.name.empty()) lines += candidate(typed, option.flag(), option.help);
  }
  return lines;
}

// The option whose value is being typed, as `flag`; null if there is none.
const Option* option_with_value(const Command& command, std::string_view flag) {
  const auto is_it = [&](const Option& option) {
    return option.is_for(command.taker) && !option.type.empty() &&
           (option.flag() == flag || (option.letter != 0 && flag == std::string{'-', option.letter}));
  };
  const auto found = std::ranges::find_if(options::all_options(), is_it);
  return found == options::all_options().end() ? nullptr : &*found;
}

}  // namespace

// The scripts are for bash 4.4, zsh 5.8 and fish 3.1, or newer.
Result<int> run_completions(const Given& given) {
  const std::string shell = given.argument(0);
  if (!is_among(shell, shell_names))
    return Error{
        shell.empty() ? "no shell given" : "there are no completions for the shell " + table::quoted(shell),
        "give one of bash, zsh, fish"};
  return terminal::print(shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script) ? 0 : 1;
}

std::string complete(std::vector<std::string> words) {
  std::string typed = words.empty() ? std::string() : words.back();
  if (!words.empty()) words.pop_back();
  std::erase(words, "=");
  if (typed == "=") typed.clear();
  if (words.size() > 1 && words[1] == "context" && (words[0] == "-w" || words[0] == "--warm"))
    words.erase(words.begin());
  const std::string last = words.empty() ? std::string() : words.back();
  const Command* const named = words.empty() ? nullptr : find_command_named(words.front());
  const Command& command = named == nullptr ? dump_command : *named;
  if (std::ranges::count(words, "--") > 0)
    return command.taker == options::takers::proxy && last == "--" ? ":command\n" : ":file\n";
  if (const Option* const option = option_with_value(command, last))
    return complete_value(*option, "", typed);
  const std::size_t flag_size = typed.starts_with("--") ? typed.find('=') : 2;
  if (const Option* const option = option_with_value(command, typed.substr(0, flag_size));
      option != nullptr && flag_size < typed.size()) {
    const std::size_t head = flag_size + (typed[flag_size] == '=' ? 1 : 0);
    return complete_value(*option, typed.substr(0, head), typed.substr(head));
  }
  if (typed.starts_with('-')) return complete_option(command, typed);
  if (named != nullptr || !words.empty()) {
    const std::string_view values = command.taker == options::takers::completions ? shell_names : "";
    return complete_value({command.name, 0, command.arguments, command.taker, "", {.values = values}}, "",
                          typed);
  }
  std::string lines;
  for (const Command& one : all_commands()) lines += candidate(typed, std::string(one.name), one.summary);
  return lines + ":file\n";
}

}  // namespace symbols::cli
