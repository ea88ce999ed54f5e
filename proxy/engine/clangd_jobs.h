// Prepares documents for clangd: finds the project's compilation database or guesses flags, and enables an
// index of the project when references are requested.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/filesystem.h"
#include "proxy/engine/document_dispatcher.h"
#include "proxy/engine/input_options.h"
#include "proxy/servers/guessed_flags.h"

namespace symbols::engine {

// The guessed flags of the project at `root` that are kept between calls; null where none are.
using KeptFlags = std::function<servers::GuessedFlags*(const std::string& root)>;

// For the documents of one run: what was found of a project holds for its other files.
class ClangdJobs {
 public:
  // These outlive it. `home`: of the user, where no project is looked for.
  ClangdJobs(const InputOptions& options, const KeptFlags& kept_flags, const fs::path& home)
      : options_(options), kept_flags_(kept_flags), home_(home) {}

  // Completes `job`, whose server, path, language and root are known. `is_users`: its command is the user's
  // own, and so are its flags.
  void prepare(DocumentJob& job, bool is_users);

 private:
  struct Database {
    fs::path file{};          // the one that is used; empty: none, or not known
    fs::path below{};         // it, if clangd does not find it by itself
    fs::path moved{};         // it, if it is one of another checkout
    bool is_guessed = false;  // written by guessed_database()
  };

  void search_project(DocumentJob& job, bool is_users, const fs::path& database) const;
  void search_copy(DocumentJob& job, const fs::path& database) const;
  fs::path guessing_root(const DocumentJob& job) const;
  Database find_database(const DocumentJob& job, bool is_users);
  // Writes a database of guessed flags for the project. Empty if there are no flags, or it cannot be written.
  fs::path guessed_database(const fs::path& root);
  servers::GuessedFlags& guessed_flags(const std::string& root);

  const InputOptions& options_;
  const KeptFlags& kept_flags_;
  const fs::path& home_;
  std::map<std::string, servers::GuessedFlags> guessed_flags_;  // by root
  std::map<std::string, fs::path> below_;                       // by root
  std::map<std::string, fs::path> guessed_databases_;           // by root
  std::map<std::pair<fs::path, std::string>, bool> moved_;      // by database and root
};

}  // namespace symbols::engine
