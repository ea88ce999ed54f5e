#include "proxy/setup/setup_targets.h"

#include <utility>

namespace symbols::setup {
namespace {

using Kind = SetupPiece::Kind;
using enum files::UserFolder;

constexpr JsonDialect with_comments = JsonDialect::with_comments;

std::vector<SetupTarget> make_targets() {
  std::vector<SetupTarget> targets;

  targets.push_back(
      {.name = "nvim",
       .title = "Neovim",
       .pieces = {{.kind = Kind::folder, .source = "nvim/"},
                  // Sorted before plugin/symbols.lua, so it is loaded first.
                  {.kind = Kind::file,
                   .source = "nvim/setup.lua",
                   .path = "plugin/machine.lua",
                   .has_places = true}},
       .own_folder = {data, "nvim/site/pack/symbols/start/symbols"},
       .next =
           "restart Neovim; :checkhealth symbols reports what is missing, :helptags ALL adds :help symbols"});

  targets.push_back({.name = "vim",
                     .title = "Vim",
                     .pieces = {{.kind = Kind::folder, .source = "vim/"},
                                {.kind = Kind::file,
                                 .source = "vim/setup.vim",
                                 .path = "plugin/machine.vim",
                                 .has_places = true}},
                     .own_folder = {home, ".vim/pack/symbols/start/symbols"},
                     // Vim 9.1 reads the third if neither of the others exists.
                     .other_folders = {{home, ".vim/pack/symbols/start/symbols", ".vim"},
                                       {home, ".vim/pack/symbols/start/symbols", ".vimrc"},
                                       {config, "vim/pack/symbols/start/symbols", "vim/vimrc"}},
                     .next = "restart Vim; for ALE, enable it per filetype in the vimrc: "
                             "let g:ale_linters = {'cpp': ['symbols']}"});

  const SetupPiece init{.kind = Kind::lines,
                        .source = "emacs/setup.el",
                        .has_places = true,
                        .separator = " ",
                        .places = {{home, ".emacs.el"},
                                   {home, ".emacs"},
                                   {home, ".emacs.d/init.el", ".emacs.d"},
                                   {config, "emacs/init.el", "emacs"}},
                        .usual = 2,
                        .comment = ";;"};
  targets.push_back(
      {.name = "emacs",
       .title = "Emacs, with Eglot or lsp-mode",
       .pieces = {{.kind = Kind::file, .source = "emacs/symbols.el", .path = "symbols.el"}, init},
       .own_folder = {data, "symbols/emacs"},
       .next = "restart Emacs; M-x symbols-show shows the table of a buffer that Eglot or lsp-mode serves"});

  SetupPiece code = json_piece(
      "vscode/setup.json", {{config, "Code/User/settings.json"}},
      {{.name = "symbols.path"}, {.name = "symbols.servers", .element_key = "languages"}}, with_comments);
  code.has_places = true;
  targets.push_back(
      {.name = "vscode",
       .title = "Visual Studio Code",
       .pieces = {code},
       .next = "install the extension: code --install-extension symbols.vsix (editors/vscode/README.md says "
               "how to build it); for another build of VS Code give its settings file with --to"});

  targets.push_back(
      {.name = "kate",
       .title = "Kate",
       .pieces = {json_piece("kate/settings.json", {{config, "kate/lspclient/settings.json"}},
                             {{.name = "servers", .depth = 2}})},
       .next = "enable Kate's plugin LSP Client and restart Kate; for the table: editors/kate/README.md"});

  const SetupPiece kakrc{.kind = Kind::lines,
                         .source = "kakoune/setup.kak",
                         .has_places = true,
                         .quoting = Quoting::doubled,
                         .places = {{config, "kak/kakrc"}},
                         .comment = "#"};
  // Not into ~/.config/kak/autoload: if that folder exists, Kakoune no longer loads its own scripts.
  targets.push_back(
      {.name = "kakoune",
       .title = "Kakoune",
       .pieces = {{.kind = Kind::file, .source = "kakoune/symbols.kak", .path = "symbols.kak"}, kakrc},
       .own_folder = {data, "symbols/kakoune"},
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
                              {config, "sublime-text-3/Packages/User/LSP.sublime-settings"}},
                             {{.name = "clients", .depth = 2}}, with_comments,
                             {"$"})},  // LSP replaces $home, $packages and others
       .next = "disable the packages LSP-clangd and LSP-typescript, so that no server runs twice"});

  targets.push_back({.name = "zed",
                     .title = "Zed",
                     .pieces = {json_piece("zed/settings.json", {{config, "zed/settings.json"}},
                                           {{.name = "lsp", .depth = 3}, {.name = "languages", .depth = 2}},
                                           with_comments)},
                     .other_servers = false});

  targets.push_back(
      {.name = "codemirror",
       .title = "CodeMirror",
       .pieces = {},
       .next = "CodeMirror is a library and reads no configuration: the program that serves its language "
               "server starts `symbols proxy --format standard -- SERVER` in its place"});

  targets.push_back(
      {.name = "opencode",
       .title = "OpenCode",
       .pieces = {json_piece("opencode/opencode.json",
                             {{config, "opencode/opencode.json"}, {config, "opencode/opencode.jsonc"}},
                             {{.name = "$schema", .only_if_absent = true}, {.name = "lsp", .depth = 2}},
                             // It expands these to environment variables and files.
                             with_comments, {"{env:", "{file:"})}});

  targets.push_back(
      {.name = "claude-code",
       .title = "Claude Code",
       .pieces =
           {{.kind = Kind::folder, .source = "claude-code/"},
            {.kind = Kind::file, .source = "claude-code/.lsp.json", .path = ".lsp.json", .comment = "//"},
            {.kind = Kind::file,
             .source = "claude-code/table/.lsp.json",
             .path = "table/.lsp.json",
             .comment = "//"},
            {.kind = Kind::file,
             .source = "claude-code/mcp/.mcp.json",
             .path = "mcp/.mcp.json",
             .comment = "//"}},
       .own_folder = {data, "symbols/claude-code"},
       .next = "add its plugins: claude plugin marketplace add FOLDER, then claude plugin install "
               "symbols-mcp@symbols for the tools, and symbols@symbols or symbols-table@symbols for the "
               "language servers"});

  for (SetupPiece& piece : targets.back().pieces) piece.expands = {"${"};

  targets.push_back(
      {.name = "copilot-cli",
       .title = "GitHub Copilot CLI",
       .pieces = {json_piece("copilot-cli/lsp-config.json", {{home, ".copilot/lsp-config.json"}},
                             {{.name = "lspServers", .depth = 3}})},
       .has_table = true});

  targets.push_back(
      {.name = "crush",
       .title = "Crush",
       .pieces = {json_piece("crush/crush.json", {{config, "crush/crush.json"}},
                             {{.name = "$schema", .only_if_absent = true}, {.name = "lsp", .depth = 2}})}});

  targets.push_back({.name = "cclsp",
                     .title = "cclsp",
                     .pieces = {json_piece("cclsp/cclsp.json", {{home, ".config/claude/cclsp.json"}},
                                           {{.name = "servers", .element_key = "extensions"}})},
                     .next = "start cclsp with CCLSP_CONFIG_PATH set to that file"});

  targets.push_back({.name = "serena",
                     .title = "Serena",
                     .pieces = {{.kind = Kind::by_hand,
                                 .source = "serena/serena_config.yml",
                                 .places = {{home, ".serena/serena_config.yml"}},
                                 .comment = "#"}},
                     .other_servers = false});

  // Started for one project, in its folder: the client's configuration is the project's.
  targets.push_back(
      {.name = "mcp-language-server",
       .title = "mcp-language-server",
       .pieces = {json_piece("mcp-language-server/mcp.json", {{working, ".mcp.json"}},
                             {{.name = "mcpServers", .depth = 2}}, JsonDialect::strict,
                             {"${"})},  // Claude Code reads the same file
       .next = "Claude Code reads .mcp.json in a project; for another client give its file with --to"});

  targets.push_back({.name = "oh-my-opencode",
                     .title = "oh-my-opencode",
                     .pieces = {json_piece("oh-my-opencode/lsp.json", {{config, "opencode/lsp.json"}},
                                           {{.name = "lsp", .depth = 2}}, with_comments)},
                     .has_table = true});

  targets.push_back(
      {.name = "cli-lsp-client",
       .title = "cli-lsp-client",
       .pieces = {json_piece("cli-lsp-client/settings.json", {{config, "cli-lsp-client/settings.json"}},
                             {{.name = "servers", .element_key = "id"},
                              {.name = "languageExtensions", .depth = 1},
                              {.name = "updateBehavior", .only_if_absent = true}})},
       .next = "stop its daemon, which still uses the old configuration: cli-lsp-client stop"});

  targets.push_back(
      {.name = "qwen-code",
       .title = "Qwen Code",
       .pieces = {json_piece("qwen-code/.lsp.json", {{working, ".lsp.json"}},
                             {{.name = "clangd", .depth = 2}, {.name = "typescript", .depth = 2}})},
       .has_table = true,
       .next = "start it in that folder with --experimental-lsp"});
  for (SetupTarget& target : mcp_targets()) targets.push_back(std::move(target));
  return targets;
}

}  // namespace

SetupPiece json_piece(std::string_view source, std::vector<SetupPlace> places,
                      std::vector<SetupMember> members, JsonDialect dialect,
                      std::vector<std::string_view> expands) {
  return {.kind = SetupPiece::Kind::json,
          .source = source,
          .places = std::move(places),
          .dialect = dialect,
          .members = std::move(members),
          .expands = std::move(expands),
          .comment = "//"};
}

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
