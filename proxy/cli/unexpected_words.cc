#include "proxy/cli/unexpected_words.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "proxy/options/nearest_name.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

std::string unknown_option(const CLI::App& command, std::string_view word) {
  const std::string_view option = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* const known : command.get_options()) {
    if (known->get_group().empty()) continue;
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  // Of a single letter nothing can be guessed.
  const std::string nearest = option.starts_with("--") && option.size() > 3
                                  ? std::string(options::nearest_name(
                                        option, std::vector<std::string_view>(names.begin(), names.end())))
                                  : std::string();
  return fmt::format("{} has no option {}{}",
                     command.get_parent() == nullptr ? "symbols" : command.get_name(), table::quoted(option),
                     nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

}  // namespace

std::string unexpected_word(const CLI::App& program, std::string word) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  const CLI::App& command = parsed.empty() ? program : *parsed.front();
  if (word.empty()) {
    for (std::string& one : program.remaining(true)) {
      if (word.empty() || (!word.starts_with('-') && one.starts_with('-'))) word = std::move(one);
    }
  }
  if (word.starts_with('-')) return unknown_option(command, word);
  return fmt::format("{} takes no further word, such as {}", command.get_name(), table::quoted(word));
}

std::string near_command(const CLI::App& program, const std::string& path) {
  if (path.find_first_of("./:") != path.npos) return {};
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) return {};
  std::vector<std::string_view> names;
  for (const CLI::App* const command : program.get_subcommands({})) names.push_back(command->get_name());
  return std::string(options::nearest_name(path, names));
}

}  // namespace symbols::cli
