// The flags of `symbols PATH…` that say which documents are asked about, beside the paths themselves.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "base/result.h"
#include "proxy/batch/input_options.h"

namespace symbols::cli {

class InputFlags {
 public:
  // This must outlive the parsing of `app`.
  void add_to(CLI::App& app);
  // Whether one was given.
  bool any() const;
  // Adds them to `inputs`, which has the paths of the command line. Reads no list: see with_listed_paths.
  // Error: what cannot be, with what is expected.
  Result<void> read(batch::InputOptions& inputs) const;

 private:
  CLI::Option* list_given_ = nullptr;
  std::string list_;
  bool null_ = false;
  CLI::Option* shard_given_ = nullptr;
  std::string shard_;
};

}  // namespace symbols::cli
