// The index of one project: an SQLite database with the rows of its files, and the state of each file when
// they were made. It has a write-ahead log and short transactions, so it survives a kill at any moment, and
// several runs may write to it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "base/result.h"
#include "lsp/document_symbol.h"
#include "proxy/files/content_hash.h"
#include "proxy/index/file_outline.h"
#include "proxy/index/name_match.h"
#include "proxy/index/sqlite.h"

namespace symbols::index {

// A file's content as it was read last. Paths in the index are relative to the project's root.
struct SourceState {
  // Absent if a change might have left it the same: then the file has to be read again.
  std::optional<files::FileStamp> stamp{};
  files::ContentHash content{};
  // The file names in its #include lines, each after its opening mark: `"a.h`, `<b.h`.
  std::vector<std::string> includes{};

  bool operator==(const SourceState&) const = default;
};

// What a file's rows were made from.
struct IndexedFile {
  files::ContentHash content;      // of the file
  files::ContentHash fingerprint;  // of all that the rows depend on (index_plan.h)
  std::size_t rows = 0;
  std::string errors{};  // AnsweredFile's
};

// A file's rows, and what they were made from.
struct AnsweredFile {
  std::string path;
  files::ContentHash content{};
  files::ContentHash fingerprint{};
  lsp::SymbolTree tree{};
  FileOutline outline{};
  std::vector<RowForm> forms{};  // of each row; empty: all are definitions
  std::string errors{};          // for which rows may be missing or wrong (engine::DocumentAnswer)
};

// The content that a file's rows were made from.
struct KeptContent {
  files::ContentHash content{};
  std::optional<files::FileStamp> stamp{};  // which the file had with it

  // Whether `file` has this content. Reads it only where its stamp is another one.
  bool is_of(const std::string& file) const;
};

struct FoundSymbol {
  std::string path;
  KeptContent content{};  // of its file
  std::string name;
  std::string container;  // its parent's name; empty at top level
  std::int64_t kind = 0;
  std::int64_t container_kind = 0;  // its parent's; 0 where it has none
  std::uint32_t line = 0;           // of the name, from 0
  std::uint32_t column = 0;         // of it, from 0, in UTF-16
  std::uint32_t lines = 0;          // of its range, but one
  std::string detail{};             // the server's, such as a signature
  RowForm form = RowForm::definition;
  FileRole role = FileRole::source;   // its file's
  NameFit fit = NameFit::exact_case;  // to the query, of rows that find_symbols() gives
};

struct OutlinedFile {
  std::string path;
  KeptContent content{};
  FileOutline outline{};
};

// All of an index but the rows.
struct IndexContents {
  std::map<std::string, SourceState> sources;
  std::map<std::string, IndexedFile> files;
};

class IndexStore {
 public:
  enum class Missing { create, is_error };
  enum class Owner {
    cache,  // one that is damaged is removed; with Missing::create one of another version is made anew
    user,   // both are errors. No write-ahead log: it needs shared memory, which network file systems lack
  };

  // Opens `file`. One of another version or a damaged one is made anew with Missing::create, which reads all
  // of it, and an error otherwise, or where it is a file of the user's. Error also: the file, or its folder
  // in the cache, cannot be made or written.
  static Result<IndexStore> open(const fs::path& file, Missing missing, Owner owner = Owner::cache);

  // Reads all of the user's `file`. Error: it is damaged, or is not an index of this version.
  static Result<void> check(const fs::path& file);

  // Removes the database; processes that have it open go on with it. Error: it cannot be removed.
  static Result<void> discard(const fs::path& file);

  // An error of these due to damage has removed a file of the cache: the next open() makes a new one.
  Result<IndexContents> contents();

  Result<void> keep_sources(const std::map<std::string, SourceState>& states);
  // The rows of these files, in place of those they had: all or, with an error, none. A call costs a write to
  // the disk, however many they are.
  Result<void> put(std::span<const AnsweredFile> answers);
  Result<void> remove(const std::vector<std::string>& paths);
  // Takes from the index in `other`, which check() has found good, the files that this one has not or has
  // from an earlier answer: all of them, or with an error none. How many.
  Result<std::size_t> take_newer(const fs::path& other);

  // All names, each once.
  Result<void> each_name(const std::function<void(std::string_view name)>& take);
  // The rows with that name.
  Result<std::vector<FoundSymbol>> named(std::string_view name);
  // The rows of `path`; none if it is not in the index.
  Result<std::optional<lsp::SymbolTree>> rows_of(const std::string& path);
  // Returns the outlines of all files, ordered by path.
  Result<std::vector<OutlinedFile>> outlines();
  // query::errors_note() of the files that have errors; empty if none has.
  Result<std::string> errors_note();

 private:
  IndexStore(fs::path file, Missing missing, Owner owner);

  enum class Version { none, other, current };
  Version version();  // none: the database is empty
  bool has_schema();
  bool is_whole();
  void prepare();
  static Result<void> remove_unusable(const fs::path& file);
  Error other_version() const;
  Error error_of(const Database::Fault& fault) const;
  Result<void> done();  // success, or the fault that was set
  template <class Value>
  Result<Value> done(Value value) {
    if (const Result<void> read = done(); !read) return read.error();
    return {boost::system::in_place_value, std::move(value)};
  }

  fs::path file_;
  Owner owner_;
  std::unique_ptr<Database> database_;
};

// The root of the project whose files are indexed together: `given` (of --root), else the nearest folder at
// or above `folder` with `.git`, else the nearest with one of `markers`, else `folder`. Canonical. Error: one
// of them is no folder.
Result<fs::path> index_root(const fs::path& folder, const std::string& given,
                            const std::vector<std::string>& markers);

// The folder of all indexes: $XDG_CACHE_HOME/symbols/index. Error: neither XDG_CACHE_HOME nor HOME is set.
Result<fs::path> index_folder();

// The database of the project at `root` in `folder`: NAME-HASH.db, both of the root.
fs::path index_file(const fs::path& folder, const fs::path& root);

struct FoundIndex {
  fs::path root;
  fs::path file;
};

// The index of the nearest folder at or above `start` that has one. Error: there is none.
Result<FoundIndex> find_index(const fs::path& start);

}  // namespace symbols::index
