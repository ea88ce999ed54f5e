#include "proxy/setup/setup_targets.h"

#include <algorithm>
#include <utility>

namespace symbols::setup {
namespace {

using Kind = SetupPiece::Kind;
using enum files::UserFolder;

constexpr JsonDialect strict = JsonDialect::strict;
constexpr JsonDialect with_comments = JsonDialect::with_comments;
constexpr StringForm in_braces{.expands = "${"};

SetupPiece json_piece(std::string_view source, SetupPlaces places, JsonDialect dialect = JsonDialect::strict,
                      std::string_view expands = {}) {
  return {.kind = SetupPiece::Kind::json,
          .source = source,
          .strings = {.expands = expands},
          .places = std::move(places),
          .dialect = dialect};
}

SetupPiece opencode_piece(std::string_view source) {
  return json_piece(source,
                    {{config, "opencode/opencode.json"},
                     {config, "opencode/opencode.jsonc"},
                     {config, "opencode/opencode.json"}},
                    // It expands these to environment variables and files.
                    with_comments, "{env: {file:");
}

SetupTarget mcp_target(std::string_view name, SetupPiece piece, std::string_view next = {}) {
  return {.name = name, .is_mcp = true, .pieces = {std::move(piece)}, .next = next};
}

}  // namespace

const std::vector<SetupTarget>& setup_targets() {
  static const std::vector<SetupTarget> targets = {
      {.name = "nvim",
       // Sorted before plugin/symbols.lua, so it is loaded first.
       .pieces = {{.kind = Kind::folder, .source = "nvim/"},
                  {.kind = Kind::file, .source = "nvim/setup.lua", .path = "plugin/machine.lua"}},
       .own_folder = {{data, "nvim/site/pack/symbols/start/symbols"}},
       .next =
           "restart Neovim; :checkhealth symbols reports what is missing, :helptags ALL adds :help symbols"},

      {.name = "vim",
       .pieces = {{.kind = Kind::folder, .source = "vim/"},
                  {.kind = Kind::file, .source = "vim/setup.vim", .path = "plugin/machine.vim"}},
       // Vim 9.1 reads ~/.config/vim if neither ~/.vim nor ~/.vimrc exists.
       .own_folder = {{home, ".vim/pack/symbols/start/symbols", ".vim"},
                      {home, ".vim/pack/symbols/start/symbols", ".vimrc"},
                      {config, "vim/pack/symbols/start/symbols", "vim/vimrc"},
                      {home, ".vim/pack/symbols/start/symbols"}},
       .next = "restart Vim; for ALE, enable it per filetype in the vimrc: "
               "let g:ale_linters = {'cpp': ['symbols']}"},

      {.name = "emacs",
       .pieces = {{.kind = Kind::folder, .source = "emacs/"},
                  {.kind = Kind::lines,
                   .source = "emacs/setup.el",
                   .strings = {.separator = " "},
                   .places = {{home, ".emacs.el"},
                              {home, ".emacs"},
                              {home, ".emacs.d/init.el", ".emacs.d"},
                              {config, "emacs/init.el", "emacs"},
                              {home, ".emacs.d/init.el"}},
                   .comment = ";;"}},
       .own_folder = {{data, "symbols/emacs"}},
       .next = "restart Emacs; M-x symbols-show shows the table of a buffer that Eglot or lsp-mode serves"},

      {.name = "vscode",
       .pieces = {json_piece("vscode/setup.json", {{config, "Code/User/settings.json"}}, with_comments)},
       .next = "install the extension: code --install-extension symbols.vsix (editors/vscode/README.md says "
               "how to build it); for another build of VS Code give its settings file with --to"},

      {.name = "kate",
       .pieces = {json_piece("kate/settings.json", {{config, "kate/lspclient/settings.json"}})},
       .next = "enable Kate's plugin LSP Client and restart Kate; for the table: editors/kate/README.md"},

      // Not into ~/.config/kak/autoload: if that folder exists, Kakoune no longer loads its own scripts.
      {.name = "kakoune",
       .pieces = {{.kind = Kind::folder, .source = "kakoune/"},
                  {.kind = Kind::lines,
                   .source = "kakoune/setup.kak",
                   .strings = {.is_doubled = true},
                   .places = {{config, "kak/kakrc"}},
                   .comment = "#"}},
       .own_folder = {{data, "symbols/kakoune"}},
       .next = "restart Kakoune; :symbols shows the table of a file"},

      {.name = "helix",
       .pieces = {{.kind = Kind::lines,
                   .source = "helix/languages.toml",
                   .places = {{config, "helix/languages.toml"}},
                   .comment = "#"}},
       .next = "restart Helix"},

      {.name = "sublime",
       .pieces = {json_piece("sublime/LSP.sublime-settings",
                             {{config, "sublime-text/Packages/User/LSP.sublime-settings"},
                              {config, "sublime-text-3/Packages/User/LSP.sublime-settings"},
                              {config, "sublime-text/Packages/User/LSP.sublime-settings"}},
                             with_comments, "$")},  // LSP replaces $home, $packages and others
       .next = "disable the packages LSP-clangd and LSP-typescript, so that no server runs twice"},

      {.name = "zed",
       .pieces = {json_piece("zed/settings.json", {{config, "zed/settings.json"}}, with_comments)},
       .other_servers = false},

      {.name = "codemirror",
       .pieces = {},
       .next = "CodeMirror is a library and reads no configuration: the program that serves its language "
               "server starts `symbols proxy --format standard -- SERVER` in its place"},

      {.name = "opencode", .pieces = {opencode_piece("opencode/opencode.json")}},

      {.name = "claude-code",
       .pieces = {{.kind = Kind::folder, .source = "claude-code/"},
                  {.kind = Kind::file, .source = "claude-code/.lsp.json", .strings = in_braces},
                  {.kind = Kind::file, .source = "claude-code/table/.lsp.json", .strings = in_braces},
                  {.kind = Kind::file, .source = "claude-code/mcp/.mcp.json", .strings = in_braces}},
       .own_folder = {{data, "symbols/claude-code"}},
       .next = "add its plugins: claude plugin marketplace add FOLDER, then claude plugin install "
               "symbols-mcp@symbols for the tools, and symbols@symbols or symbols-table@symbols for the "
               "language servers"},

      {.name = "copilot-cli",
       .pieces = {json_piece("copilot-cli/lsp-config.json", {{home, ".copilot/lsp-config.json"}})},
       .has_table = true},

      {.name = "crush", .pieces = {json_piece("crush/crush.json", {{config, "crush/crush.json"}})}},

      {.name = "cclsp",
       .pieces = {json_piece("cclsp/cclsp.json", {{home, ".config/claude/cclsp.json"}})},
       .next = "start cclsp with CCLSP_CONFIG_PATH set to that file"},

      {.name = "serena",
       .pieces = {{.kind = Kind::by_hand,
                   .source = "serena/serena_config.yml",
                   .places = {{home, ".serena/serena_config.yml"}}}},
       .other_servers = false},

      // Started for one project, in its folder: the client's configuration is the project's.
      {.name = "mcp-language-server",
       // Claude Code reads the same file.
       .pieces = {json_piece("mcp-language-server/mcp.json", {{working, ".mcp.json"}}, strict, "${")},
       .next = "Claude Code reads .mcp.json in a project; for another client give its file with --to"},

      {.name = "oh-my-opencode",
       .pieces = {json_piece("oh-my-opencode/lsp.json", {{config, "opencode/lsp.json"}}, with_comments)},
       .has_table = true},

      {.name = "cli-lsp-client",
       .pieces = {json_piece("cli-lsp-client/settings.json", {{config, "cli-lsp-client/settings.json"}})},
       .next = "stop its daemon, which still uses the old configuration: cli-lsp-client stop"},

      {.name = "qwen-code",
       .pieces = {json_piece("qwen-code/.lsp.json", {{working, ".lsp.json"}})},
       .has_table = true,
       .next = "start it in that folder with --experimental-lsp"},

      // Tools: where each agent keeps its servers of the Model Context Protocol.

      // The file for all projects, ~/.claude.json, is Claude Code's own state, which it writes all the time.
      mcp_target("claude-code",
                 json_piece("claude-code/mcp/.mcp.json", {{working, ".mcp.json"}}, strict, "${"),
                 "start claude in that folder and accept the server; for all projects instead: claude mcp "
                 "add --scope user symbols -- symbols mcp"),

      {.name = "codex",
       .is_mcp = true,
       .pieces = {{.kind = Kind::by_hand,
                   .source = "codex/config.toml",
                   .places = {{home, ".codex/config.toml"}}}},
       .add_command = "codex mcp add symbols --"},

      // Both strip comments and replace $NAME and ${NAME}.
      mcp_target("gemini-cli", json_piece("gemini-cli/settings.json", {{home, ".gemini/settings.json"}},
                                          with_comments, "$")),
      mcp_target("qwen-code",
                 json_piece("qwen-code/mcp.json", {{home, ".qwen/settings.json"}}, with_comments, "$")),

      mcp_target("copilot-cli", json_piece("copilot-cli/mcp-config.json",
                                           {{home, ".copilot/mcp-config.json"}}, strict, "${")),

      mcp_target("opencode", opencode_piece("opencode/mcp.json")),

      // It expands commands and arguments as a shell does.
      mcp_target("crush", json_piece("crush/mcp.json", {{config, "crush/crush.json"}}, strict, "$")),

      mcp_target("cursor", json_piece("cursor/mcp.json", {{home, ".cursor/mcp.json"}}, strict, "${")),

      mcp_target(
          "vscode", json_piece("vscode/mcp.json", {{config, "Code/User/mcp.json"}}, with_comments, "${"),
          "for another build of VS Code, or for one project (.vscode/mcp.json), give the file with --to"),

      mcp_target("zed", json_piece("zed/mcp.json", {{config, "zed/settings.json"}}, with_comments)),

      // Its own command, `goose configure`, asks at the terminal.
      mcp_target(
          "goose",
          {.kind = Kind::by_hand, .source = "goose/config.yaml", .places = {{config, "goose/config.yaml"}}}),
  };
  return targets;
}

const EditorFile* editor_file(std::string_view name) {
  const auto found = std::ranges::find(editor_files(), name, &EditorFile::name);
  return found == editor_files().end() ? nullptr : &*found;
}

const SetupPiece* SetupTarget::configuration() const {
  for (const SetupPiece& piece : pieces) {
    if (!piece.places.empty()) return &piece;
  }
  return nullptr;
}

const SetupTarget* setup_target(std::string_view name, bool mcp) {
  const SetupTarget* found = nullptr;
  for (const SetupTarget& target : setup_targets()) {
    if (target.name == name && (target.is_mcp == mcp || (found == nullptr && !mcp))) found = &target;
  }
  return found;
}

std::string setup_words(const SetupTarget& target) {
  std::string words(target.name);
  if (target.is_mcp && setup_target(target.name) != &target) words += " --mcp";
  return words;
}

}  // namespace symbols::setup
