#include "proxy/cli/settings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "proxy/cli/config_file.h"

namespace symbols::cli {
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
      {R"({"format": "pretty", "color": "never"})", {table::Format::pretty, ColourUse::never}},
      {R"({"form\u0061t": "ts\u0076"})", {.format = table::Format::tsv}},
      {R"({"format": null, "color": "auto"})", {.color = ColourUse::automatic}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config);
    const Result<Settings> settings = settings_of(c.config);
    REQUIRE(settings.has_value());
    CHECK(*settings == c.settings);
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
  const Settings environment{table::Format::tsv, ColourUse::never};
  const Settings config{table::Format::toon, ColourUse::always};
  CHECK(flags.over(environment.over(config)) == Settings{table::Format::tree, ColourUse::never});
  CHECK(Settings().over(Settings().over(config)) == config);
}

}  // namespace
}  // namespace symbols::cli
