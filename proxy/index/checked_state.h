// What `symbols check` has seen last of a work tree, in the user's cache beside its index.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/replies.h"

namespace symbols::index {

// Paths are absolute.
struct CheckedState {
  std::string root;    // of the work tree
  std::string commit;  // git's name of it
  // Of the files that differed from it; none of one that was gone.
  std::map<std::string, std::optional<std::string>> texts{};
  std::map<std::string, std::vector<lsp::Diagnostic>> known{};  // of the files that were looked at

  // That of `folder`, or else of the nearest folder above that has one. Error: there is none that can be
  // read.
  static Result<CheckedState> load(const std::string& folder);
  // Error: it cannot be written.
  Result<void> save() const;
};

}  // namespace symbols::index
