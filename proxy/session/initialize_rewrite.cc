#include "proxy/session/initialize_rewrite.h"

#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/symbol_information.h"
#include "proxy/options/option_table.h"

namespace symbols::session {
namespace {

using lsp::value_at;

// Applies edits one after another to a body; the first that fails ends it, and nothing is changed.
class BodyEdit {
 public:
  explicit BodyEdit(std::string_view body) : body_(std::string(body)) {}

  void set(const lsp::Names& path, std::string_view value) {
    if (body_) body_ = lsp::with_value_at(*body_, path, value);
  }
  void remove(const lsp::Names& path) {
    if (body_) body_ = lsp::without_value_at(*body_, path);
  }
  std::optional<std::string> result() && { return body_ ? std::optional(*std::move(body_)) : std::nullopt; }

 private:
  Result<std::string> body_;
};

}  // namespace

Result<ClientInitialize> read_initialize(std::string_view params,
                                         const options::AnswerOptions& command_line) {
  const auto wrong = [](const Error& error) {
    return Error{"initializationOptions.symbols: " + error.message, error.advice};
  };
  ClientInitialize client;
  if (const auto options = value_at(params, {"initializationOptions", "symbols"})) {
    if (!options->starts_with('{') && *options != "null") {
      return Error{"initializationOptions.symbols is no object", R"(give {"format":"table"}, for instance)"};
    }
    Result<options::AnswerOptions> read = options::read_answer_options(*options);
    if (!read) return wrong(read.error());
    client.options = std::move(*read);
  }
  if (const Result<void> fits = client.options.over(command_line).check(); !fits) return wrong(fits.error());
  client.hierarchical_symbols = value_at(params, {"capabilities", "textDocument", "documentSymbol",
                                                  "hierarchicalDocumentSymbolSupport"}) == "true";
  return client;
}

std::optional<std::string> rewrite_initialize(std::string_view body, const options::AnswerOptions& options,
                                              bool is_confined) {
  const bool has_options = value_at(body, {"params", "initializationOptions", "symbols"}).has_value();
  const bool hides_client = is_confined && value_at(body, {"params", "processId"}).value_or("null") != "null";
  const bool reads_hovers = options.hover_reply_or_default() != options::HoverReply::standard;
  if (!has_options && !options.is_text() && !hides_client && !reads_hovers) return {};
  BodyEdit edit(body);
  if (hides_client) edit.set({"params", "processId"}, "null");
  if (has_options) edit.remove({"params", "initializationOptions", "symbols"});
  if (options.is_text()) {
    edit.set(
        {"params", "capabilities", "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"},
        "true");
    edit.set({"params", "capabilities", "textDocument", "documentSymbol", "symbolKind", "valueSet"},
             lsp::all_symbol_kinds);
    edit.set({"params", "capabilities", "workspace", "symbol", "symbolKind", "valueSet"},
             lsp::all_symbol_kinds);
  }
  if (reads_hovers) {
    edit.set({"params", "capabilities", "textDocument", "hover", "contentFormat"},
             R"(["markdown","plaintext"])");
  }
  return std::move(edit).result();
}

std::optional<std::string> rewrite_initialize_reply(std::string_view body,
                                                    const options::AnswerOptions& options,
                                                    std::string_view version) {
  const auto capabilities = value_at(body, {"result", "capabilities"});
  if (!capabilities || !capabilities->starts_with('{')) return {};
  BodyEdit edit(body);
  // A value that is not an object belongs to someone else; leave it.
  const std::string_view experimental =
      value_at(body, {"result", "capabilities", "experimental"}).value_or("{}");
  if (experimental.starts_with('{') || experimental == "null") {
    edit.set({"result", "capabilities", "experimental", "symbols"},
             options::describe_answer_options(version));
  }
  if (options.is_text()) {
    constexpr std::string_view commands[] = {"result", "capabilities", "executeCommandProvider", "commands"};
    const std::string ours[] = {lsp::json_string(symbols_command), lsp::json_string(context_command)};
    edit.set(commands, lsp::with_elements(value_at(body, commands).value_or("[]"), ours));
  }
  return std::move(edit).result();
}

}  // namespace symbols::session
