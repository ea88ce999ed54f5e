#include "proxy/servers/servers_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <variant>

#include "base/text.h"
#include "lsp/json/json_document.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

using rapidjson::Value;
namespace fs = std::filesystem;
using lsp::text_of;

std::string json_of(const Value& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  value.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

void overlay(Value& under, const Value& over, rapidjson::Document::AllocatorType& allocator) {
  for (const auto& member : over.GetObject()) {
    const auto found = under.FindMember(member.name);
    if (found == under.MemberEnd()) {
      under.AddMember(Value(member.name, allocator), Value(member.value, allocator), allocator);
    } else if (found->value.IsObject() && member.value.IsObject()) {
      overlay(found->value, member.value, allocator);
    } else {
      found->value.CopyFrom(member.value, allocator);
    }
  }
}

constexpr std::size_t max_file = std::size_t{1} << 20;
// Far more than any server's options need; bounded because writing JSON recurses.
constexpr int max_nesting = 64;

// Whether arrays and objects, `value` among them, are nested more than `depth` deep.
bool is_deeper(const Value& value, int depth) {
  const auto inner = [depth](const Value& one) { return is_deeper(one, depth - 1); };
  const auto inner_member = [&](const auto& member) { return inner(member.value); };
  if (!value.IsArray() && !value.IsObject()) return false;
  return depth == 0 || (value.IsArray() ? std::any_of(value.Begin(), value.End(), inner)
                                        : std::any_of(value.MemberBegin(), value.MemberEnd(), inner_member));
}

// Reads values of the document; keeps the first error.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  const std::optional<Error>& error() const { return error_; }

  void fail(const std::string& path, const std::string& what,
            const std::string& advice = "correct it there") {
    if (!error_) error_ = Error{fmt::format("{}: {}: {}", file_, path, what), advice};
  }

  // Whether `value` is an object with only the members `allowed`, and none of them twice.
  bool object(const Value& value, const std::string& path, const std::vector<std::string_view>& allowed) {
    if (!value.IsObject()) {
      fail(path, fmt::format("must be an object with the members {}", fmt::join(allowed, ", ")));
      return false;
    }
    std::set<std::string> seen;
    for (const auto& member : value.GetObject()) {
      const std::string name = text_of(member.name);
      if (std::ranges::find(allowed, name) == allowed.end()) {
        fail(path, fmt::format("has an unknown member {}; known are {}", table::quoted(name),
                               fmt::join(allowed, ", ")));
      } else if (!seen.insert(name).second) {
        fail(path, fmt::format("has two members {}; one is allowed", table::quoted(name)));
      }
    }
    return !error_;
  }

  // An array of strings that each satisfy `fits`; `allowed` describes them.
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

// A name must be distinguishable from a command line in `--server`, and printable.
bool is_server_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return is_word(c) || std::string_view(".+-@").find(c) != std::string_view::npos;
  });
}

Language read_language(Reader& reader, const Value& value, const std::string& path) {
  Language language;
  if (!reader.object(value, path, {"id", "extensions", "file_names", "interpreters", "note"}))
    return language;
  language.id = lsp::text_member(value, "id");
  if (language.id.empty()) reader.fail(path + ".id", "must be a string, LSP's language id, such as \"zig\"");
  const auto list = [&](const char* name, bool (*fits)(std::string_view), std::string_view allowed) {
    const auto found = value.FindMember(name);
    if (found == value.MemberEnd()) return std::vector<std::string>{};
    return reader.strings(found->value, path + "." + name, 0, fits, allowed);
  };
  language.extensions = list("extensions", is_extension, "strings that start with a dot, such as \".zig\"");
  language.file_names = list("file_names", is_file_name, "file names without a folder, such as \"Makefile\"");
  language.interpreters = list("interpreters", is_file_name, "names of programs, such as \"python\"");
  if (language.extensions.empty() && language.file_names.empty())
    reader.fail(path, "must have extensions or file_names, else it is the language of no file");
  return language;
}

// `known`: those that may be given by their id.
std::vector<Language> read_languages(Reader& reader, const Value& value, const std::string& path,
                                     const std::vector<Language>& known) {
  std::vector<Language> languages;
  if (!value.IsArray() || value.Empty()) {
    reader.fail(path, "must be an array of at least one object {\"id\": …, \"extensions\": […]}");
    return languages;
  }
  for (const Value& item : value.GetArray()) {
    const std::string item_path = fmt::format("{}[{}]", path, languages.size());
    if (!item.IsString()) {
      languages.push_back(read_language(reader, item, item_path));
      continue;
    }
    const auto named = std::ranges::find(known, text_of(item), &Language::id);
    if (named == known.end()) {
      reader.fail(item_path,
                  fmt::format("{} is not a language of the built-in list; give an object {{\"id\": …, "
                              "\"extensions\": […]}}",
                              table::quoted(text_of(item))));
      break;
    }
    languages.push_back(*named);
  }
  return languages;
}

std::vector<std::string> read_command(Reader& reader, const Value& value, const std::string& path) {
  std::vector<std::string> command =
      reader.strings(value, path, 1, has_no_nul, "strings, the program and its arguments, such as [\"zls\"]");
  // A relative path would be looked up in the current folder, which may be the project.
  if (!command.empty() && (command.front().empty() || (command.front().find('/') != std::string::npos &&
                                                       command.front().front() != '/')))
    reader.fail(path + "[0]", "must be the name of a program on the PATH, or an absolute path");
  return command;
}

constexpr std::pair<std::string_view, ServerKind> kinds[] = {
    {"clangd", ServerKind::clangd},
    {"ccls", ServerKind::ccls},
    {"native_typescript", ServerKind::native_typescript},
    {"typescript_language_server", ServerKind::typescript_language_server},
    {"rust_analyzer", ServerKind::rust_analyzer}};

enum class Whose { everybody, built_in };

// A member of a server's entry, and the field that it is read into; those without one are read by code.
struct Member {
  std::string_view name;
  Whose whose = Whose::everybody;
  std::variant<std::monostate, bool ServerSpec::*, std::string ServerSpec::*,
               std::vector<std::string> ServerSpec::*>
      field{};
  std::string_view what{};   // it must be, for a text or a list of texts; empty: a JSON object
  std::size_t at_least = 0;  // texts in a list
};

constexpr Member members[] = {
    {"name"},
    {"command"},
    {"languages"},
    {"root_markers"},
    {"initialization_options", Whose::everybody, &ServerSpec::initialization_options},
    {"install", Whose::everybody, &ServerSpec::install, "a string that says how to install the server"},
    {"wait_for_progress", Whose::everybody, &ServerSpec::wait_for_progress},
    {"answers_at_once", Whose::everybody, &ServerSpec::answers_at_once},
    {"version_arguments", Whose::everybody, &ServerSpec::version_arguments, "strings, such as \"--version\"",
     1},
    {"note"},
    {"kind", Whose::built_in},
    {"untrusted_options", Whose::built_in, &ServerSpec::untrusted_options},
    {"untrusted_environment", Whose::built_in, &ServerSpec::untrusted_environment, "strings NAME=VALUE"},
    {"runs_of_project", Whose::built_in, &ServerSpec::runs_of_project, "a string that follows \"it runs\""},
    {"told_of_changes", Whose::built_in, &ServerSpec::told_of_changes, "endings of names, such as \".go\""},
    {"package_marker", Whose::built_in, &ServerSpec::package_marker, "a string, the name of a file"},
    {"files_found_logs", Whose::built_in, &ServerSpec::files_found_logs, "beginnings of messages"},
    {"workspace_markers", Whose::built_in},
    {"shared_memory", Whose::built_in, &ServerSpec::shared_memory},
};

// Reads the members of a server's entry into `spec`, which already holds the values of omitted members.
struct ServerReader {
  Reader& reader;
  const std::vector<Language>& languages;   // those that may be given by their id
  const std::vector<ServerSpec>* built_in;  // null: this is that list

  ServerSpec read(const Value& value, const std::string& path) {
    ServerSpec spec;
    std::vector<std::string_view> known;
    for (const Member& member : members) {
      if (built_in == nullptr || member.whose == Whose::everybody) known.push_back(member.name);
    }
    if (!reader.object(value, path, known)) return spec;
    const auto name = value.FindMember("name");
    if (name == value.MemberEnd()) {
      reader.fail(path, "must have a name");
    } else if (!name->value.IsString() || !is_server_name(text_of(name->value))) {
      reader.fail(path + ".name", "must be a string of letters, digits and . _ + - @, not starting with -");
    } else if (built_in != nullptr) {
      spec = start_of(text_of(name->value), value, path);
    } else {
      spec.name = text_of(name->value);
    }
    for (const auto& member : value.GetObject()) {
      const std::string member_name = text_of(member.name);
      read_member(spec, *std::ranges::find(members, member_name, &Member::name), member.value,
                  fmt::format("{}.{}", path, member_name));
    }
    if (spec.commands.empty() || spec.languages.empty()) {
      reader.fail(fmt::format("server \"{}\"", spec.name),
                  "must have command and languages, as no built-in server has that name",
                  "correct it there; 'symbols servers' lists the built-in names");
    }
    return spec;
  }

 private:
  // The initial value of a user's entry called `name`: the built-in server of that name, and the settings
  // with which the program of the entry's own command is started safely, whatever the entry's name.
  ServerSpec start_of(const std::string& name, const Value& value, const std::string& path) {
    const auto same = std::ranges::find(*built_in, name, &ServerSpec::name);
    const ServerSpec named = same == built_in->end() ? ServerSpec{} : *same;
    ServerSpec spec = named;
    if (const auto given = value.FindMember("command"); given != value.MemberEnd()) {
      const std::vector<std::string> command = read_command(reader, given->value, path + ".command");
      if (reader.error()) return spec;
      const std::string program = fs::path(command.front()).filename().string();
      if (const ServerSpec* alike = server_of_program(*built_in, program)) {
        spec = *alike;
        spec.languages = named.languages;
        spec.root_markers.project = named.root_markers.project;
        spec.initialization_options = named.initialization_options;
        spec.install = named.install;
      }
      spec.commands = {command};
      spec.command_from_user = true;
    }
    spec.name = name;
    spec.from_user = true;
    return spec;
  }

  void read_member(ServerSpec& spec, const Member& member, const Value& item, const std::string& path) {
    if (const auto* const flag = std::get_if<bool ServerSpec::*>(&member.field)) {
      if (!item.IsBool()) reader.fail(path, "must be true or false");
      spec.** flag = item.IsTrue();
    } else if (const auto* const list = std::get_if<std::vector<std::string> ServerSpec::*>(&member.field)) {
      spec.** list = reader.strings(item, path, member.at_least, has_no_nul, member.what);
    } else if (const auto* const text = std::get_if<std::string ServerSpec::*>(&member.field)) {
      if (member.what.empty()) {
        if (!item.IsObject())
          reader.fail(path, "must be an object, which is sent to the server as it stands");
        spec.** text = json_of(item);
      } else {
        if (!item.IsString()) reader.fail(path, fmt::format("must be {}", member.what));
        spec.** text = text_of(item);
      }
    } else if (member.name == "command" && built_in == nullptr) {
      const bool several = item.IsArray() && !item.Empty() && item[0].IsArray();
      if (!several) spec.commands.push_back(read_command(reader, item, path));
      for (rapidjson::SizeType i = 0; several && i < item.Size(); ++i)
        spec.commands.push_back(read_command(reader, item[i], path));
    } else if (member.name == "languages") {
      spec.languages = read_languages(reader, item, path, languages);
    } else if (member.name == "root_markers") {
      spec.root_markers = {.workspace = {}, .project = read_markers(item, path)};
    } else if (member.name == "workspace_markers") {
      spec.root_markers.workspace = read_markers(item, path);
    } else if (member.name == "kind") {
      const auto* const kind =
          std::ranges::find(kinds, text_of(item), &std::pair<std::string_view, ServerKind>::first);
      if (kind == std::end(kinds)) return reader.fail(path, "is unknown");
      spec.kind = kind->second;
    }
  }

  std::vector<std::string> read_markers(const Value& item, const std::string& path) {
    return reader.strings(item, path, 0, is_marker,
                          "names of files or folders, relative to the root, such as \"build.zig\"");
  }
};

}  // namespace

const std::vector<ServerSpec>& known_servers() {
  static const std::vector<ServerSpec> servers =
      parse_servers(servers_json().front().text, "servers.json", nullptr).value();  // a test reads it
  return servers;
}

const ServerSpec* server_of_program(const std::vector<ServerSpec>& servers, std::string_view name) {
  const std::size_t dash = name.rfind('-');
  const bool versioned = dash != name.npos && dash + 1 < name.size() &&
                         name.find_first_not_of("0123456789", dash + 1) == name.npos;
  for (const std::string_view wanted : {name, versioned ? name.substr(0, dash) : name}) {
    for (const ServerSpec& spec : servers) {
      for (const std::vector<std::string>& command : spec.commands) {
        const std::string_view program = command.front();
        if (program.substr(program.rfind('/') + 1) == wanted) return &spec;
      }
    }
  }
  return nullptr;
}

std::string overlay_json(std::string_view base, std::string_view over) {
  Result<rapidjson::Document> under = lsp::parse_json(base);
  Result<rapidjson::Document> upper = lsp::parse_json(over);
  if (!upper || !upper->IsObject()) return std::string(under && under->IsObject() ? base : "");
  if (!under || !under->IsObject()) return std::string(over);
  overlay(*under, *upper, under->GetAllocator());
  return json_of(*under);
}

fs::path user_servers_file() {
  const fs::path folder = files::UserFolders::from_environment().config;
  return folder.empty() ? fs::path() : folder / "symbols" / "servers.json";
}

Result<std::vector<ServerSpec>> parse_servers(std::string_view text, const std::string& file,
                                              const std::vector<ServerSpec>* built_in) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(text.data(),
                                                                                         text.size());
  if (document.HasParseError()) {
    return Error{fmt::format("{}:{}: not JSON: {}", file, files::text_place(text, document.GetErrorOffset()),
                             rapidjson::GetParseError_En(document.GetParseError())),
                 "correct it there"};
  }
  if (is_deeper(document, max_nesting))
    return Error{fmt::format("{}: nested more than {} deep", file, max_nesting), "correct it there"};

  Reader reader(file);
  std::vector<ServerSpec> servers;
  if (!reader.object(document, "the whole",
                     built_in ? std::vector<std::string_view>{"servers"}
                              : std::vector<std::string_view>{"languages", "servers"}))
    return *reader.error();
  std::vector<Language> languages;
  if (built_in == nullptr) {
    languages = read_languages(reader, document["languages"], "languages", {});
  } else {
    for (const ServerSpec& server : *built_in)
      languages.insert(languages.end(), server.languages.begin(), server.languages.end());
  }
  const auto list = document.FindMember("servers");
  if (list == document.MemberEnd() || !list->value.IsArray()) {
    reader.fail("servers", "must be an array of objects {\"name\": …, \"command\": […], \"languages\": […]}");
    return *reader.error();
  }
  ServerReader server_reader{reader, languages, built_in};
  for (const Value& item : list->value.GetArray()) {
    const std::string path = fmt::format("servers[{}]", servers.size());
    ServerSpec server = server_reader.read(item, path);
    if (std::ranges::count(servers, server.name, &ServerSpec::name) > 0)
      reader.fail(path + ".name", fmt::format("\"{}\" is taken by an earlier one", server.name));
    servers.push_back(std::move(server));
  }
  if (reader.error()) return *reader.error();
  return servers;
}

Result<std::vector<ServerSpec>> read_user_servers(const fs::path& file,
                                                  const std::vector<ServerSpec>& built_in) {
  std::error_code error;
  // A folder that we may not read is usually another user's home.
  if (!fs::exists(fs::symlink_status(file, error))) return std::vector<ServerSpec>{};
  const Result<std::string> text = files::read_regular_file(file.string(), max_file);
  if (!text) return text.error();
  return parse_servers(*text, file.string(), &built_in);
}

}  // namespace symbols::servers
