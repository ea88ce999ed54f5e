#include "proxy/servers/filtered_database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <system_error>
#include <vector>

#include "lsp/json/json_document.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/compile_flags.h"
#include "proxy/servers/moved_database.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

// `json` with each entry's command reduced to what is allowed.
Result<std::string> filtered_commands(const std::string& json, const fs::path& folder,
                                      std::size_t& left_out) {
  const Result<rapidjson::Document> document = lsp::parse_json(json);
  if (!document) return document.error();
  if (!document->IsArray()) return Error{"not an array of commands", {}};
  std::string out = "[";
  for (const rapidjson::Value& entry : document->GetArray()) {
    const std::vector<std::string> command = words_of_entry(entry);
    const std::string named = lsp::text_member(entry, "file");
    if (command.empty() || named.empty()) continue;
    const fs::path directory = folder / lsp::text_member(entry, "directory");
    // Absolute, so that it cannot read as a flag.
    const std::string file = (directory / named).string();
    AllowedFlags allowed = allowed_compile_flags({command.begin() + 1, command.end()});
    left_out += allowed.left_out;
    out += fmt::format(R"({}{{"directory":{},"file":{},"arguments":[{})", out.size() > 1 ? ",\n" : "",
                       lsp::json_string(directory.string()), lsp::json_string(file),
                       lsp::json_string(allowed_compiler(command)));
    for (const std::string& flag : allowed.flags) out += "," + lsp::json_string(flag);
    out += "," + lsp::json_string(file) + "]}";
  }
  return {boost::system::in_place_value, out + "]"};
}

std::string filtered_flags(const std::string& text, const fs::path& folder, std::size_t& left_out) {
  const AllowedFlags allowed = allowed_compile_flags(flags_in_lines(text));
  left_out += allowed.left_out;
  // Its paths are relative to its own folder, not to that of the copy. Omitted for a folder with a newline in
  // its name.
  std::string out;
  if (folder.string().find('\n') == std::string::npos) out = "-working-directory=" + folder.string() + "\n";
  for (const std::string& flag : allowed.flags) out += flag + "\n";
  return out;
}

}  // namespace

Result<std::size_t> write_filtered_database(const std::string& database, const std::string& folder,
                                            const std::string& root) {
  if (database.empty()) return {boost::system::in_place_value, std::size_t{0}};
  Result<std::string> text = files::read_regular_file(database, max_database);
  if (!text) return text.error();
  const fs::path path = database;
  const bool is_flags = path.filename() == flags_file;
  std::size_t left_out = 0;
  const Result<std::string> filtered =
      is_flags ? filtered_flags(*text, path.parent_path(), left_out)
               : filtered_commands(in_this_checkout(*std::move(text), root), path.parent_path(), left_out);
  if (!filtered) {
    return Error{fmt::format("cannot read {}: {}", table::quoted(database), filtered.error().message),
                 "fix it, or pass --trust-project if you trust the project"};
  }
  const fs::path copy = fs::path(folder) / (is_flags ? flags_file : commands_file);
  // A folder that stays may be another run's too.
  const Result<std::string> before = files::read_regular_file(copy.string(), max_database);
  if (before && *before == *filtered) return {boost::system::in_place_value, left_out};
  const fs::path fresh = copy.string() + fmt::format(".{}", ::getpid());
  std::ofstream stream(fresh, std::ios::binary);
  stream << *filtered;
  std::error_code error;
  if (stream.flush()) fs::rename(fresh, copy, error);
  if (!stream || error) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    return Error{fmt::format("cannot write {}", table::quoted(copy.string())),
                 "set TMPDIR and XDG_CACHE_HOME to folders that may be written and have room"};
  }
  return {boost::system::in_place_value, left_out};
}

}  // namespace symbols::servers
