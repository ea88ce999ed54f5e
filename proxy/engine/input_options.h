// Which documents are asked about, and which servers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/ignore_rules.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::engine {

// One of several equal shares of the documents, so that several machines can each ask about theirs.
struct Shard {
  std::size_t number = 1;  // from 1 to count
  std::size_t count = 1;

  bool operator==(const Shard&) const = default;
};

struct InputOptions {
  std::vector<std::string> paths;  // files, folders, "-" for standard input
  // The paths are of files and folders alone, a "-" too, and had no symbolic link in them when they were
  // checked: where one has by now, it is not followed.
  bool paths_are_resolved = false;
  files::Symlinks symlinks() const {
    return paths_are_resolved ? files::Symlinks::refuse : files::Symlinks::follow;
  }
  bool is_standard_input(const std::string& path) const { return path == "-" && !paths_are_resolved; }

  // A list of more paths, which with_listed_paths reads, or empty. Then even a single answer has a heading.
  std::string files_from{};
  files::PathSeparator files_from_separator = files::PathSeparator::newline;
  std::optional<Shard> shard{};                      // of all documents only these
  std::map<std::string, files::SourceText> texts{};  // in place of those of these paths, which need not exist
  bool texts_are_included = false;  // also where other files include them, by clangd 13 or newer
  std::string language;             // LSP's languageId; empty: by each file's name
  std::string server;               // a known server's name or a command line; empty: by each file's language
  std::string root;                 // the project's folder; empty: found
  bool trust_project = false;
  // Whether servers are confined by the kernel (system/confinement.h). None: those of a project that is not
  // trusted are, as far as this kernel can; true: all are, or none is started.
  std::optional<bool> confine{};
  files::IgnoredPaths ignored{};  // of folders; a file that is named is taken
  // References and callers are requested: the server has to know those in files that are not open.
  bool search_project = false;
};

// The paths with those of the list behind them. Errors: read_path_list's.
Result<InputOptions> with_listed_paths(InputOptions options);

// A share smaller than a file of a million is none.
inline constexpr std::size_t max_shards = 1'000'000;

// Reads `3/8`. The error names `option`, the text and what is expected.
Result<Shard> parse_shard(std::string_view option, std::string_view text);

// What a document counts for beside its bytes: without it all empty files would go to one shard.
inline constexpr std::uint64_t shard_bytes_per_document = 4096;

struct ShardedDocument {
  std::string_view path;
  std::uint64_t bytes = 0;
};

// The places in `documents` of those in this shard, ascending. Each document is in exactly one of the shards,
// and which one depends on the paths and sizes alone, not on their order: by descending size, then by path,
// each goes to the shard with the fewest bytes so far, the first of several.
std::vector<std::size_t> documents_of_shard(const std::vector<ShardedDocument>& documents, Shard shard);

}  // namespace symbols::engine
