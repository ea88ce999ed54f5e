#include <utility>

#include "proxy/setup/setup_targets.h"

namespace symbols::setup {
namespace {

using Kind = SetupPiece::Kind;
using enum files::UserFolder;

constexpr JsonDialect commented_json = JsonDialect::with_comments;

// Servers of most agents: an object in which each has its name.
std::vector<SetupMember> servers_in(std::string_view name) {
  return {{.name = name, .depth = 2}};
}

}  // namespace

std::vector<SetupTarget> mcp_targets() {
  const SetupMember schema{.name = "$schema", .only_if_absent = true};
  std::vector<SetupTarget> targets;
  const auto add = [&targets](std::string_view name, std::string_view title, SetupPiece piece,
                              std::string_view next = {}) {
    targets.push_back(
        {.name = name, .title = title, .is_mcp = true, .pieces = {std::move(piece)}, .next = next});
  };

  // The file for all projects, ~/.claude.json, is Claude Code's own state, which it writes all the time.
  add("claude-code", "Claude Code",
      json_piece("claude-code/mcp/.mcp.json", {{working, ".mcp.json"}}, servers_in("mcpServers"),
                 JsonDialect::strict, {"${"}),
      "start claude in that folder and accept the server; for all projects instead: claude mcp add --scope "
      "user symbols -- symbols mcp");

  add("codex", "Codex CLI",
      {.kind = Kind::by_hand,
       .source = "codex/config.toml",
       .places = {{home, ".codex/config.toml"}},
       .comment = "#"});
  targets.back().add_command = "codex mcp add symbols --";

  // Both strip comments and replace $NAME and ${NAME}.
  add("gemini-cli", "Gemini CLI",
      json_piece("gemini-cli/settings.json", {{home, ".gemini/settings.json"}}, servers_in("mcpServers"),
                 commented_json, {"$"}));
  add("qwen-code", "Qwen Code",
      json_piece("qwen-code/mcp.json", {{home, ".qwen/settings.json"}}, servers_in("mcpServers"),
                 commented_json, {"$"}));

  add("copilot-cli", "GitHub Copilot CLI",
      json_piece("copilot-cli/mcp-config.json", {{home, ".copilot/mcp-config.json"}},
                 servers_in("mcpServers"), JsonDialect::strict, {"${"}));

  add("opencode", "OpenCode",
      json_piece("opencode/mcp.json",
                 {{config, "opencode/opencode.json"}, {config, "opencode/opencode.jsonc"}},
                 {schema, {.name = "mcp", .depth = 2}}, commented_json, {"{env:", "{file:"}));

  // It expands commands and arguments as a shell does.
  add("crush", "Crush",
      json_piece("crush/mcp.json", {{config, "crush/crush.json"}}, {schema, {.name = "mcp", .depth = 2}},
                 JsonDialect::strict, {"$"}));

  add("cursor", "Cursor",
      json_piece("cursor/mcp.json", {{home, ".cursor/mcp.json"}}, servers_in("mcpServers"),
                 JsonDialect::strict, {"${"}));

  add("vscode", "Visual Studio Code",
      json_piece("vscode/mcp.json", {{config, "Code/User/mcp.json"}}, servers_in("servers"), commented_json,
                 {"${"}),
      "for another build of VS Code, or for one project (.vscode/mcp.json), give the file with --to");

  add("zed", "Zed",
      json_piece("zed/mcp.json", {{config, "zed/settings.json"}}, servers_in("context_servers"),
                 commented_json));

  // Its own command, `goose configure`, asks at the terminal.
  add("goose", "Goose",
      {.kind = Kind::by_hand,
       .source = "goose/config.yaml",
       .places = {{config, "goose/config.yaml"}},
       .comment = "#"});
  return targets;
}

}  // namespace symbols::setup
