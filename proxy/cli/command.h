// The commands of the program, and what was given to one of them. An option has the same letter in every
// command that has it (options/option_table.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/cli/command_line.h"
#include "proxy/options/option_table.h"

namespace symbols::cli {

// The parsed words of a command.
struct Given {
  std::vector<std::string> line{};       // all of it, without the program's name
  std::vector<std::string> arguments{};  // what is neither an option nor its value
  options::AnswerOptions answers{};
  std::map<std::string, std::vector<std::string>, std::less<>> flags{};  // "--shard": {"1/8"}

  bool has(std::string_view flag) const { return flags.contains(flag); }
  // The values of `flag`; none if it was not given.
  std::vector<std::string> texts(std::string_view flag) const;
  // Its one value; empty if it was not given.
  std::string text(std::string_view flag) const;
  // The argument at `index`, else `otherwise`.
  std::string argument(std::size_t index, std::string_view otherwise = {}) const;
};

struct Argument {
  std::string_view name;
  std::string_view help;
};

inline constexpr std::size_t any_number = std::size_t{1} << 20;

struct Command {
  std::string_view name;  // empty: the program itself
  std::uint32_t taker;    // of options
  std::string_view summary;
  std::string_view usage;  // what follows "symbols NAME", a line for each way
  std::string_view footer;
  // Error: names the flag, the value and the allowed values.
  Result<CommandLine> (*read)(const Given& given);
  std::array<Argument, 2> arguments{};
  std::size_t max_arguments = 0;
};

extern const Command dump_command;                                     // dump_flags.cc
extern const Command context_command, convert_command;                 // context_flags.cc, convert_flags.cc
extern const Command proxy_command, mcp_command, setup_command;        // client_flags.cc
extern const Command index_command, find_command, map_command;         // index_flags.cc
extern const Command servers_command, config_command, doctor_command;  // status_flags.cc
extern const Command warm_command, completions_command;                // status_flags.cc

// All but the program itself, in the order of the help.
std::span<const Command* const> all_commands();
// Null if there is none of this name.
const Command* find_command_named(std::string_view name);

// The options that all commands about documents share: server, --log, those of the answer.
settings::DumpArguments document_of(const Given& given);

}  // namespace symbols::cli
