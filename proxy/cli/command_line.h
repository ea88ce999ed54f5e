// The command line: its commands, what was given to one of them, its help and its completion. A new command:
// a row in commands.cc, its function, declared here, and a bit in options::takers. An option has the same
// letter in every command that has it (options/option_table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/option_table.h"
#include "proxy/output/document_run.h"

namespace symbols::cli {

// The parsed words of a command.
struct Given {
  std::vector<std::string> line{};       // all of it, without the program's name
  std::vector<std::string> arguments{};  // what is neither an option nor its value
  options::AnswerOptions answers{};
  std::map<std::string, std::vector<std::string>, std::less<>> flags{};  // "--shard": {"1/8"}

  bool has(std::string_view flag) const { return flags.contains(flag); }
  // The values of `flag`; none if it was not given.
  std::vector<std::string> texts(std::string_view flag) const {
    return has(flag) ? flags.find(flag)->second : std::vector<std::string>();
  }
  // Its one value; empty if it was not given.
  std::string text(std::string_view flag) const {
    return has(flag) ? flags.find(flag)->second.back() : std::string();
  }
  // The argument at `index`, else `otherwise`.
  std::string argument(std::size_t index, std::string_view otherwise = {}) const {
    return index < arguments.size() ? arguments[index] : std::string(otherwise);
  }
};

struct Command {
  std::string_view name;  // empty: the program itself
  std::uint32_t taker;    // of options
  // Runs the command. Answers go to standard output, errors to standard error. Returns the exit status
  // (docs/spec.md, section 8); a signal that ends the work ends the servers, then this process. Error: the
  // command line is wrong, and nothing was done; names the flag, the value and the allowed values.
  Result<int> (*run)(const Given& given);
  std::string_view summary;
  std::string_view usage;      // what follows "symbols NAME", a line each; with `...`: any number of words
  std::string_view arguments;  // a line each: the name, a tab, its help
  std::string_view footer;
};

// In the file of its name, or in document_commands.cc (dump, context, rename, warm), index_commands.cc
// (index, find, map, impact, check), list_commands.cc (servers, config), completion.cc.
Result<int> run_dump(const Given& given);
Result<int> run_servers(const Given& given);
Result<int> run_config(const Given& given);
Result<int> run_doctor(const Given& given);
Result<int> run_context(const Given& given);
Result<int> run_rename(const Given& given);
Result<int> run_impact(const Given& given);
Result<int> run_check(const Given& given);
Result<int> run_setup(const Given& given);
Result<int> run_proxy(const Given& given);
Result<int> run_mcp(const Given& given);
Result<int> run_warm(const Given& given);
Result<int> run_convert(const Given& given);
Result<int> run_index(const Given& given);
Result<int> run_find(const Given& given);
Result<int> run_map(const Given& given);
Result<int> run_completions(const Given& given);

// The program itself: `symbols PATH…`.
extern const Command dump_command;
// All the others, in the order of the help.
std::span<const Command> all_commands();
// Null if there is none of this name.
const Command* find_command_named(std::string_view name);

// What is to be done: `command` with `given`, or printing `text` (a help, the version), or telling an error.
struct Request {
  const Command* command;
  Given given{};
  std::optional<std::string> text{};
  std::optional<Error> error{};
};

// `words`: without the program's name. Never throws because of user input.
Request parse_command_line(std::vector<std::string> words);

// The same, and does it. Returns the exit status.
int run_command_line(std::vector<std::string> words);

// What LIST of `symbols proxy --answer LIST` can name besides `all`.
std::vector<std::string> answer_names();
// The methods that `list` names. Error: an unknown name; it lists the known ones.
Result<std::set<std::string, std::less<>>> answered_methods(std::string_view list);

// The options that all commands about documents share: server, --log, --shard, those of the answer.
Result<output::DumpArguments> document_of(const Given& given);

// `-h` has the common options and the first examples, and fits a screen; `--help` has everything.
enum class HelpLength { brief, full };
std::string help_text(const Command& command, HelpLength length);

// The first line of a description, without the mark at its end that leads on to the next.
std::string first_line(std::string_view description);

// `symbols __complete`: the candidates for the last of `words`, which is being typed: one a line, of options
// and commands with a tab and a description. The last line may be for the shell: `:file`, `:directory` and
// `:command` ask for its own candidates of that kind, `:list` for no space after the word.
std::string complete(std::vector<std::string> words);

}  // namespace symbols::cli
