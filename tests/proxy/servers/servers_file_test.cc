#include "proxy/servers/servers_file.h"

#include <doctest/doctest.h>

#include <utility>

#include "tests/proxy/temporary_folder.h"

namespace symbols::servers {
namespace servers_file_test {

TEST_CASE("one JSON object laid over another") {
  struct Case {
    const char* base;
    const char* over;
    const char* result;
  };
  const Case cases[] = {
      {"", "", ""},
      {R"({"a":1})", "", R"({"a":1})"},
      {"", R"({"a":1})", R"({"a":1})"},
      {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
      {R"({"a":1})", R"({"a":2})", R"({"a":2})"},
      {R"({"a":{"b":1,"c":{"d":1}}})", R"({"a":{"c":{"e":2},"f":3}})",
       R"({"a":{"b":1,"c":{"d":1,"e":2},"f":3}})"},
      {R"({"a":{"b":1}})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"({"a":[1]})", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
      {R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
      // Of several of one name the last one counts.
      {R"({"a":{"b":1,"c":1}})", R"({"a":{"b":2},"a":{"b":3}})", R"({"a":{"b":3,"c":1}})"},
      {R"({"a":1})", "null", R"({"a":1})"},
      {"[]", R"({"a":1})", R"({"a":1})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.base);
    CAPTURE(c.over);
    CHECK(overlay_json(c.base, c.over) == c.result);
  }
}

// A user's servers, where one called "a" is built in.
Result<std::vector<ServerSpec>> parse_user_servers(std::string_view text) {
  ServerSpec built_in;
  built_in.name = "a";
  built_in.commands = {{"a-server"}};
  built_in.languages = {{"a", {".a"}, {}, {}}};
  const std::vector<ServerSpec> all{built_in};
  return parse_servers(text, "f", &all);
}

TEST_CASE("every member of servers.json is read") {
  const auto servers = parse_user_servers(R"({"servers": [{"name": "zls", "command": ["zls", "--x"],
      "languages": [{"id": "zig", "extensions": [".zig", ".zon"], "file_names": ["build"],
                     "interpreters": ["zig"]}, "a"],
      "root_markers": ["build.zig"], "initialization_options": {"b": [0, -7, 18446744073709551615, 0.1, 2.5e300]},
      "install": "somehow",
      "wait_for_progress": true, "answers_at_once": true, "version_arguments": ["version"], "note": "why"}]})");
  REQUIRE(servers.has_value());
  REQUIRE(servers->size() == 1);
  const ServerSpec& zls = servers->front();
  CHECK(zls.name == "zls");
  CHECK(zls.commands == std::vector<std::vector<std::string>>{{"zls", "--x"}});
  CHECK(zls.languages ==
        std::vector<Language>{{"zig", {".zig", ".zon"}, {"build"}, {"zig"}}, {"a", {".a"}, {}, {}}});
  CHECK(zls.root_markers.project == std::vector<std::string>{"build.zig"});
  CHECK(zls.initialization_options == R"({"b":[0,-7,18446744073709551615,0.1,2.5e300]})");
  CHECK(zls.install == "somehow");
  CHECK(zls.wait_for_progress);
  CHECK(zls.answers_at_once);
  CHECK(zls.version_arguments == std::vector<std::string>{"version"});
  CHECK(parse_user_servers(R"({"servers": []})")->empty());
}

// `entry` as the only server.
std::string whole(const std::string& entry) {
  return R"({"servers": [)" + entry + "]}";
}

TEST_CASE("a mistake in servers.json is reported with its place and what is allowed there") {
  const std::string members =
      "name, command, languages, root_markers, initialization_options, install, wait_for_progress, "
      "versioned_diagnostics, answers_at_once, version_arguments, note";
  const std::pair<std::string, std::string> cases[] = {
      {"", "f:1:1: not JSON: The document is empty."},
      {"{\n  \"servers\": [\n    {\"name\": zls}\n", "f:3:14: not JSON: Invalid value."},
      {"{\"servers\": []} x", "f:1:17: not JSON: The document root must not be followed by other values."},
      {"{\"servers\": [\"\xff\"]}", "f:1:15: not JSON: Invalid encoding in string."},
      {"[]", "f: the whole: must be an object with the members servers"},
      {"{}", "f: servers: must be an array of objects {\"name\": …, \"command\": […], \"languages\": […]}"},
      {R"({"server": []})", "f: the whole: has an unknown member \"server\"; known are servers"},
      {R"({"servers": [], "servers": []})", "f: the whole: has two members \"servers\"; one is allowed"},
      {whole("1"), "f: servers[0]: must be an object with the members " + members},
      {whole(R"({"command": ["x"]})"), "f: servers[0]: must have a name"},
      {whole(R"({"name": "a b"})"),
       "f: servers[0].name: must be a string of letters, digits and . _ + - @, not starting with -"},
      {whole(R"({"name": "a", "comand": []})"),
       "f: servers[0]: has an unknown member \"comand\"; known are " + members},
      {whole(R"({"name": "a", "command": "a"})"),
       "f: servers[0].command: must be an array of strings, the program and its arguments, such as "
       "[\"zls\"]"},
      {whole(R"({"name": "a", "command": []})"),
       "f: servers[0].command[0]: must be the name of a program on the PATH, or an absolute path"},
      {whole(R"({"name": "a", "command": ["bin/a"]})"),
       "f: servers[0].command[0]: must be the name of a program on the PATH, or an absolute path"},
      {whole(R"({"name": "a", "command": ["a"], "version_arguments": []})"),
       "f: servers[0].version_arguments: must be a non-empty array of strings, such as \"--version\""},
      {whole(R"({"name": "a", "languages": []})"),
       "f: servers[0].languages: must be an array of at least one object {\"id\": …, \"extensions\": […]}"},
      {whole(R"({"name": "a", "languages": [{"extensions": [".a"]}]})"),
       "f: servers[0].languages[0].id: must be a string, LSP's language id, such as \"zig\""},
      {whole(R"({"name": "a", "languages": [{"id": "a"}]})"),
       "f: servers[0].languages[0]: must have extensions or file_names, else it is the language of no file"},
      {whole(R"({"name": "a", "languages": [{"id": "a", "extensions": [".a", "b"]}]})"),
       "f: servers[0].languages[0].extensions[1]: must be one of strings that start with a dot, such as "
       "\".zig\""},
      {whole(R"({"name": "a", "languages": [{"id": "a", "file_names": ["b/c"]}]})"),
       "f: servers[0].languages[0].file_names[0]: must be one of file names without a folder, such as "
       "\"Makefile\""},
      {whole(R"({"name": "a", "root_markers": ["/etc"]})"),
       "f: servers[0].root_markers[0]: must be one of names of files or folders, relative to the root, such "
       "as \"build.zig\""},
      {whole(R"({"name": "a", "initialization_options": []})"),
       "f: servers[0].initialization_options: must be an object, which is sent to the server as it stands"},
      {whole(R"({"name": "a", "install": 1})"),
       "f: servers[0].install: must be a string that says how to install the server"},
      {whole(R"({"name": "a", "wait_for_progress": "yes"})"),
       "f: servers[0].wait_for_progress: must be true or false"},
      {whole(R"({"name": "a", "languages": ["b"]})"),
       "f: servers[0].languages[0]: \"b\" is not a language of the built-in list; give an object {\"id\": …, "
       "\"extensions\": […]}"},
      // A user's entry cannot remove what keeps a server from running what is in a project.
      {whole(R"({"name": "a", "runs_of_project": ""})"),
       "f: servers[0]: has an unknown member \"runs_of_project\"; known are " + members},
      {whole(R"({"name": "zls2", "command": ["zls"]})"),
       "f: server \"zls2\": must have command and languages, as no built-in server has that name"},
      {whole(R"({"name": "a"}, {"name": "a"})"), "f: servers[1].name: \"a\" is taken by an earlier one"},
  };
  for (const auto& [text, message] : cases) {
    CAPTURE(text);
    const auto servers = parse_user_servers(text);
    REQUIRE(servers.has_error());
    CHECK(servers.error().message == message);
  }
}

TEST_CASE("nesting costs no stack") {
  const std::string deep(1000000, '[');
  const std::string closed = deep + std::string(1000000, ']');
  CHECK(parse_user_servers(deep).error().message.starts_with("f:1:1000001: not JSON"));
  CHECK(parse_user_servers(whole(R"({"name":"a","initialization_options":{"x":)" + closed + "}}"))
            .error()
            .message.ends_with("nested more than 64 deep"));
  const std::string fits = std::string(60, '[') + R"("\"]]")" + std::string(60, ']');
  CHECK(parse_user_servers(whole(R"({"name":"a","initialization_options":{"x":)" + fits + "}}")).has_value());
}

TEST_CASE("servers.json is in the user's configuration folder, never in the current one") {
  struct Case {
    const char* xdg;
    const char* home;
    const char* file;
  };
  const Case cases[] = {
      {"/x", "/h", "/x/symbols/servers.json"},
      {nullptr, "/h", "/h/.config/symbols/servers.json"},
      {"", "/h", "/h/.config/symbols/servers.json"},
      {"relative", "/h", "/h/.config/symbols/servers.json"},
      {".", ".", ""},
      {nullptr, "relative", ""},
      {nullptr, "", ""},
      {nullptr, nullptr, ""},
  };
  for (const Case& c : cases) {
    const Variable xdg("XDG_CONFIG_HOME", c.xdg);
    const Variable home("HOME", c.home);
    CHECK(user_servers_file() == c.file);
  }
}

}  // namespace servers_file_test
}  // namespace symbols::servers
