#include "proxy/settings/settings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "proxy/settings/config_file.h"

namespace symbols::settings {
namespace {

Result<Settings> settings_of(const std::string& config) {
  const Result<std::vector<ConfigMember>> members = parse_config(config, "c.json");
  if (!members) return members.error();
  return settings_of_config(*members);
}

TEST_CASE("settings: what a configuration file may hold") {
  struct Case {
    std::string config;
    Settings settings;
  };
  const std::vector<Case> cases{
      {"{}", {}},
      {" \n{ }\n", {}},
      {R"({"format": "tree"})", {.format = table::Format::tree}},
      {R"({"format": "standard"})", {.format = table::Format::json}},
      {R"({"format": "pretty", "color": "never"})", {table::Format::pretty, terminal::ColourUse::never}},
      {R"({"form\u0061t": "ts\u0076"})", {.format = table::Format::tsv}},
      {R"({"format": null, "color": "auto"})", {.color = terminal::ColourUse::automatic}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config);
    const Result<Settings> settings = settings_of(c.config);
    REQUIRE(settings.has_value());
    CHECK(settings->format == c.settings.format);
    CHECK(settings->color == c.settings.color);
  }
}

TEST_CASE("settings: what is wrong in a configuration file, and where") {
  struct Case {
    std::string config;
    std::string message;  // its beginning
  };
  const std::vector<Case> cases{
      {"", "c.json:1:1: not JSON: The document is empty"},
      {"{\"format\": \"tree\",}", "c.json:1:19: not JSON: "},
      {"{} {}", "c.json:1:4: not JSON: "},
      {"{\"format\": \"\xFF\"}", "c.json:1:13: not JSON: Invalid encoding"},
      {"\n  \"tree\"", "c.json:2:3: must be an object"},
      {"{\n \"format\": \"xml\"}", "c.json:2:2: format cannot be \"xml\""},
      {"{\"format\": [\"tree\"]}", "c.json:1:2: format cannot be \"[\\\"tree\\\"]\""},
      {"{\"server_memory\": 1048577}", "c.json:1:2: server_memory cannot be \"1048577\""},
      {"{\"color\": \"always\", \"color\": \"never\"}", "c.json:1:21: \"color\" is given twice"},
      {"{\"format\": \"tree\",\n\"colour\": 1}", "c.json:2:1: there is no setting \"colour\""},
      {"{\"a\\u001b[2J\": 1}", "c.json:1:2: there is no setting \"a\\x1B[2J\""},
      {std::string(100'000, '['), "c.json:1:100001: not JSON: "},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config.substr(0, 60));
    const Result<Settings> settings = settings_of(c.config);
    REQUIRE(settings.has_error());
    CHECK(settings.error().message.substr(0, c.message.size()) == c.message);
  }
}

TEST_CASE("settings: the first that has one counts") {
  const Settings flags{.format = table::Format::tree};
  const Settings environment{table::Format::tsv, terminal::ColourUse::never};
  const Settings config{table::Format::toon, terminal::ColourUse::always};
  const Settings all = flags.over(environment.over(config));
  CHECK(all.format == table::Format::tree);
  CHECK(all.color == terminal::ColourUse::never);
  const Settings same = Settings().over(Settings().over(config));
  CHECK(same.format == config.format);
  CHECK(same.color == config.color);
}

TEST_CASE("settings: an answer's options are settings, and a project may not set what is not its business") {
  const Result<Settings> users = settings_of(R"({"max_tokens": 900, "verbosity": "minimal", "timeout_ms": 5,
      "ignore": ["vendor/", "*.min.js"], "return_children": 2, "warm": true})");
  REQUIRE(users.has_value());
  CHECK(users->answers.max_tokens == 900);
  CHECK(users->answers.verbosity == table::Verbosity::minimal);
  CHECK(users->ignore == std::vector<std::string>{"vendor/", "*.min.js"});
  for (const Setting& setting : all_settings()) {
    CAPTURE(setting.name);
    const std::string member = "{\n \"" + std::string(setting.name) + "\": null}";
    const Result<std::vector<ConfigMember>> members = parse_config(member, "p.json");
    REQUIRE(members.has_value());
    const Result<Settings> projects = settings_of_config(*members, SettingScope::project);
    CHECK(projects.has_value() == (setting.scope == SettingScope::project));
    if (!projects)
      CHECK(projects.error().message ==
            "p.json:2:2: " + std::string(setting.name) + " cannot be set by a project");
    CHECK(settings_of_config(*members).has_value());
  }
  for (const char* const forbidden :
       {"server", "servers", "trust_project", "root", "include", "log", "carrier"}) {
    CAPTURE(forbidden);
    const Result<std::vector<ConfigMember>> members =
        parse_config("{\"" + std::string(forbidden) + "\": 1}", "p.json");
    REQUIRE(members.has_value());
    CHECK(settings_of_config(*members, SettingScope::project).has_error());
    CHECK(settings_of_config(*members).has_error());
  }
  CHECK(variable_of("max_tokens") == "SYMBOLS_MAX_TOKENS");
}

}  // namespace
}  // namespace symbols::settings
