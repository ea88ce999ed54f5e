#include "proxy/session/server_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/uri.h"
#include "table/escape.h"

namespace symbols::session {
namespace {

// What a user calls a method: its last part, as it is unique.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> names = {{
    {"configuration", "workspace/configuration"},
    {"workspaceFolders", "workspace/workspaceFolders"},
    {"registerCapability", "client/registerCapability"},
    {"unregisterCapability", "client/unregisterCapability"},
    {"workDoneProgress", "window/workDoneProgress/create"},
    {"showMessageRequest", "window/showMessageRequest"},
    {"showDocument", "window/showDocument"},
    {"applyEdit", "workspace/applyEdit"},
    {"refresh", "workspace/semanticTokens/refresh"},
    {"refresh", "workspace/inlayHint/refresh"},
    {"refresh", "workspace/inlineValue/refresh"},
    {"refresh", "workspace/codeLens/refresh"},
    {"refresh", "workspace/diagnostic/refresh"},
    {"refresh", "workspace/foldingRange/refresh"},
}};

}  // namespace

std::vector<std::string> ServerAnswers::known_names() {
  std::vector<std::string> list;
  for (const auto& [name, method] : names) {
    if (list.empty() || list.back() != name) list.emplace_back(name);
  }
  return list;
}

Result<ServerAnswers> ServerAnswers::parse(std::string_view option, std::string_view list) {
  ServerAnswers answers;
  for (const std::string_view name : split(list, ',')) {
    bool known = false;
    for (const auto& [short_name, method] : names) {
      if (name != "all" && name != short_name && name != method) continue;
      answers.methods_.emplace(method);
      known = true;
    }
    if (!known) {
      return Error{fmt::format("{}: {} is not a request that can be answered for a client", option,
                               table::quoted(name)),
                   fmt::format("give some of {}, joined by commas, or all", fmt::join(known_names(), ", "))};
    }
  }
  return answers;
}

void ServerAnswers::set_root(std::string_view initialize_params) {
  const auto folders = lsp::member_value(initialize_params, "workspaceFolders");
  if (folders && folders->starts_with('[')) {
    std::string storage;
    folders_ = lsp::ascii_json(*folders, storage);
    return;
  }
  const std::string uri =
      lsp::json_string_text(lsp::member_value(initialize_params, "rootUri").value_or("")).value_or("");
  std::string path = lsp::file_path(uri).value_or("");
  while (path.ends_with('/')) path.pop_back();
  folders_ = lsp::workspace_folders(uri, std::filesystem::path(path).filename().string());
}

}  // namespace symbols::session
