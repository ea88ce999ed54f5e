// The one description of every option: flags, settings, params of requests, arguments of `symbols mcp`'s
// tools. Parser, help, completion, configuration files and input schemas come from it. To add one: a row in
// option_table.cc, with a member of AnswerOptions to set, or read by its command (cli/) or tool (mcp/).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/options/answer_options.h"
#include "proxy/options/option_value.h"

namespace symbols::options {

// Commands, tools and other places where options are given, as bits.
namespace takers {
enum : std::uint32_t {
  dump = 1 << 0,  // `symbols PATH…`
  context = 1 << 1,
  convert = 1 << 2,
  proxy = 1 << 3,
  mcp = 1 << 4,
  setup = 1 << 5,
  index = 1 << 6,
  find = 1 << 7,
  map = 1 << 8,
  servers = 1 << 9,
  config = 1 << 10,
  doctor = 1 << 11,
  warm = 1 << 12,
  completions = 1 << 13,
  rename = 1 << 14,
  impact = 1 << 15,
  check = 1 << 16,
  // Tools of `symbols mcp`.
  outline_tool = 1 << 17,
  find_tool = 1 << 18,
  context_tool = 1 << 19,
  map_tool = 1 << 20,
  diagnostics_tool = 1 << 21,
  hover_tool = 1 << 22,
  impact_tool = 1 << 23,
  request = 1 << 24,  // params, and initializationOptions.symbols
  user = 1 << 25,     // the environment, and the user's config.json
  project = 1 << 26,  // a project's .symbols.json, which may be a stranger's
};
}  // namespace takers

struct Option;

// How an AnswerOptions gets the option.
struct Setter {
  Result<void> (*set)(AnswerOptions& options, const Option& option, const OptionValue& value) = nullptr;
  void (*fill)(AnswerOptions& options, const AnswerOptions& base) = nullptr;  // where `options` has none
};

struct OptionDetails {
  Setter to{};                   // null: its command or tool reads it
  std::string_view values{};     // words, separated by spaces: all there are, or for completion
  std::string_view alias{};      // another name, in JSON and in the environment
  std::string_view otherwise{};  // what holds if a setting is not given
  std::uint64_t least = 0;       // of a number, or of the length of a list
  std::uint64_t most = 0;
};

// An option may have several rows, for takers that describe it in different words.
struct Option {
  std::string_view name;  // "max-tokens": --max-tokens, "max_tokens" in JSON, SYMBOLS_MAX_TOKENS
  char letter;            // -n; 0 for none
  std::string_view type;  // of the value, for the help; empty: a flag. With `...`: several values.
  std::uint32_t takers;
  std::string_view help;  // its first line is the short help; empty: not shown
  OptionDetails details{};

  // "--max-tokens", or "-h" if there is no name.
  std::string flag() const { return name.empty() ? std::string{'-', letter} : "--" + std::string(name); }
  bool is_for(std::uint32_t taker) const { return (takers & taker) != 0; }
};

// In the order in which they are listed.
std::span<const Option> all_options();

// "max_tokens" of "max-tokens".
std::string json_name(std::string_view name);

// The option that `taker` knows by this name, in either form, or by this alias; null if there is none.
const Option* find_option(std::string_view name, std::uint32_t taker);

// The error that `taker` has no option `name`: names the nearest one, and all of them. `what`: what an option
// is there, "setting" or "argument".
Error no_such_option(std::string_view what, std::string_view name, std::uint32_t taker);

// The names of the options of an answer in JSON (params of a request, initializationOptions.symbols;
// docs/spec.md, section 4), with aliases. They are never params of the server.
const std::vector<std::string_view>& answer_option_names();

// Reads the options among the members of `object` (raw JSON). Other members are ignored, and null means
// absent. If `object` is not an object, no option is set. Error: a value of the wrong type or range, with the
// option and the allowed values.
Result<AnswerOptions> read_answer_options(std::string_view object);

// For `capabilities.experimental.symbols`: {"version":…,"formats":[…],"options":[…]}.
std::string describe_answer_options(std::string_view version);

}  // namespace symbols::options
