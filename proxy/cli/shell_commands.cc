#include <memory>

#include "proxy/cli/command.h"
#include "proxy/cli/completion.h"

namespace symbols::cli {
namespace {

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

}  // namespace

Command add_completions(CLI::App& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const app =
      program.add_subcommand("completions", "Print the script that completes symbols in a shell");
  app->footer(completions_footer);
  app->add_option("SHELL", *shell, "bash, zsh or fish")->type_name("");
  return {app, [shell](const auto&) -> Result<CommandLine> {
            const Result<std::string> script = completion_script(*shell);
            if (!script) return script.error();
            return Finished{0, *script, ""};
          }};
}

}  // namespace symbols::cli
