#include <memory>

#include "proxy/cli/command.h"
#include "proxy/cli/common_flags.h"

namespace symbols::cli {
namespace {

constexpr const char* servers_footer = R"(
Your own servers: ~/.config/symbols/servers.json, see docs/servers.md.

Examples:
  symbols servers
  symbols -s pyright src/app.py           use one of them by its name

Exit status: 0 listed; 1 servers.json is wrong; 2 wrong command line.)";

constexpr const char* config_footer = R"(
Settings come from the environment, the project's .symbols.json and ~/.config/symbols/config.json;
see docs/configuration.md.

Examples:
  symbols config
  symbols config src -f json              the settings that apply to src
  SYMBOLS_FORMAT=tree symbols config

Exit status: 0 listed; 1 a file or a variable is wrong; 2 wrong command line.)";

constexpr const char* doctor_footer = R"(
Each finding is ok, note, slow or broken, and says how to fix it. One file of each language is tried with a real
server. The configurations of editors and agents are read, and the programs that they name are asked for their version.

Examples:
  symbols doctor
  symbols doctor src -t 60s               for servers that are slow to load
  symbols doctor -f json                  for programs

Exit status: 0 nothing is broken; 1 something is; 2 wrong command line.)";

constexpr const char* warm_footer = R"(
Examples:
  symbols --warm src/app.ts               keeps its server for ten minutes
  symbols warm                            list them
  symbols warm --stop

Exit status: 0 listed or stopped; 1 the background process does not answer; 2 wrong command line.)";

// --format of what is listed: whether it is json.
class ListFormat {
 public:
  void add_to(CLI::App& app) {
    app.add_option("-f,--format", format_, "table (default) or json")->type_name("FORMAT");
  }
  Result<bool> is_json() const {
    if (format_ == "table" || format_ == "json") return format_ == "json";
    return options::OptionValue::of_text("--format", format_).error("table or json");
  }

 private:
  std::string format_ = "table";
};

struct ConfigFlags {
  settings::ConfigArguments config{};
  ListFormat format{};
};

struct DoctorFlags {
  settings::DoctorArguments doctor{};
  ListFormat format{};
  AnswerFlags answers{};
};

}  // namespace

Command add_servers(CLI::App& program) {
  const auto servers = std::make_shared<settings::ServersArguments>();
  CLI::App* const app = program.add_subcommand(
      "servers", "List language servers:\nthose found with their versions, and how to install the others");
  app->footer(servers_footer);
  app->add_flag("--trust-project", servers->trust_project,
                "Include servers inside the project of this folder");
  return {app, [servers](const auto&) { return *servers; }};
}

Command add_config(CLI::App& program) {
  const auto flags = std::make_shared<ConfigFlags>();
  CLI::App* const app = program.add_subcommand("config", "List the settings and where each comes from");
  app->footer(config_footer);
  app->add_option("PATH", flags->config.path,
                  "List the settings for this file or folder (default: this folder)")
      ->type_name("");
  flags->format.add_to(*app);
  return {app, [flags](const auto&) -> Result<CommandLine> {
            const Result<bool> json = flags->format.is_json();
            if (!json) return json.error();
            flags->config.json = *json;
            return flags->config;
          }};
}

Command add_doctor(CLI::App& program) {
  const auto flags = std::make_shared<DoctorFlags>();
  settings::DoctorArguments& doctor = flags->doctor;
  CLI::App* const app =
      program.add_subcommand("doctor", "Find what is broken or slow, and what to do about it");
  app->footer(doctor_footer);
  app->add_option("DIR", doctor.folder, "A project's folder (default: this one)")->type_name("");
  flags->format.add_to(*app);
  flags->answers.add_to(*app, AnswerFlags::Use::doctor);
  add_trust_flags(*app, "Let servers run code of the project, as with symbols --trust-project",
                  doctor.trust_project, doctor.confine);
  return {app, [flags](const auto&) -> Result<CommandLine> {
            const Result<bool> json = flags->format.is_json();
            if (!json) return json.error();
            flags->doctor.json = *json;
            const Result<options::AnswerOptions> answers = flags->answers.read();
            if (!answers) return answers.error();
            flags->doctor.timeout = answers->timeout.value_or(flags->doctor.timeout);
            return flags->doctor;
          }};
}

Command add_warm(CLI::App& program) {
  const auto warm = std::make_shared<settings::WarmArguments>();
  CLI::App* const app = program.add_subcommand("warm", "List or stop the servers that --warm keeps");
  app->footer(warm_footer);
  app->add_flag("--stop", warm->stop, "Stop them all");
  app->add_option("--serve", warm->serve)->group("");
  return {app, [warm](const auto&) { return *warm; }};
}

}  // namespace symbols::cli
