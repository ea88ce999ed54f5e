#include "proxy/cli/server_flags.h"

#include <cstdint>

namespace symbols::cli {

CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm) {
  return app.add_flag(
      "-w,--warm,!--no-warm", is_warm,
      "Keep the servers running,\nso that the next calls take milliseconds (see symbols warm)");
}

void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine) {
  app.add_flag("--trust-project", trust_project, trusting);
  // Not as a value: CLI11 would set that to false where neither is given.
  app.add_flag_function(
      "--confine,!--no-confine", [&confine](std::int64_t times) { confine = times > 0; },
      "--confine: let the kernel keep servers from the network, and from writing outside of a folder of "
      "their own; --no-confine: do not (default: --confine; with --trust-project: --no-confine)");
}

void add_server_flags(CLI::App& app, settings::DumpArguments& document) {
  app.add_option("-l,--language", document.inputs.language,
                 "Language id (typescript, cpp, ...),\ninstead of the one that the file's name implies")
      ->type_name("ID");
  app.add_option("-s,--server", document.inputs.server, "A name from 'symbols servers', or a command line")
      ->type_name("SERVER");
  app.add_option("-r,--root", document.inputs.root,
                 "Project root,\ninstead of the nearest folder with a project file or .git")
      ->type_name("DIR");
  app.add_option("--log", document.log, "Write the LSP traffic to this file")->type_name("FILE");
  add_trust_flags(app, trust_help, document.inputs.trust_project, document.inputs.confine);
}

}  // namespace symbols::cli
