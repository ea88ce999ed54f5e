// Which documents are asked about, and which servers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proxy/batch/shard.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/files/regular_file.h"

namespace symbols::batch {

struct InputOptions {
  std::vector<std::string> paths;  // files, folders, "-" for standard input
  // The paths are of files and folders alone, a "-" too, and had no symbolic link in them when they were
  // checked: where one has by now, it is not followed.
  bool paths_are_resolved = false;
  files::Symlinks symlinks() const {
    return paths_are_resolved ? files::Symlinks::refuse : files::Symlinks::follow;
  }
  bool is_standard_input(const std::string& path) const { return path == "-" && !paths_are_resolved; }

  // A list of more paths, which with_listed_paths reads; empty for none. The answers then have headings, were
  // there only one.
  std::string files_from{};
  files::PathSeparator files_from_separator = files::PathSeparator::newline;
  std::optional<Shard> shard{};  // of all documents only these
  std::string language;          // LSP's languageId; empty: by each file's name
  std::string server;            // a known server's name or a command line; empty: by each file's language
  std::string root;              // the project's folder; empty: found
  bool trust_project = false;
  // Whether servers are confined by the kernel (process/confinement.h). None: those of a project that is not
  // trusted are, as far as this kernel can; true: all are, or none is started.
  std::optional<bool> confine{};
  files::IgnoredPaths ignored{};  // of folders; a file that is named is taken
  // References and callers are requested: the server has to know those in files that are not open.
  bool search_project = false;
};

}  // namespace symbols::batch
