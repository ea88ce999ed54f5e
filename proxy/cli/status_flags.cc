#include "proxy/cli/command.h"
#include "proxy/cli/completion.h"

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

constexpr const char* completions_footer = R"(
The packages install these scripts where the shells look for them. Otherwise:

  bash    symbols completions bash >~/.local/share/bash-completion/completions/symbols
          (without the package bash-completion: source that file in ~/.bashrc)
  zsh     symbols completions zsh >DIR/_symbols, in a folder of $fpath
  fish    symbols completions fish >~/.config/fish/completions/symbols.fish

Examples:
  source <(symbols completions bash)      for this shell alone
  symbols completions fish | source

Exit status: 0 printed; 2 wrong command line.)";

Result<CommandLine> read_servers(const Given& given) {
  return settings::ServersArguments{.trust_project = given.has("--trust-project")};
}

Result<CommandLine> read_config(const Given& given) {
  return settings::ConfigArguments{.path = given.argument(0, "."),
                                   .json = given.answers.format == table::Format::json};
}

Result<CommandLine> read_doctor(const Given& given) {
  settings::DoctorArguments doctor{.folder = given.argument(0, "."),
                                   .json = given.answers.format == table::Format::json,
                                   .trust_project = given.has("--trust-project"),
                                   .confine = given.answers.confine};
  doctor.timeout = given.answers.timeout.value_or(doctor.timeout);
  return doctor;
}

Result<CommandLine> read_warm(const Given& given) {
  return settings::WarmArguments{.stop = given.has("--stop"), .serve = given.text("--serve")};
}

Result<CommandLine> read_completions(const Given& given) {
  const Result<std::string> script = completion_script(given.argument(0));
  if (!script) return script.error();
  return Finished{0, *script, ""};
}

}  // namespace

const Command servers_command = {
    .name = "servers",
    .taker = options::takers::servers,
    .summary = "List language servers:\nthose found with their versions, and how to install the others",
    .usage = "[OPTIONS]",
    .footer = servers_footer,
    .read = read_servers};

const Command config_command = {
    .name = "config",
    .taker = options::takers::config,
    .summary = "List the settings and where each comes from",
    .usage = "[PATH] [OPTIONS]",
    .footer = config_footer,
    .read = read_config,
    .arguments = {{{"PATH", "List the settings for this file or folder (default: this folder)"}}},
    .max_arguments = 1};

const Command doctor_command = {.name = "doctor",
                                .taker = options::takers::doctor,
                                .summary = "Find what is broken or slow, and what to do about it",
                                .usage = "[DIR] [OPTIONS]",
                                .footer = doctor_footer,
                                .read = read_doctor,
                                .arguments = {{{"DIR", "A project's folder (default: this one)"}}},
                                .max_arguments = 1};

const Command warm_command = {.name = "warm",
                              .taker = options::takers::warm,
                              .summary = "List or stop the servers that --warm keeps",
                              .usage = "[--stop]",
                              .footer = warm_footer,
                              .read = read_warm};

const Command completions_command = {.name = "completions",
                                     .taker = options::takers::completions,
                                     .summary = "Print the script that completes symbols in a shell",
                                     .usage = "SHELL",
                                     .footer = completions_footer,
                                     .read = read_completions,
                                     .arguments = {{{"SHELL", "bash, zsh or fish"}}},
                                     .max_arguments = 1};

}  // namespace symbols::cli
