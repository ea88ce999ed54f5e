// The flags of `symbols index` and `symbols find` that no other command has.
#pragma once

#include <string>

#include "base/result.h"
#include "proxy/cli/command_line.h"

namespace CLI {
class App;
}  // namespace CLI

namespace symbols::cli {

// Both outlive the parsing.
void add_index_flags(CLI::App& app, IndexArguments& index);

class FindFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);
  // Once `app` has been parsed. Error: names the flag, the value and the allowed values.
  Result<FindArguments> read() const;

 private:
  FindArguments given_;
  std::string kinds_;
  std::string limit_;
};

}  // namespace symbols::cli
