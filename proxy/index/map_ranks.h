// What a map of a project shows first: the order of its files, of their names, and of the members of these.
#pragma once

#include <string_view>
#include <vector>

#include "proxy/index/file_outline.h"
#include "proxy/index/index_store.h"

namespace symbols::index {

struct MapMember {
  std::string_view name;
  std::size_t place = 0;  // in names_of() its file's outline
};

struct MapName {
  std::string_view name;
  double rank = 0;  // higher is shown earlier
  std::size_t place = 0;
  std::vector<MapMember> members{};  // that are exported: methods first, then as in the source
};

struct MapFile {
  std::string_view path;  // relative to the project's root
  double rank = 0;        // how often other files mention what it exports
  // The best ones first.
  std::vector<MapName> exported{};
  // What a source file of C or C++ defines that a header declares, or that no other file mentions; then what
  // is not exported.
  std::vector<MapName> others{};
  std::size_t definitions = 0;  // of `others`
};

// What `files` export, ranked. What the files are counted by is all of `files`; only those in `folder`
// (relative to the root, empty for all, else with a slash at its end) are given. The result refers to
// `files`.
std::vector<MapFile> ranked_files(const std::vector<OutlinedFile>& files, std::string_view folder);

}  // namespace symbols::index
