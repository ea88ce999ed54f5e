#include "lsp/diagnostic.h"

#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"

namespace symbols::lsp {
namespace {

std::optional<Diagnostic> read_diagnostic(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  if (!value) return {};
  const std::optional<Range> range = read_range(member(*value, "range"));
  const rapidjson::Value* message = member(*value, "message");
  if (!range || message == nullptr) return {};
  const rapidjson::Value* code = member(*value, "code");
  Diagnostic diagnostic{.range = *range,
                        .code = text_member(*value, "code"),
                        .source = text_member(*value, "source"),
                        // LSP 3.18 lets it be MarkupContent.
                        .message = message->IsObject() ? text_member(*message, "value") : text_of(*message)};
  if (code != nullptr && code->IsInt64()) {
    diagnostic.code = std::to_string(code->GetInt64());
    diagnostic.code_is_number = true;
  }
  const rapidjson::Value* severity = member(*value, "severity");
  if (severity != nullptr && severity->IsInt64()) diagnostic.severity = severity->GetInt64();
  return diagnostic;
}

}  // namespace

Result<DiagnosticList> decode_diagnostics(std::string_view json) {
  return read_list(json, most_diagnostics, read_diagnostic,
                   "the server's diagnostics are not a list of diagnostics");
}

Result<DiagnosticList> decode_diagnostic_report(std::string_view json) {
  const auto items = member_value(json, "items");
  if (!items) return Error{"the diagnostic reply is not a full report", {}};
  return decode_diagnostics(*items);
}

}  // namespace symbols::lsp
