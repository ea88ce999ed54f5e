// The scripts that have a shell complete the command line of `symbols`: options, their values, commands,
// files; and what they are made of, from the definitions of the command line, as the help is, and from the
// tables that check the values.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::cli {

// bash 4.4, zsh 5.8 and fish 3.1, or newer. Each script asks the program itself for the names of servers,
// since a user can add some: `symbols completions --servers`.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

struct Shell {
  std::string_view name;
  std::string (*script)(const CLI::App& program);
};

inline constexpr std::array<Shell, 3> shells = {
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

// How a shell has a value completed, by what it can be. `{}` stands for the words, with spaces between them.
struct ValueForms {
  const char* none;      // nothing that could be guessed: a number, a name
  const char* words;     // one of the words
  const char* list;      // some of the words, joined by commas
  const char* files;     // a path
  const char* folders;   // a folder
  const char* servers;   // a name from `symbols servers`, those of the user's own servers.json included
  const char* programs;  // the command of a server: a program, then its arguments
};

// What the value of an option, or an argument, can be.
struct CompletedValue {
  const char* ValueForms::*kind = &ValueForms::none;
  std::vector<std::string> words{};

  std::string in(const ValueForms& forms) const;
};

struct CompletedOption {
  std::vector<std::string> names;  // "-w", "--warm", "--no-warm"
  std::string type;                // of its value, "FORMAT"; empty: it takes none
  CompletedValue value;
  std::string description;
};

// The options of `command`, the program itself or one of its commands, that the help names, but for
// arguments.
std::vector<CompletedOption> completed_options(const CLI::App& command);

// Of the words of `command` that are no options and belong to none.
CompletedValue completed_argument(const CLI::App& command);

// The commands of `program` that the help names.
std::vector<const CLI::App*> completed_commands(const CLI::App& program);

// The first line of a description, without the mark at its end that leads on to the next.
std::string first_line(std::string_view description);

// `text` with a backslash before each of the marks.
std::string with_backslashes(std::string_view text, std::string_view marks);

}  // namespace symbols::cli
