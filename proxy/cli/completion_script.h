// The scripts that have a shell complete the command line of `symbols`: options, their values, commands,
// files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace symbols::cli {

// "bash", "zsh", "fish"
std::vector<std::string> shell_names();

// The script for the shell of that name, from the definition of `program`; none if there is no such shell.
std::optional<std::string> completion_script(const CLI::App& program, std::string_view shell);

// bash 4.4, zsh 5.8 and fish 3.1, or newer. Each script asks the program itself for the names of servers,
// since a user can add some: `symbols completions --servers`.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace symbols::cli
