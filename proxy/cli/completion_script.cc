#include "proxy/cli/completion_script.h"

#include <algorithm>
#include <array>

namespace symbols::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const CLI::App& program);
};

constexpr std::array<Shell, 3> shells = {
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

}  // namespace

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  return names;
}

std::optional<std::string> completion_script(const CLI::App& program, std::string_view shell) {
  const auto* const found = std::ranges::find(shells, shell, &Shell::name);
  return found == shells.end() ? std::nullopt : std::optional(found->script(program));
}

}  // namespace symbols::cli
