#include "proxy/servers/filtered_database.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/compile_flags.h"
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

constexpr std::size_t max_start = std::size_t{64} << 10;
constexpr std::size_t max_entries = 100;  // files that a build makes may come first

// The folder of the other checkout in which the project had `file`; empty if the project has no such file.
std::string former_root(const fs::path& file, const fs::path& root) {
  fs::path rest = file.relative_path();
  for (fs::path folder = "/"; !rest.empty();) {
    std::error_code failure;
    if (fs::is_regular_file(root / rest, failure)) return folder == "/" ? std::string() : folder.string();
    folder /= *rest.begin();
    rest = rest.lexically_relative(*rest.begin());
    if (rest == ".") break;
  }
  return {};
}

// Of the database that starts with `json`; empty if it is of this checkout.
std::string former_root_in(std::string_view json, const fs::path& root) {
  // In a `command` other characters would have to be quoted.
  const std::string to = root.string();
  static const RE2 plain(R"([\w./+-]+)", RE2::Latin1);
  if (!RE2::FullMatch(to, plain)) return {};
  std::string found;
  std::size_t entries = 0;
  // Its end may be missing: the entries before are visited all the same.
  (void)lsp::for_each_element(json.substr(0, max_start), [&](std::string_view element) {
    if (!found.empty() || entries >= max_entries) return;
    ++entries;
    const Result<rapidjson::Document> entry = lsp::parse_json(element);
    const fs::path directory = entry ? lsp::text_member(*entry, "directory") : std::string();
    const fs::path file =
        entry ? (directory / lsp::text_member(*entry, "file")).lexically_normal() : fs::path();
    std::error_code failure;
    if (!directory.is_absolute() || files::contains(root, file) || fs::exists(file, failure) ||
        fs::exists(directory, failure)) {
      entries = max_entries;
    } else {
      found = former_root(file, root);
    }
  });
  return found;
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
  const Result<void> written =
      write_database((fs::path(folder) / (is_flags ? flags_file : commands_file)).string(), *filtered);
  if (!written) return written.error();
  return {boost::system::in_place_value, left_out};
}

Result<void> write_database(const std::string& file, std::string_view text) {
  const Result<std::string> before = files::read_regular_file(file, max_database);
  if (before && *before == text) return {};
  const fs::path fresh = file + fmt::format(".{}", ::getpid());
  std::ofstream stream(fresh, std::ios::binary);
  stream << text;
  std::error_code error;
  if (stream.flush()) fs::rename(fresh, file, error);
  if (!stream || error) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    return Error{fmt::format("cannot write {}", table::quoted(file)),
                 "set TMPDIR and XDG_CACHE_HOME to folders that may be written and have room"};
  }
  return {};
}

bool is_of_another_checkout(const fs::path& database, const fs::path& root) {
  std::string start(max_start, '\0');
  std::ifstream stream(database, std::ios::binary);
  stream.read(start.data(), max_start);
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return !former_root_in(start, root).empty();
}

std::string in_this_checkout(std::string json, const fs::path& root) {
  const std::string from = former_root_in(json, root);
  // Not where a longer name goes on.
  const RE2 name(RE2::QuoteMeta(from) + R"(([^\w.-]|$))", RE2::Latin1);
  if (!from.empty()) RE2::GlobalReplace(&json, name, root.string() + R"(\1)");
  return json;
}

}  // namespace symbols::servers
