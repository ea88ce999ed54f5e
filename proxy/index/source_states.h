// The files of a project as they are now: each is read only where its stamp is not the one known from before.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxy/index/index_store.h"

namespace symbols::index {

class SourceStates {
 public:
  // `known`: by the path relative to `root`, as the index has them.
  SourceStates(std::filesystem::path root, std::map<std::string, SourceState> known);

  enum class Includes { leave, find };

  // The state of the file at `path`, relative to the root or absolute; looked up once. Null where it cannot
  // be read. With Includes::find, its includes are there. Good as long as this object.
  const SourceState* find(const std::string& path, Includes includes);

  // Whether the file has the content that it had when it was looked up.
  bool is_unchanged(const std::string& path) const;

  // Those that differ from what was known; for the index.
  const std::map<std::string, SourceState>& changed() const { return changed_; }

 private:
  std::optional<SourceState> look(const std::string& path, Includes includes, const SourceState* known);

  std::filesystem::path root_;
  std::map<std::string, SourceState> known_;
  std::map<std::string, std::optional<SourceState>> looked_;  // none: it cannot be read
  std::map<std::string, SourceState> changed_;
};

}  // namespace symbols::index
