#include "proxy/servers/servers_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <variant>

#include "lsp/json/json_document.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

using lsp::text_of;
using rapidjson::Value;

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

bool is_extension(std::string_view text) {
  return text.size() > 1 && text.front() == '.' && text.find('/') == text.npos;
}
bool is_file_name(std::string_view text) {
  return !text.empty() && text.find('/') == text.npos;
}
bool is_marker(std::string_view text) {
  return !text.empty() && text.front() != '/';
}

// A name must be distinguishable from a command line in `--server`, and printable.
bool is_server_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return is_word(c) || std::string_view(".+-@").find(c) != std::string_view::npos;
  });
}

// In the order of ServerKind.
constexpr std::string_view kinds[] = {
    "plain", "clangd", "ccls", "native_typescript", "typescript_language_server", "rust_analyzer"};

// A member of a server's entry, and the field that it is read into; those without one are read by code.
struct Member {
  std::string_view name;
  bool is_for_users = true;
  std::variant<std::monostate, bool ServerSpec::*, std::string ServerSpec::*,
               std::vector<std::string> ServerSpec::*>
      field{};
  std::string_view what{};  // it must be, for a text or a list of texts; empty: a JSON object
  bool may_be_empty = true;
};

constexpr Member members[] = {
    {"name"},
    {"command"},
    {"languages"},
    {"root_markers"},
    {"initialization_options", true, &ServerSpec::initialization_options},
    {"install", true, &ServerSpec::install, "a string that says how to install the server"},
    {"wait_for_progress", true, &ServerSpec::wait_for_progress},
    {"versioned_diagnostics", true, &ServerSpec::versioned_diagnostics},
    {"answers_at_once", true, &ServerSpec::answers_at_once},
    // Without any the server itself would be started.
    {"version_arguments", true, &ServerSpec::version_arguments, "strings, such as \"--version\"", false},
    {"note"},
    {"kind", false},
    {"untrusted_options", false, &ServerSpec::untrusted_options},
    {"untrusted_environment", false, &ServerSpec::untrusted_environment, "strings NAME=VALUE"},
    {"runs_of_project", false, &ServerSpec::runs_of_project, "a string that follows \"it runs\""},
    {"told_of_changes", false, &ServerSpec::told_of_changes, "endings of names, such as \".go\""},
    {"package_marker", false, &ServerSpec::package_marker, "a string, the name of a file"},
    {"files_found_logs", false, &ServerSpec::files_found_logs, "beginnings of messages"},
    {"kept_caches", false, &ServerSpec::kept_caches, "names of variables"},
    {"workspace_markers", false},
    {"shared_memory", false, &ServerSpec::shared_memory},
};

// Reads values of one document; keeps the first error.
class Reader {
 public:
  // `built_in`: null for the built-in list itself.
  Reader(const std::string& file, const std::vector<ServerSpec>* built_in)
      : file_(file), built_in_(built_in) {}

  Result<std::vector<ServerSpec>> read(const Value& document) {
    std::vector<ServerSpec> servers;
    std::vector<std::string_view> known{"servers"};
    if (built_in_ == nullptr) known.insert(known.begin(), "languages");
    if (!check_object(document, "the whole", known)) return *error_;
    if (built_in_ == nullptr) {
      languages_ = read_languages(document["languages"], "languages");
    } else {
      for (const ServerSpec& server : *built_in_)
        languages_.insert(languages_.end(), server.languages.begin(), server.languages.end());
    }
    const Value* const list = lsp::member(document, "servers");
    if (list == nullptr || !list->IsArray()) {
      fail("servers", "must be an array of objects {\"name\": …, \"command\": […], \"languages\": […]}");
      return *error_;
    }
    for (const Value& item : list->GetArray()) {
      const std::string path = fmt::format("servers[{}]", servers.size());
      ServerSpec server = read_server(item, path);
      if (std::ranges::count(servers, server.name, &ServerSpec::name) > 0)
        fail(path + ".name", fmt::format("\"{}\" is taken by an earlier one", server.name));
      servers.push_back(std::move(server));
    }
    if (error_) return *error_;
    return servers;
  }

 private:
  void fail(const std::string& path, const std::string& what,
            const std::string& advice = "correct it there") {
    if (!error_) error_ = Error{fmt::format("{}: {}: {}", file_, path, what), advice};
  }

  // Whether `value` is an object with only the members `allowed`, and none of them twice.
  bool check_object(const Value& value, const std::string& path,
                    const std::vector<std::string_view>& allowed) {
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

  // An array of strings that have no NUL and satisfy `fits`; `allowed` describes them.
  std::vector<std::string> read_strings(const Value& value, const std::string& path, std::string_view allowed,
                                        bool (*fits)(std::string_view) = nullptr) {
    std::vector<std::string> list;
    if (!value.IsArray()) fail(path, fmt::format("must be an array of {}", allowed));
    for (const Value& item : lsp::elements_of(value)) {
      std::string text = text_of(item);
      if (!item.IsString() || text.find('\0') != text.npos || (fits && !fits(text))) {
        fail(fmt::format("{}[{}]", path, list.size()), fmt::format("must be one of {}", allowed));
        return list;
      }
      list.push_back(std::move(text));
    }
    return list;
  }

  Language read_language(const Value& value, const std::string& path) {
    Language language;
    if (!check_object(value, path, {"id", "extensions", "file_names", "interpreters", "note"}))
      return language;
    language.id = lsp::text_member(value, "id");
    if (language.id.empty()) fail(path + ".id", "must be a string, LSP's language id, such as \"zig\"");
    const auto list = [&](const char* name, bool (*fits)(std::string_view), std::string_view allowed) {
      const Value* const found = lsp::member(value, name);
      return found == nullptr ? std::vector<std::string>()
                              : read_strings(*found, path + "." + name, allowed, fits);
    };
    language.extensions = list("extensions", is_extension, "strings that start with a dot, such as \".zig\"");
    language.file_names =
        list("file_names", is_file_name, "file names without a folder, such as \"Makefile\"");
    language.interpreters = list("interpreters", is_file_name, "names of programs, such as \"python\"");
    if (language.extensions.empty() && language.file_names.empty())
      fail(path, "must have extensions or file_names, else it is the language of no file");
    return language;
  }

  std::vector<Language> read_languages(const Value& value, const std::string& path) {
    std::vector<Language> languages;
    if (!value.IsArray() || value.Empty()) {
      fail(path, "must be an array of at least one object {\"id\": …, \"extensions\": […]}");
      return languages;
    }
    for (const Value& item : value.GetArray()) {
      const std::string item_path = fmt::format("{}[{}]", path, languages.size());
      if (!item.IsString()) {
        languages.push_back(read_language(item, item_path));
        continue;
      }
      const auto named = std::ranges::find(languages_, text_of(item), &Language::id);
      if (named == languages_.end()) {
        fail(item_path, fmt::format("{} is not a language of the built-in list; give an object {{\"id\": …, "
                                    "\"extensions\": […]}}",
                                    table::quoted(text_of(item))));
        break;
      }
      languages.push_back(*named);
    }
    return languages;
  }

  std::vector<std::string> read_command(const Value& value, const std::string& path) {
    std::vector<std::string> command =
        read_strings(value, path, "strings, the program and its arguments, such as [\"zls\"]");
    // A relative path would be looked up in the current folder, which may be the project.
    if (command.empty() || (!command.front().starts_with('/') && !is_file_name(command.front())))
      fail(path + "[0]", "must be the name of a program on the PATH, or an absolute path");
    return command;
  }

  std::vector<std::string> read_markers(const Value& value, const std::string& path) {
    return read_strings(value, path, "names of files or folders, relative to the root, such as \"build.zig\"",
                        is_marker);
  }

  ServerSpec read_server(const Value& value, const std::string& path) {
    ServerSpec spec;
    std::vector<std::string_view> known;
    for (const Member& member : members) {
      if (built_in_ == nullptr || member.is_for_users) known.push_back(member.name);
    }
    if (!check_object(value, path, known)) return spec;
    const Value* const name = lsp::member(value, "name");
    if (name == nullptr) {
      fail(path, "must have a name");
    } else if (!name->IsString() || !is_server_name(text_of(*name))) {
      fail(path + ".name", "must be a string of letters, digits and . _ + - @, not starting with -");
    } else if (built_in_ != nullptr) {
      spec = start_of(text_of(*name), value, path);
    } else {
      spec.name = text_of(*name);
    }
    for (const auto& member : value.GetObject()) {
      const std::string member_name = text_of(member.name);
      read_member(spec, *std::ranges::find(members, member_name, &Member::name), member.value,
                  fmt::format("{}.{}", path, member_name));
    }
    if (spec.commands.empty() || spec.languages.empty()) {
      fail(fmt::format("server \"{}\"", spec.name),
           "must have command and languages, as no built-in server has that name",
           "correct it there; 'symbols servers' lists the built-in names");
    }
    return spec;
  }

  // The initial value of a user's entry called `name`: the built-in server of that name, and the settings
  // with which the program of the entry's own command is started safely, whatever the entry's name.
  ServerSpec start_of(const std::string& name, const Value& value, const std::string& path) {
    const auto same = std::ranges::find(*built_in_, name, &ServerSpec::name);
    const ServerSpec named = same == built_in_->end() ? ServerSpec{} : *same;
    ServerSpec spec = named;
    if (const Value* const given = lsp::member(value, "command")) {
      const std::vector<std::string> command = read_command(*given, path + ".command");
      if (error_) return spec;
      const std::string program = fs::path(command.front()).filename().string();
      if (const ServerSpec* alike = server_of_program(*built_in_, program)) {
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
      if (!item.IsBool()) fail(path, "must be true or false");
      spec.** flag = item.IsTrue();
    } else if (const auto* const list = std::get_if<std::vector<std::string> ServerSpec::*>(&member.field)) {
      spec.** list = read_strings(item, path, member.what);
      if ((spec.**list).empty() && !member.may_be_empty)
        fail(path, fmt::format("must be a non-empty array of {}", member.what));
    } else if (const auto* const text = std::get_if<std::string ServerSpec::*>(&member.field)) {
      const bool is_text = !member.what.empty();
      if (!(is_text ? item.IsString() : item.IsObject())) {
        fail(path,
             fmt::format("must be {}",
                         is_text ? member.what : "an object, which is sent to the server as it stands"));
      }
      spec.** text = is_text ? text_of(item) : json_of(item);
    } else if (member.name == "command" && built_in_ == nullptr) {
      const bool several = item.IsArray() && !item.Empty() && item[0].IsArray();
      for (const Value& command : several ? lsp::elements_of(item) : std::span(&item, 1))
        spec.commands.push_back(read_command(command, path));
    } else if (member.name == "languages") {
      spec.languages = read_languages(item, path);
    } else if (member.name == "root_markers") {
      spec.root_markers = {.workspace = {}, .project = read_markers(item, path)};
    } else if (member.name == "workspace_markers") {
      spec.root_markers.workspace = read_markers(item, path);
    } else if (member.name == "kind") {
      const auto* const kind = std::ranges::find(kinds, text_of(item));
      if (kind == std::end(kinds)) return fail(path, "is unknown");
      spec.kind = static_cast<ServerKind>(kind - kinds);
    }
  }

  const std::string& file_;
  const std::vector<ServerSpec>* built_in_;
  std::vector<Language> languages_{};  // those that may be given by their id
  std::optional<Error> error_{};
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
  return Reader(file, built_in).read(document);
}

}  // namespace symbols::servers
