// The scripts that have a shell complete the command line of `symbols`: options, their values, commands,
// files.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

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

}  // namespace symbols::cli
