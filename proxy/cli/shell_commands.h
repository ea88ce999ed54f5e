// `symbols completions` and `symbols manual`: what the definitions of the command line are made into, for
// shells and for man.
#pragma once

#include <string>

#include "proxy/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace symbols::cli {

// The two commands as typed.
class ShellCommands {
 public:
  // Adds them to `program`; parsing fills this, which must outlive it.
  void add_to(CLI::App& program);

  // Whether one of them was given.
  bool parsed() const;

  // Its output. Error: a shell or a command that is not known, with those that are.
  Result<Finished> run(const CLI::App& program) const;

 private:
  Result<Finished> completions(const CLI::App& program) const;
  Result<Finished> manual(const CLI::App& program) const;

  const CLI::App* completions_ = nullptr;
  const CLI::App* manual_ = nullptr;
  std::string shell_;
  bool servers_ = false;
  std::string page_;
  std::string folder_;
};

}  // namespace symbols::cli
