#include "proxy/index/index_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text.h"
#include "proxy/files/source_text.h"
#include "proxy/query/source_errors.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

// Without stamps: these are of the other machine's files.
constexpr const char* take_newer_files = R"(
CREATE TEMP TABLE taken AS SELECT theirs.id AS id, theirs.path AS path FROM other.files AS theirs
  LEFT JOIN main.files AS ours ON ours.path = theirs.path WHERE ours.path IS NULL OR ours.answered < theirs.answered;
DELETE FROM main.files WHERE path IN (SELECT path FROM taken);
INSERT INTO main.files SELECT NULL, path, content, fingerprint, rows, answered, errors FROM other.files
  WHERE id IN (SELECT id FROM taken);
INSERT INTO main.symbols SELECT ours.id, row, name, kind, parent, ranges, detail, container, tags, deprecated, form
  FROM taken JOIN main.files AS ours ON ours.path = taken.path JOIN other.symbols AS theirs ON theirs.file = taken.id;
INSERT INTO main.outlines SELECT ours.id, theirs.names, theirs.words
  FROM taken JOIN main.files AS ours ON ours.path = taken.path JOIN other.outlines AS theirs ON theirs.file = taken.id;
INSERT OR IGNORE INTO main.sources SELECT path, NULL, content, includes FROM other.sources;
)";

// A view of the value.
template <class Value>
Blob blob(const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  return {{reinterpret_cast<const char*>(&value), sizeof value}};
}

template <class Value>
std::optional<Value> value_of(std::string_view bytes) {
  if (bytes.size() != sizeof(Value)) return {};
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// A row's two ranges, as they are kept.
struct Ranges {
  lsp::Range range;
  lsp::Range selection;
};

// Names or numbers as they are kept, one a line.
template <class Item>
std::string lines_of(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) fmt::format_to(std::back_inserter(text), "{}\n", item);
  return text;
}

std::vector<std::int64_t> tags_of(std::string_view lines) {
  std::vector<std::int64_t> tags;
  for (const std::string_view line : split(lines, '\n'))  // 0 if not a number, in a damaged database
    tags.push_back(whole_number<std::int64_t>(line).value_or(0));
  return tags;
}

files::ContentHash hash_in(std::string_view bytes) {
  return value_of<files::ContentHash>(bytes).value_or(files::ContentHash{});
}

// From a file's row in `files` and its row in `sources`, which may have been written later.
KeptContent kept_content(std::string_view content, std::string_view source_content, std::string_view stamp) {
  KeptContent kept{.content = hash_in(content)};
  if (kept.content == value_of<files::ContentHash>(source_content))
    kept.stamp = value_of<files::FileStamp>(stamp);
  return kept;
}

}  // namespace

bool KeptContent::is_of(const std::string& file) const {
  if (stamp && stamp == files::FileStamp::of(file)) return true;
  return files::hash_of_file(file, files::max_source_bytes) == content;
}

Result<void> IndexStore::done() {
  if (const std::optional<Database::Fault> fault = database_->take_fault()) return error_of(*fault);
  return {};
}

Result<IndexContents> IndexStore::contents() {
  IndexContents contents;
  Statement all(*database_, "SELECT path, stamp, content, includes FROM sources");
  while (all.next()) {
    const std::vector<std::string_view> includes = split(all.text(3), '\n');
    contents.sources.emplace(all.text(0), SourceState{.stamp = value_of<files::FileStamp>(all.text(1)),
                                                      .content = hash_in(all.text(2)),
                                                      .includes = {includes.begin(), includes.end()}});
  }
  Statement files(*database_, "SELECT path, content, fingerprint, rows, errors FROM files");
  while (files.next()) {
    contents.files.emplace(files.text(0), IndexedFile{.content = hash_in(files.text(1)),
                                                      .fingerprint = hash_in(files.text(2)),
                                                      .rows = static_cast<std::size_t>(files.integer(3)),
                                                      .errors = std::string(files.text(4))});
  }
  return done(std::move(contents));
}

Result<void> IndexStore::keep_sources(const std::map<std::string, SourceState>& states) {
  if (states.empty()) return {};
  database_->transaction([&] {
    Statement keep(*database_, "INSERT OR REPLACE INTO sources VALUES(?, ?, ?, ?)");
    for (const auto& [path, state] : states) {
      keep.run(path, state.stamp ? std::optional(blob(*state.stamp)) : std::nullopt, blob(state.content),
               lines_of(state.includes));
    }
  });
  return done();
}

Result<void> IndexStore::put(std::span<const AnsweredFile> answers) {
  if (answers.empty()) return {};
  database_->transaction([&] {
    Statement clear(*database_, "DELETE FROM files WHERE path = ?");
    Statement file(*database_, "INSERT INTO files VALUES(NULL, ?, ?, ?, ?, ?, ?) RETURNING id");
    Statement insert(*database_, "INSERT INTO symbols VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement outlined(*database_, "INSERT INTO outlines VALUES(?, ?, ?)");
    for (const AnsweredFile& answer : answers) {
      const std::vector<lsp::DocumentSymbol>& symbols = answer.tree.symbols;
      clear.run(answer.path);
      file.with(answer.path, blob(answer.content), blob(answer.fingerprint), std::ssize(symbols),
                files::file_clock_now(), answer.errors);
      const std::int64_t id = file.next() ? file.integer(0) : 0;
      file.run();
      for (std::size_t row = 0; row < symbols.size(); ++row) {
        const lsp::DocumentSymbol& symbol = symbols[row];
        const RowForm form = row < answer.forms.size() ? answer.forms[row] : RowForm::definition;
        insert.run(id, static_cast<std::int64_t>(row), symbol.name, symbol.kind, symbol.parent,
                   blob(Ranges{symbol.range, symbol.selection_range}), symbol.detail, symbol.container_name,
                   lines_of(symbol.tags), symbol.deprecated, static_cast<std::int64_t>(form));
      }
      outlined.run(id, Blob{answer.outline.names}, Blob{answer.outline.words});
    }
  });
  return done();
}

Result<void> IndexStore::remove(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  database_->transaction([&] {
    for (const char* const sql : {"DELETE FROM files WHERE path = ?", "DELETE FROM sources WHERE path = ?"}) {
      Statement statement(*database_, sql);
      for (const std::string& path : paths) statement.run(path);
    }
  });
  return done();
}

Result<std::size_t> IndexStore::take_newer(const fs::path& other) {
  Statement(*database_, "ATTACH ? AS other", other.string()).run();
  std::int64_t taken = 0;
  database_->transaction([&] {
    database_->execute(take_newer_files);
    Statement count(*database_, "SELECT count(*) FROM taken");
    if (count.next()) taken = count.integer(0);
    count.reset();
    database_->execute("DROP TABLE taken");
  });
  const std::optional<Database::Fault> fault = database_->take_fault();
  database_->execute("DETACH other");
  (void)database_->take_fault();
  if (fault) {
    return Error{fmt::format("cannot merge {} into {}: {}", table::quoted(other.string()),
                             table::quoted(file_.string()), fault->message),
                 "nothing was changed; merge again"};
  }
  return static_cast<std::size_t>(taken);
}

Result<void> IndexStore::each_name(const std::function<void(std::string_view)>& take) {
  Statement all(*database_, "SELECT DISTINCT name FROM symbols");
  while (all.next()) take(all.text(0));
  return done();
}

Result<std::vector<FoundSymbol>> IndexStore::named(std::string_view name) {
  std::vector<FoundSymbol> found;
  Statement rows(
      *database_,
      "SELECT files.path, symbols.kind, symbols.ranges, symbols.container, parents.name, parents.kind, "
      "symbols.detail, symbols.form, files.content, sources.content, sources.stamp "
      "FROM symbols JOIN files ON files.id = symbols.file LEFT JOIN sources ON sources.path = files.path "
      "LEFT JOIN symbols AS parents ON parents.file = symbols.file AND parents.row = symbols.parent "
      "WHERE symbols.name = ?",
      name);
  while (rows.next()) {
    const std::string_view parent = rows.text(4);
    const Ranges ranges = value_of<Ranges>(rows.text(2)).value_or(Ranges{});
    const std::string_view path = rows.text(0);
    const bool is_next_of_file = !found.empty() && found.back().path == path;
    found.push_back({.path = std::string(path),
                     .content = kept_content(rows.text(8), rows.text(9), rows.text(10)),
                     .name = std::string(name),
                     .container = std::string(parent.empty() ? rows.text(3) : parent),
                     .kind = rows.integer(1),
                     .container_kind = rows.integer(5),
                     .line = ranges.selection.start.line,
                     .column = ranges.selection.start.character,
                     .lines = ranges.range.end.line - ranges.range.start.line,
                     .detail = std::string(rows.text(6)),
                     .form = static_cast<RowForm>(std::clamp<std::int64_t>(rows.integer(7), 0, 2)),
                     .role = is_next_of_file ? found.back().role : file_role(path)});
  }
  return done(std::move(found));
}

Result<std::optional<lsp::SymbolTree>> IndexStore::rows_of(const std::string& path) {
  std::optional<lsp::SymbolTree> tree;
  Statement file(*database_, "SELECT id FROM files WHERE path = ?", path);
  if (file.next()) {
    tree.emplace();
    Statement rows(
        *database_,
        "SELECT name, kind, parent, ranges, detail, container, tags, deprecated FROM symbols WHERE file = ? "
        "ORDER BY row",
        file.integer(0));
    while (rows.next()) {
      const Ranges ranges = value_of<Ranges>(rows.text(3)).value_or(Ranges{});
      lsp::DocumentSymbol& symbol = tree->symbols.emplace_back();
      symbol.name = rows.text(0);
      symbol.kind = rows.integer(1);
      // A parent must come first, or following parents may never end.
      const std::int64_t parent = rows.integer(2);
      if (parent < -1 || parent + 1 >= std::ssize(tree->symbols))
        database_->fail_damaged("a symbol is above itself");
      symbol.parent = static_cast<std::int32_t>(parent);
      symbol.range = ranges.range;
      symbol.selection_range = ranges.selection;
      symbol.detail = rows.text(4);
      symbol.container_name = rows.text(5);
      symbol.tags = tags_of(rows.text(6));
      symbol.deprecated = rows.integer(7) != 0;
    }
  }
  return done(std::move(tree));
}

Result<std::vector<OutlinedFile>> IndexStore::outlines() {
  std::vector<OutlinedFile> outlined;
  Statement all(*database_,
                "SELECT files.path, names, words, files.content, sources.content, sources.stamp FROM files "
                "JOIN outlines ON outlines.file = files.id LEFT JOIN sources ON sources.path = files.path "
                "ORDER BY files.path");
  while (all.next()) {
    outlined.push_back({.path = std::string(all.text(0)),
                        .content = kept_content(all.text(3), all.text(4), all.text(5)),
                        .outline = {.names = std::string(all.text(1)), .words = std::string(all.text(2))}});
  }
  return done(std::move(outlined));
}

Result<std::string> IndexStore::errors_note() {
  std::string note;
  Statement files(*database_,
                  "SELECT (SELECT count(*) FROM files), count(*) OVER (), path, errors FROM files "
                  "WHERE errors <> '' ORDER BY path LIMIT 1");
  if (files.next()) {
    const auto number = [&](int column) { return static_cast<std::size_t>(files.integer(column)); };
    note = query::errors_note(number(1), number(0), fmt::format("{}: {}", files.text(2), files.text(3)));
  }
  return done(std::move(note));
}

}  // namespace symbols::index
