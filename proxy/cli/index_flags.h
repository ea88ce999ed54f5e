// The flags of `symbols index`, `symbols find` and `symbols map` that no other command has.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/settings/arguments.h"

namespace CLI {
class App;
}  // namespace CLI

namespace symbols::cli {

class IndexFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);
  // Once `app` has been parsed: into `index`. Error: names the flag, the value and the allowed values.
  Result<void> read(settings::IndexArguments& index) const;

 private:
  std::string folder_;
  bool rebuild_ = false;
  bool watch_ = false;
  std::string shard_;
  std::string database_;
  std::vector<std::string> merge_;
};

// `map` outlives the parsing.
void add_map_flags(CLI::App& app, settings::MapArguments& map);

class FindFlags {
 public:
  // Adds the flags to `app`, which this must outlive.
  void add_to(CLI::App& app);
  // Once `app` has been parsed. Error: names the flag, the value and the allowed values.
  Result<settings::FindArguments> read() const;

 private:
  settings::FindArguments given_;
  std::string kinds_;
  std::string limit_;
};

}  // namespace symbols::cli
