// The index of one project: an SQLite database with the rows of its files, and with what was known of each
// file when these were made. Write-ahead log, one transaction a file: killed at any moment it is whole, and
// several runs write to it side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "proxy/files/file_stamp.h"
#include "proxy/index/content_hash.h"
#include "proxy/index/sqlite.h"

namespace symbols::index {

// A file's content as it was read last. Paths in the index are relative to the project's root.
struct SourceState {
  // Absent where a change might have left it the same: the file has to be read again.
  std::optional<files::FileStamp> stamp;
  ContentHash content;
  // The file names in its #include lines, each after its opening mark: `"a.h`, `<b.h`. Absent: not looked
  // for.
  std::optional<std::vector<std::string>> includes{};

  bool operator==(const SourceState&) const = default;
};

// What a file's rows were made from.
struct IndexedFile {
  ContentHash content;      // of the file
  ContentHash fingerprint;  // of all that the rows depend on (index_plan.h)
  std::size_t rows = 0;
};

struct FoundSymbol {
  std::string path;
  std::string name;
  std::string container;  // its parent's name; empty at top level
  std::int64_t kind = 0;
  std::uint32_t line = 0;  // of the name, from 0
};

class IndexStore {
 public:
  enum class Missing { create, is_error };

  // Opens `file`. One of another version or a damaged one is emptied with Missing::create, and an error
  // otherwise. Error also: the file or its folder cannot be made or written.
  static Result<IndexStore> open(const std::filesystem::path& file, Missing missing);

  // Removes the database. Whoever has it open goes on with what nobody else sees.
  static void discard(const std::filesystem::path& file);

  // An error of any of these that is due to damage has removed the file: the next open() makes a new one.
  Result<std::map<std::string, SourceState>> sources();
  Result<std::map<std::string, IndexedFile>> files();

  Result<void> keep_sources(const std::map<std::string, SourceState>& states);
  // The rows of `path`, in place of those it had.
  Result<void> put(const std::string& path, const IndexedFile& from, const lsp::SymbolTree& tree);
  Result<void> remove(const std::vector<std::string>& paths);

  // Whether the file at `path`, which is `file`, has the content that its rows were made from. Reads it only
  // where its stamp is another one.
  Result<bool> is_current(const std::string& path, const std::string& file);

  // All names, each once; also some that no row has any more.
  Result<void> each_name(const std::function<void(std::int64_t id, std::string_view name)>& take);
  // The rows with that name.
  Result<std::vector<FoundSymbol>> named(std::int64_t name);
  // The rows of `path`; none if it is not in the index.
  Result<std::optional<lsp::SymbolTree>> rows_of(const std::string& path);

 private:
  IndexStore(std::filesystem::path file, bool create);

  void prepare();
  Error error_of(const Database::Fault& fault) const;
  Result<void> done();  // success, or the fault that was set

  std::filesystem::path file_;
  std::unique_ptr<Database> database_;
};

}  // namespace symbols::index
