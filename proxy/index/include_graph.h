// Which files of the project a C or C++ file includes, directly and through others.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "proxy/index/compile_commands.h"
#include "proxy/index/source_states.h"

namespace symbols::index {

class IncludeGraph {
 public:
  // Both outlive it.
  IncludeGraph(const std::filesystem::path& root, SourceStates& sources) : root_(root), sources_(sources) {}

  // The files below the root that the file at `path` includes when it is compiled with `folders`, each once
  // and sorted; paths relative to the root. What a name means is looked up as a compiler does: beside the
  // file that includes it (if quoted), then in `folders`; also, last, in the root. Files elsewhere are left
  // out.
  std::vector<std::string> included_by(const std::string& path, const IncludeFolders& folders);

 private:
  using Found = std::map<std::string, std::vector<std::string>>;  // what each file includes directly

  const std::vector<std::string>& direct(const std::string& path, const IncludeFolders& folders,
                                         Found& found);
  void resolve(const std::string& name, const std::filesystem::path& beside, const IncludeFolders& folders,
               std::vector<std::string>& files);
  // Relative to the root; empty: it is elsewhere.
  std::string inside(const std::string& file) const;
  bool exists(const std::string& file);

  const std::filesystem::path& root_;
  SourceStates& sources_;
  std::map<std::string, bool> exists_;
  std::map<IncludeFolders, Found> found_;
};

}  // namespace symbols::index
