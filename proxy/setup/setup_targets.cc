#include "proxy/setup/setup_targets.h"

#include <utility>

namespace symbols::setup {
namespace {

using Kind = SetupPiece::Kind;
using enum files::UserFolder;

constexpr JsonDialect strict = JsonDialect::strict;
constexpr JsonDialect with_comments = JsonDialect::with_comments;

SetupPiece json_piece(std::string_view source, SetupPlaces places, JsonDialect dialect = JsonDialect::strict,
                      std::vector<std::string_view> expands = {}) {
  return {.kind = SetupPiece::Kind::json,
          .source = source,
          .places = std::move(places),
          .dialect = dialect,
          .expands = std::move(expands)};
}

// Those of `symbols setup --mcp`: where each agent keeps its servers of the Model Context Protocol.
void add_mcp_targets(std::vector<SetupTarget>& targets) {
  const auto add = [&targets](std::string_view name, std::string_view title, SetupPiece piece,
                              std::string_view next = {}) {
    targets.push_back(
        {.name = name, .title = title, .is_mcp = true, .pieces = {std::move(piece)}, .next = next});
  };

  // The file for all projects, ~/.claude.json, is Claude Code's own state, which it writes all the time.
  add("claude-code", "Claude Code",
      json_piece("claude-code/mcp/.mcp.json", {{working, ".mcp.json"}}, strict, {"${"}),
      "start claude in that folder and accept the server; for all projects instead: claude mcp add --scope "
      "user symbols -- symbols mcp");

  add("codex", "Codex CLI",
      {.kind = Kind::by_hand, .source = "codex/config.toml", .places = {{home, ".codex/config.toml"}}});
  targets.back().add_command = "codex mcp add symbols --";

  // Both strip comments and replace $NAME and ${NAME}.
  add("gemini-cli", "Gemini CLI",
      json_piece("gemini-cli/settings.json", {{home, ".gemini/settings.json"}}, with_comments, {"$"}));
  add("qwen-code", "Qwen Code",
      json_piece("qwen-code/mcp.json", {{home, ".qwen/settings.json"}}, with_comments, {"$"}));

  add("copilot-cli", "GitHub Copilot CLI",
      json_piece("copilot-cli/mcp-config.json", {{home, ".copilot/mcp-config.json"}}, strict, {"${"}));

  add("opencode", "OpenCode",
      json_piece("opencode/mcp.json",
                 {{config, "opencode/opencode.json"},
                  {config, "opencode/opencode.jsonc"},
                  {config, "opencode/opencode.json"}},
                 with_comments, {"{env:", "{file:"}));

  // It expands commands and arguments as a shell does.
  add("crush", "Crush", json_piece("crush/mcp.json", {{config, "crush/crush.json"}}, strict, {"$"}));

  add("cursor", "Cursor", json_piece("cursor/mcp.json", {{home, ".cursor/mcp.json"}}, strict, {"${"}));

  add("vscode", "Visual Studio Code",
      json_piece("vscode/mcp.json", {{config, "Code/User/mcp.json"}}, with_comments, {"${"}),
      "for another build of VS Code, or for one project (.vscode/mcp.json), give the file with --to");

  add("zed", "Zed", json_piece("zed/mcp.json", {{config, "zed/settings.json"}}, with_comments));

  // Its own command, `goose configure`, asks at the terminal.
  add("goose", "Goose",
      {.kind = Kind::by_hand, .source = "goose/config.yaml", .places = {{config, "goose/config.yaml"}}});
}

std::vector<SetupTarget> make_targets() {
  std::vector<SetupTarget> targets;

  targets.push_back(
      {.name = "nvim",
       .title = "Neovim",
       // Sorted before plugin/symbols.lua, so it is loaded first.
       .pieces = {{.kind = Kind::folder, .source = "nvim/"},
                  {.kind = Kind::file, .source = "nvim/setup.lua", .path = "plugin/machine.lua"}},
       .own_folder = {{data, "nvim/site/pack/symbols/start/symbols"}},
       .next =
           "restart Neovim; :checkhealth symbols reports what is missing, :helptags ALL adds :help symbols"});

  targets.push_back(
      {.name = "vim",
       .title = "Vim",
       .pieces = {{.kind = Kind::folder, .source = "vim/"},
                  {.kind = Kind::file, .source = "vim/setup.vim", .path = "plugin/machine.vim"}},
       // Vim 9.1 reads ~/.config/vim if neither ~/.vim nor ~/.vimrc exists.
       .own_folder = {{home, ".vim/pack/symbols/start/symbols", ".vim"},
                      {home, ".vim/pack/symbols/start/symbols", ".vimrc"},
                      {config, "vim/pack/symbols/start/symbols", "vim/vimrc"},
                      {home, ".vim/pack/symbols/start/symbols"}},
       .next = "restart Vim; for ALE, enable it per filetype in the vimrc: "
               "let g:ale_linters = {'cpp': ['symbols']}"});

  targets.push_back(
      {.name = "emacs",
       .title = "Emacs, with Eglot or lsp-mode",
       .pieces = {{.kind = Kind::folder, .source = "emacs/"},
                  {.kind = Kind::lines,
                   .source = "emacs/setup.el",
                   .separator = " ",
                   .places = {{home, ".emacs.el"},
                              {home, ".emacs"},
                              {home, ".emacs.d/init.el", ".emacs.d"},
                              {config, "emacs/init.el", "emacs"},
                              {home, ".emacs.d/init.el"}},
                   .comment = ";;"}},
       .own_folder = {{data, "symbols/emacs"}},
       .next = "restart Emacs; M-x symbols-show shows the table of a buffer that Eglot or lsp-mode serves"});

  targets.push_back(
      {.name = "vscode",
       .title = "Visual Studio Code",
       .pieces = {json_piece("vscode/setup.json", {{config, "Code/User/settings.json"}}, with_comments)},
       .next = "install the extension: code --install-extension symbols.vsix (editors/vscode/README.md says "
               "how to build it); for another build of VS Code give its settings file with --to"});

  targets.push_back(
      {.name = "kate",
       .title = "Kate",
       .pieces = {json_piece("kate/settings.json", {{config, "kate/lspclient/settings.json"}})},
       .next = "enable Kate's plugin LSP Client and restart Kate; for the table: editors/kate/README.md"});

  // Not into ~/.config/kak/autoload: if that folder exists, Kakoune no longer loads its own scripts.
  targets.push_back({.name = "kakoune",
                     .title = "Kakoune",
                     .pieces = {{.kind = Kind::folder, .source = "kakoune/"},
                                {.kind = Kind::lines,
                                 .source = "kakoune/setup.kak",
                                 .quoting = Quoting::doubled,
                                 .places = {{config, "kak/kakrc"}},
                                 .comment = "#"}},
                     .own_folder = {{data, "symbols/kakoune"}},
                     .next = "restart Kakoune; :symbols shows the table of a file"});

  targets.push_back({.name = "helix",
                     .title = "Helix",
                     .pieces = {{.kind = Kind::lines,
                                 .source = "helix/languages.toml",
                                 .places = {{config, "helix/languages.toml"}},
                                 .comment = "#"}},
                     .next = "restart Helix"});

  targets.push_back(
      {.name = "sublime",
       .title = "Sublime Text, with its package LSP",
       .pieces = {json_piece("sublime/LSP.sublime-settings",
                             {{config, "sublime-text/Packages/User/LSP.sublime-settings"},
                              {config, "sublime-text-3/Packages/User/LSP.sublime-settings"},
                              {config, "sublime-text/Packages/User/LSP.sublime-settings"}},
                             with_comments, {"$"})},  // LSP replaces $home, $packages and others
       .next = "disable the packages LSP-clangd and LSP-typescript, so that no server runs twice"});

  targets.push_back(
      {.name = "zed",
       .title = "Zed",
       .pieces = {json_piece("zed/settings.json", {{config, "zed/settings.json"}}, with_comments)},
       .other_servers = false});

  targets.push_back(
      {.name = "codemirror",
       .title = "CodeMirror",
       .pieces = {},
       .next = "CodeMirror is a library and reads no configuration: the program that serves its language "
               "server starts `symbols proxy --format standard -- SERVER` in its place"});

  targets.push_back({.name = "opencode",
                     .title = "OpenCode",
                     .pieces = {json_piece("opencode/opencode.json",
                                           {{config, "opencode/opencode.json"},
                                            {config, "opencode/opencode.jsonc"},
                                            {config, "opencode/opencode.json"}},
                                           // It expands these to environment variables and files.
                                           with_comments, {"{env:", "{file:"})}});

  targets.push_back(
      {.name = "claude-code",
       .title = "Claude Code",
       .pieces = {{.kind = Kind::folder, .source = "claude-code/"},
                  {.kind = Kind::file, .source = "claude-code/.lsp.json", .path = ".lsp.json"},
                  {.kind = Kind::file, .source = "claude-code/table/.lsp.json", .path = "table/.lsp.json"},
                  {.kind = Kind::file, .source = "claude-code/mcp/.mcp.json", .path = "mcp/.mcp.json"}},
       .own_folder = {{data, "symbols/claude-code"}},
       .next = "add its plugins: claude plugin marketplace add FOLDER, then claude plugin install "
               "symbols-mcp@symbols for the tools, and symbols@symbols or symbols-table@symbols for the "
               "language servers"});
  for (SetupPiece& piece : targets.back().pieces) piece.expands = {"${"};

  targets.push_back(
      {.name = "copilot-cli",
       .title = "GitHub Copilot CLI",
       .pieces = {json_piece("copilot-cli/lsp-config.json", {{home, ".copilot/lsp-config.json"}})},
       .has_table = true});

  targets.push_back({.name = "crush",
                     .title = "Crush",
                     .pieces = {json_piece("crush/crush.json", {{config, "crush/crush.json"}})}});

  targets.push_back({.name = "cclsp",
                     .title = "cclsp",
                     .pieces = {json_piece("cclsp/cclsp.json", {{home, ".config/claude/cclsp.json"}})},
                     .next = "start cclsp with CCLSP_CONFIG_PATH set to that file"});

  targets.push_back({.name = "serena",
                     .title = "Serena",
                     .pieces = {{.kind = Kind::by_hand,
                                 .source = "serena/serena_config.yml",
                                 .places = {{home, ".serena/serena_config.yml"}}}},
                     .other_servers = false});

  // Started for one project, in its folder: the client's configuration is the project's.
  targets.push_back(
      {.name = "mcp-language-server",
       .title = "mcp-language-server",
       // Claude Code reads the same file.
       .pieces = {json_piece("mcp-language-server/mcp.json", {{working, ".mcp.json"}}, strict, {"${"})},
       .next = "Claude Code reads .mcp.json in a project; for another client give its file with --to"});

  targets.push_back(
      {.name = "oh-my-opencode",
       .title = "oh-my-opencode",
       .pieces = {json_piece("oh-my-opencode/lsp.json", {{config, "opencode/lsp.json"}}, with_comments)},
       .has_table = true});

  targets.push_back(
      {.name = "cli-lsp-client",
       .title = "cli-lsp-client",
       .pieces = {json_piece("cli-lsp-client/settings.json", {{config, "cli-lsp-client/settings.json"}})},
       .next = "stop its daemon, which still uses the old configuration: cli-lsp-client stop"});

  targets.push_back({.name = "qwen-code",
                     .title = "Qwen Code",
                     .pieces = {json_piece("qwen-code/.lsp.json", {{working, ".lsp.json"}})},
                     .has_table = true,
                     .next = "start it in that folder with --experimental-lsp"});
  add_mcp_targets(targets);
  return targets;
}

}  // namespace

const SetupPiece* SetupTarget::configuration() const {
  for (const SetupPiece& piece : pieces) {
    if (!piece.places.empty()) return &piece;
  }
  return nullptr;
}

const std::vector<SetupTarget>& setup_targets() {
  static const std::vector<SetupTarget> targets = make_targets();
  return targets;
}

const SetupTarget* setup_target(std::string_view name, bool mcp) {
  const SetupTarget* other = nullptr;
  for (const SetupTarget& target : setup_targets()) {
    if (target.name != name) continue;
    if (target.is_mcp == mcp) return &target;
    if (!mcp) other = &target;
  }
  return other;
}

std::string setup_words(const SetupTarget& target) {
  std::string words(target.name);
  if (target.is_mcp && setup_target(target.name) != &target) words += " --mcp";
  return words;
}

}  // namespace symbols::setup
