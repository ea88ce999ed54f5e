// The text of a CMakeLists.txt, read without CMake: which commands it has, and which of them run on this
// system as far as that is plain. Nothing is run, included or configured.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

struct CmakeCommand {
  std::string name{};  // in lower case
  std::vector<std::string> arguments{};

  bool operator==(const CmakeCommand&) const = default;
};

// The commands in their order. Comments are left out; what cannot be understood ends the list.
std::vector<CmakeCommand> cmake_commands(std::string_view text);

// Follows `if` and `set` over the files of a project, from its root downwards.
class CmakeReader {
 public:
  // `runs`: whether the command runs is plain; else it may.
  using OnCommand = std::function<void(const CmakeCommand& command, bool runs)>;

  // Calls `on_command` for the commands that may run, but for `if` and its like. Variables in their arguments
  // are replaced; an argument with one that is unknown is left out.
  void read(std::string_view text, const OnCommand& on_command);

  // The last value that was set; empty if unknown.
  std::string variable(const std::string& name) const;

 private:
  enum class Truth { no, maybe, yes };

  Truth truth(const std::vector<std::string>& condition) const;
  Truth truth(const std::string& word) const;
  std::vector<std::string> expanded(const std::vector<std::string>& arguments) const;

  std::map<std::string, std::string> variables_;
};

}  // namespace symbols::servers
