#include "proxy/servers/user_servers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "proxy/files/regular_file.h"
#include "proxy/files/user_folders.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

namespace fs = std::filesystem;
using rapidjson::Value;

constexpr std::size_t max_file = std::size_t{1} << 20;
// Far more than any server's options need; writing JSON back recurses.
constexpr int max_nesting = 64;

std::string_view text_of(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

// "line:column" from 1, the column in bytes.
std::string place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("{}:{}", line, before.size() - (before.rfind('\n') + 1) + 1);
}

// Where valid JSON is first nested too deeply, or npos.
std::size_t find_too_deep(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > max_nesting) return i;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return json.npos;
}

// Walks the document; the first fault found stays.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  const std::optional<Error>& error() const { return error_; }

  void fail(const std::string& path, const std::string& what) {
    if (!error_) error_ = Error{fmt::format("{}: {}: {}", file_, path, what), "correct it there"};
  }

  // Whether `value` is an object with no other members than `allowed`, and none of them twice.
  bool object(const Value& value, const std::string& path, const std::vector<std::string_view>& allowed) {
    if (!value.IsObject()) {
      fail(path, fmt::format("must be an object with the members {}", fmt::join(allowed, ", ")));
      return false;
    }
    std::vector<std::string_view> seen;
    for (const auto& member : value.GetObject()) {
      const std::string_view name = text_of(member.name);
      if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
        fail(path, fmt::format("has an unknown member {}; known are {}", table::quoted(name),
                               fmt::join(allowed, ", ")));
      } else if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
        fail(path, fmt::format("has two members {}; one is allowed", table::quoted(name)));
      }
      seen.push_back(name);
    }
    return !error_;
  }

  // Strings that each satisfy `fits`; `allowed` says so in words.
  std::vector<std::string> strings(const Value& value, const std::string& path, std::size_t at_least,
                                   bool (*fits)(std::string_view), std::string_view allowed) {
    std::vector<std::string> list;
    if (!value.IsArray() || value.Size() < at_least) {
      fail(path, fmt::format("must be an array of {}{}", at_least > 0 ? "at least one of " : "", allowed));
      return list;
    }
    for (const Value& item : value.GetArray()) {
      if (!item.IsString() || !fits(text_of(item))) {
        fail(fmt::format("{}[{}]", path, list.size()), fmt::format("must be one of {}", allowed));
        return list;
      }
      list.emplace_back(text_of(item));
    }
    return list;
  }

 private:
  const std::string& file_;
  std::optional<Error> error_;
};

bool has_no_nul(std::string_view text) {
  return text.find('\0') == text.npos;
}
bool is_extension(std::string_view text) {
  return text.size() > 1 && text.front() == '.' && text.find('/') == text.npos && has_no_nul(text);
}
bool is_file_name(std::string_view text) {
  return !text.empty() && text.find('/') == text.npos && has_no_nul(text);
}
bool is_marker(std::string_view text) {
  return !text.empty() && text.front() != '/' && has_no_nul(text);
}

// A name has to be told from a command line in `--server`, and to be printed.
bool is_server_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+-@").find(c) != std::string_view::npos;
  });
}

Language read_language(Reader& reader, const Value& value, const std::string& path) {
  Language language;
  if (!reader.object(value, path, {"id", "extensions", "file_names"})) return language;
  const auto id = value.FindMember("id");
  if (id == value.MemberEnd() || !id->value.IsString() || id->value.GetStringLength() == 0) {
    reader.fail(path + ".id", "must be a string, LSP's language id, such as \"zig\"");
  } else {
    language.id = text_of(id->value);
  }
  const auto extensions = value.FindMember("extensions");
  if (extensions != value.MemberEnd()) {
    language.extensions = reader.strings(extensions->value, path + ".extensions", 0, is_extension,
                                         "strings that start with a dot, such as \".zig\"");
  }
  const auto names = value.FindMember("file_names");
  if (names != value.MemberEnd()) {
    language.file_names = reader.strings(names->value, path + ".file_names", 0, is_file_name,
                                         "file names without a folder, such as \"Makefile\"");
  }
  if (language.extensions.empty() && language.file_names.empty())
    reader.fail(path, "must have extensions or file_names, else it is the language of no file");
  return language;
}

std::vector<Language> read_languages(Reader& reader, const Value& value, const std::string& path) {
  std::vector<Language> languages;
  if (!value.IsArray() || value.Empty()) {
    reader.fail(path, "must be an array of at least one object {\"id\": …, \"extensions\": […]}");
    return languages;
  }
  for (const Value& item : value.GetArray()) {
    languages.push_back(read_language(reader, item, fmt::format("{}[{}]", path, languages.size())));
  }
  return languages;
}

std::vector<std::string> read_command(Reader& reader, const Value& value, const std::string& path) {
  std::vector<std::string> command =
      reader.strings(value, path, 1, has_no_nul, "strings, the program and its arguments, such as [\"zls\"]");
  // A relative path would be looked up in the folder that we stand in, which may be the project.
  if (!command.empty() && (command.front().empty() || (command.front().find('/') != std::string::npos &&
                                                       command.front().front() != '/')))
    reader.fail(path + "[0]", "must be the name of a program on the PATH, or an absolute path");
  return command;
}

UserServer read_server(Reader& reader, const Value& value, const std::string& path) {
  UserServer server;
  if (!reader.object(value, path,
                     {"name", "command", "languages", "root_markers", "initialization_options", "install",
                      "wait_for_progress"}))
    return server;
  if (value.FindMember("name") == value.MemberEnd()) reader.fail(path, "must have a name");
  for (const auto& member : value.GetObject()) {
    const std::string_view name = text_of(member.name);
    const Value& item = member.value;
    const std::string item_path = fmt::format("{}.{}", path, name);
    if (name == "name") {
      if (item.IsString() && is_server_name(text_of(item))) {
        server.name = text_of(item);
      } else {
        reader.fail(item_path, "must be a string of letters, digits and . _ + - @, not starting with -");
      }
    } else if (name == "command") {
      server.command = read_command(reader, item, item_path);
    } else if (name == "languages") {
      server.languages = read_languages(reader, item, item_path);
    } else if (name == "root_markers") {
      server.root_markers =
          reader.strings(item, item_path, 0, is_marker,
                         "names of files or folders, relative to the root, such as \"build.zig\"");
    } else if (name == "initialization_options") {
      if (item.IsObject()) {
        rapidjson::StringBuffer text;
        rapidjson::Writer writer(text);
        item.Accept(writer);
        server.initialization_options.emplace(text.GetString(), text.GetSize());
      } else {
        reader.fail(item_path, "must be an object, which is sent to the server as it stands");
      }
    } else if (name == "install") {
      if (item.IsString()) {
        server.install = text_of(item);
      } else {
        reader.fail(item_path, "must be a string that tells a person how to install the server");
      }
    } else if (name == "wait_for_progress") {
      if (item.IsBool()) {
        server.wait_for_progress = item.GetBool();
      } else {
        reader.fail(item_path, "must be true or false");
      }
    }
  }
  return server;
}

}  // namespace

fs::path user_servers_file() {
  const fs::path folder = files::UserFolders::from_environment().config;
  return folder.empty() ? fs::path() : folder / "symbols" / "servers.json";
}

Result<std::vector<UserServer>> parse_user_servers(std::string_view text, const std::string& file) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag |
                 rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  if (document.HasParseError()) {
    return Error{fmt::format("{}:{}: not JSON: {}", file, place_of(text, document.GetErrorOffset()),
                             rapidjson::GetParseError_En(document.GetParseError())),
                 "correct it there"};
  }
  if (const std::size_t offset = find_too_deep(text); offset != text.npos) {
    return Error{fmt::format("{}:{}: nested more than {} deep", file, place_of(text, offset), max_nesting),
                 "correct it there"};
  }

  Reader reader(file);
  std::vector<UserServer> servers;
  if (reader.object(document, "the whole", {"servers"})) {
    const auto list = document.FindMember("servers");
    if (list == document.MemberEnd() || !list->value.IsArray()) {
      reader.fail("servers",
                  "must be an array of objects {\"name\": …, \"command\": […], \"languages\": […]}");
    } else {
      for (const Value& item : list->value.GetArray()) {
        const std::string path = fmt::format("servers[{}]", servers.size());
        UserServer server = read_server(reader, item, path);
        for (const UserServer& other : servers) {
          if (other.name == server.name)
            reader.fail(path + ".name", fmt::format("\"{}\" is taken by an earlier one", server.name));
        }
        servers.push_back(std::move(server));
      }
    }
  }
  if (reader.error()) return *reader.error();
  return servers;
}

Result<std::vector<UserServer>> read_user_servers(const fs::path& file) {
  std::error_code error;
  // A folder that we may not look into is most often somebody else's home.
  if (!fs::exists(fs::symlink_status(file, error))) return std::vector<UserServer>{};
  const Result<std::string> text = files::read_regular_file(file.string(), max_file);
  if (!text) return text.error();
  return parse_user_servers(*text, file.string());
}

}  // namespace symbols::servers
