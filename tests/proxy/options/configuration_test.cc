#include "proxy/options/configuration.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace symbols::options {
namespace configuration_test {

using options::AnswerOptions;
using options::ColourUse;

Result<AnswerOptions> settings_of(const std::string& config, std::uint32_t scope = options::takers::user) {
  const Result<GivenSettings> settings = settings_of_text(config, "c.json", scope);
  if (!settings) return settings.error();
  return settings->options;
}

TEST_CASE("settings: what a configuration file may hold") {
  struct Case {
    std::string config;
    AnswerOptions settings;
  };
  const std::vector<Case> cases{
      {"{}", {}},
      {" \n{ }\n", {}},
      {R"({"format": "tree"})", {.format = table::Format::tree}},
      {R"({"format": "standard"})", {.format = table::Format::json}},
      {R"({"format": "pretty", "color": "never"})",
       {.format = table::Format::pretty, .color = ColourUse::never}},
      {R"({"form\u0061t": "ts\u0076"})", {.format = table::Format::tsv}},
      {R"({"format": null, "color": "auto"})", {.color = ColourUse::automatic}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config);
    const Result<AnswerOptions> settings = settings_of(c.config);
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
  std::string changes;
  for (int i = 0; i < 501; ++i) changes += R"("a","!b",)";
  const std::vector<Case> cases{
      {"", "c.json:1:1: not JSON: The document is empty"},
      {"{\"ignore\": [" + changes + "\"a\"]}", "c.json:1:2: ignore cannot be "},
      {"{\"format\": \"tree\",}", "c.json:1:19: not JSON: "},
      {"{} {}", "c.json:1:4: not JSON: "},
      {"{\"format\": \"\xFF\"}", "c.json:1:13: not JSON: Invalid encoding"},
      {"\n  \"tree\"", "c.json:2:3: must be an object"},
      {"{\n \"format\": \"xml\"}",
       "c.json:2:2: format cannot be \"xml\"; give table, tree, outline, tsv, toon, packed, json, standard, "
       "ndjson or pretty"},
      {"{\"color\": true}", "c.json:1:2: color cannot be \"true\"; give auto, always or never"},
      {"{\"ignore\": 5}", "c.json:1:2: ignore cannot be \"5\"; give a list of patterns"},
      {"{\"server\": \"evil --stdio\"}", "c.json:1:2: there is no setting \"server\""},
      {"{\n \"formt\": \"tree\"}",
       "c.json:2:2: there is no setting \"formt\" (did you mean format?); the settings are format, color, "
       "warm, children, hover, verbosity, fold, ends, fields, sort, kind_names, max_tokens, tokenizer, "
       "ignore, hover_chars, timeout, confine, server_memory, warm_servers, warm_memory, warm_idle, "
       "project_settings"},
      {"{\"format\": [\"tree\"]}", "c.json:1:2: format cannot be \"[\\\"tree\\\"]\""},
      {"{\"server_memory\": 1048577}", "c.json:1:2: server_memory cannot be \"1048577\""},
      {"{\"color\": \"always\", \"color\": \"never\"}", "c.json:1:21: \"color\" is given twice"},
      {"{\"hover\": null, \"include_hover\": true}", "c.json:1:17: \"include_hover\" is given twice"},
      {"{\"format\": \"tree\",\n\"colour\": 1}", "c.json:2:1: there is no setting \"colour\""},
      {"{\"a\\u001b[2J\": 1}", "c.json:1:2: there is no setting \"a\\x1B[2J\""},
      {std::string(100'000, '['), "c.json:1:100001: not JSON: "},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config.substr(0, 60));
    const Result<AnswerOptions> settings = settings_of(c.config);
    REQUIRE(settings.has_error());
    CHECK(settings.error().text().substr(0, c.message.size()) == c.message);
  }
}

TEST_CASE("settings: an answer's options are settings, and a project may not set what is not its business") {
  const Result<AnswerOptions> users =
      settings_of(R"({"max_tokens": 900, "verbosity": "minimal", "timeout_ms": 5,
      "ignore": ["vendor/", "*.min.js"], "return_children": 2, "warm": true})");
  REQUIRE(users.has_value());
  CHECK(users->max_tokens == 900);
  CHECK(users->verbosity == table::Verbosity::minimal);
  CHECK(users->ignore == std::vector<std::string>{"vendor/", "*.min.js"});
  for (const options::Option& setting : options::all_options()) {
    if (!setting.is_for(options::takers::user)) continue;
    const std::string name = options::json_name(setting.name);
    CAPTURE(name);
    const std::string member = "{\n \"" + name + "\": null}";
    const Result<AnswerOptions> projects = settings_of(member, options::takers::project);
    CHECK(projects.has_value() == setting.is_for(options::takers::project));
    if (!projects) CHECK(projects.error().message == "c.json:2:2: " + name + " cannot be set by a project");
    CHECK(settings_of(member).has_value());
  }
  for (const char* const forbidden :
       {"server", "servers", "trust_project", "root", "include", "log", "carrier"}) {
    CAPTURE(forbidden);
    const std::string member = "{\"" + std::string(forbidden) + "\": 1}";
    CHECK(settings_of(member, options::takers::project).has_error());
    CHECK(settings_of(member).has_error());
  }
}

}  // namespace configuration_test
}  // namespace symbols::options
