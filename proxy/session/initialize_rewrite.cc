#include "proxy/session/initialize_rewrite.h"

#include <utility>

#include "lsp/client_session.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/options/option_table.h"

namespace symbols::session {
namespace {

using lsp::value_at;

// A body that cannot be edited stays as it is.
void set(std::string& body, const lsp::Names& path, std::string_view value) {
  if (std::optional<std::string> edited = lsp::with_value_at(body, path, value)) body = *std::move(edited);
}

std::string folders_of(std::string_view params) {
  const auto folders = lsp::member_value(params, "workspaceFolders");
  if (folders && folders->starts_with('[')) {
    std::string storage;
    return std::string(lsp::ascii_json(*folders, storage));
  }
  return lsp::workspace_folders(
      lsp::json_string_text(lsp::member_value(params, "rootUri").value_or("")).value_or(""));
}

// The commands that a server offers, raw JSON, with ours.
std::string with_our_commands(std::string_view commands) {
  std::string all;
  for (const std::string_view command : {symbols_command, context_command})
    all += (all.empty() ? "" : ",") + lsp::json_string(command);
  std::string others;
  lsp::for_each_element(commands, [&](std::string_view command) {
    if (all.find(command) == std::string::npos) others += std::string(command) + ',';
  });
  return '[' + others + all + ']';
}

}  // namespace

Result<ClientInitialize> read_initialize(std::string_view params,
                                         const options::AnswerOptions& command_line) {
  const auto wrong = [](const Error& error) {
    return Error{"initializationOptions.symbols: " + error.message, error.advice};
  };
  ClientInitialize client;
  if (const auto options = value_at(params, {"initializationOptions", "symbols"})) {
    if (!options->starts_with('{') && *options != "null")
      return Error{"initializationOptions.symbols is no object", R"(give {"format":"table"}, for instance)"};
    Result<options::AnswerOptions> read = options::read_answer_options(*options);
    if (!read) return wrong(read.error());
    client.options = std::move(*read);
  }
  if (const Result<void> fits = client.options.over(command_line).check(); !fits) return wrong(fits.error());
  client.hierarchical_symbols = value_at(params, {"capabilities", "textDocument", "documentSymbol",
                                                  "hierarchicalDocumentSymbolSupport"}) == "true";
  client.folders = folders_of(params);
  return client;
}

std::optional<std::string> rewrite_initialize(std::string_view body, const options::AnswerOptions& options,
                                              bool is_confined) {
  const bool has_options = value_at(body, {"params", "initializationOptions", "symbols"}).has_value();
  const bool hides_client = is_confined && value_at(body, {"params", "processId"}).value_or("null") != "null";
  const bool reads_hovers = options.hover_reply_or_default() != options::HoverReply::standard;
  if (!has_options && !options.is_text() && !hides_client && !reads_hovers) return {};
  std::string edited(body);
  if (hides_client) set(edited, {"params", "processId"}, "null");
  if (has_options) {
    const lsp::Names path = {"params", "initializationOptions"};
    set(edited, path, *lsp::without_members(*value_at(body, path), {"symbols"}));
  }
  if (options.is_text()) {
    set(edited,
        {"params", "capabilities", "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"},
        "true");
    set(edited, {"params", "capabilities", "textDocument", "documentSymbol", "symbolKind", "valueSet"},
        lsp::all_symbol_kinds);
    set(edited, {"params", "capabilities", "workspace", "symbol", "symbolKind", "valueSet"},
        lsp::all_symbol_kinds);
  }
  if (reads_hovers) {
    set(edited, {"params", "capabilities", "textDocument", "hover", "contentFormat"},
        R"(["markdown","plaintext"])");
  }
  return edited;
}

std::optional<std::string> rewrite_initialize_reply(std::string_view body,
                                                    const options::AnswerOptions& options,
                                                    std::string_view version) {
  const auto capabilities = value_at(body, {"result", "capabilities"});
  if (!capabilities || !capabilities->starts_with('{')) return {};
  std::string edited(body);
  // A value that is not an object belongs to someone else; leave it.
  const std::string_view experimental =
      value_at(body, {"result", "capabilities", "experimental"}).value_or("{}");
  if (experimental.starts_with('{') || experimental == "null") {
    set(edited, {"result", "capabilities", "experimental", "symbols"},
        options::describe_answer_options(version));
  }
  if (options.is_text()) {
    const lsp::Names commands = {"result", "capabilities", "executeCommandProvider", "commands"};
    set(edited, commands, with_our_commands(value_at(body, commands).value_or("[]")));
  }
  return edited;
}

}  // namespace symbols::session
