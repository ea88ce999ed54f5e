// What the value of an option, or an argument, can be, for the shells to complete it: from the definitions of
// the command line, as the help is, and from the tables that check the values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::cli {

struct CompletionValues {
  enum class Kind {
    none,      // nothing that could be guessed: a number, a name
    words,     // one of `words`
    list,      // some of `words`, joined by commas
    files,     // a path
    folders,   // a folder
    servers,   // a name from `symbols servers`, those of the user's own servers.json included
    programs,  // the command of a server: a program, then its arguments
  };
  Kind kind = Kind::none;
  std::vector<std::string> words{};
};

// Of `option`, which belongs to `command`: the program itself or one of its commands.
CompletionValues completion_values(const CLI::App& command, const CLI::Option& option);

// Of the words of `command` that are no options and belong to none.
CompletionValues argument_values(const CLI::App& command);

// The options that the help names, but for arguments.
std::vector<const CLI::Option*> completed_options(const CLI::App& command);

// The commands of `program` that the help names.
std::vector<const CLI::App*> completed_commands(const CLI::App& program);

// "-w", "--warm", "--no-warm"
std::vector<std::string> option_names(const CLI::Option& option);

// Whether a value belongs to it.
bool takes_value(const CLI::Option& option);

// The first line of a description, without the mark at its end that leads on to the next.
std::string first_line(std::string_view description);

}  // namespace symbols::cli
