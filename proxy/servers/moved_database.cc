#include "proxy/servers/moved_database.h"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/project_root.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_start = std::size_t{64} << 10;
constexpr std::size_t max_entries = 100;  // files that a build makes may come first

bool continues_name(char c) {
  return is_word(c) || c == '-' || c == '.';
}

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
  const auto is_plain = [](char c) { return continues_name(c) || c == '/' || c == '+'; };
  if (to.empty() || !std::ranges::all_of(to, is_plain)) return {};
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

bool is_of_another_checkout(const fs::path& database, const fs::path& root) {
  std::string start(max_start, '\0');
  std::ifstream stream(database, std::ios::binary);
  stream.read(start.data(), max_start);
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return !former_root_in(start, root).empty();
}

std::string in_this_checkout(std::string json, const fs::path& root) {
  const std::string from = former_root_in(json, root);
  if (from.empty()) return json;
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = json.find(from); at != json.npos; at = json.find(from, at + from.size())) {
    const std::size_t end = at + from.size();
    if (end < json.size() && continues_name(json[end])) continue;
    out.append(json, copied, at - copied).append(root.string());
    copied = end;
  }
  return out.append(json, copied);
}

}  // namespace symbols::servers
