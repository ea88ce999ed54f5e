#include "lsp/diagnostic.h"

#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {
namespace {

std::optional<Diagnostic> read_diagnostic(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  const rapidjson::Value* range = value ? member(*value, "range") : nullptr;
  const rapidjson::Value* message = value ? member(*value, "message") : nullptr;
  if (range == nullptr || message == nullptr) return {};
  const std::optional<Range> place = read_range(*range);
  if (!place) return {};
  const rapidjson::Value* code = member(*value, "code");
  Diagnostic diagnostic{.range = *place,
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
  DiagnosticList list;
  bool understood = true;
  const auto total = for_each_element(json, [&](std::string_view element) {
    if (list.first.size() == most_diagnostics || !understood) return;
    std::optional<Diagnostic> diagnostic = read_diagnostic(element);
    understood = diagnostic.has_value();
    if (diagnostic) list.first.push_back(std::move(*diagnostic));
  });
  if (!total || !understood) return Error{"the server's diagnostics are not a list of diagnostics", {}};
  list.total = *total;
  return list;
}

Result<DiagnosticList> decode_diagnostic_report(std::string_view json) {
  const auto items = member_value(json, "items");
  if (!items) return Error{"the diagnostic reply is not a full report", {}};
  return decode_diagnostics(*items);
}

}  // namespace symbols::lsp
