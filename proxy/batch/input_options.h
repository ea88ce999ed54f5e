// Which documents are asked about, and which servers.
#pragma once

#include <string>
#include <vector>

namespace symbols::batch {

struct InputOptions {
  std::vector<std::string> paths;  // files, folders, "-" for standard input; at least one
  std::string language;            // LSP's languageId; empty: by each file's name
  std::string server;              // a known server's name or a command line; empty: by each file's language
  std::string root;                // the project's folder; empty: found
  bool trust_project = false;
  // References and callers are requested: the server has to know those in files that are not open.
  bool search_project = false;
};

}  // namespace symbols::batch
