#include "lsp/diagnostic.h"

#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {
namespace {

// A string's text, a number's digits; else nothing.
std::string text_of(const rapidjson::Value* value) {
  if (value == nullptr) return {};
  if (value->IsString()) return to_valid_utf8({value->GetString(), value->GetStringLength()});
  if (value->IsInt64()) return fmt::format("{}", value->GetInt64());
  return {};
}

std::optional<Diagnostic> read_diagnostic(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  const rapidjson::Value* range = value ? member(*value, "range") : nullptr;
  const rapidjson::Value* message = value ? member(*value, "message") : nullptr;
  if (range == nullptr || message == nullptr) return {};
  const std::optional<Range> place = read_range(*range);
  if (!place) return {};
  const rapidjson::Value* code = member(*value, "code");
  Diagnostic diagnostic{.range = *place,
                        .code = text_of(code),
                        .code_is_number = code != nullptr && code->IsInt64(),
                        .source = text_of(member(*value, "source")),
                        // LSP 3.18 lets it be MarkupContent.
                        .message = text_of(message->IsObject() ? member(*message, "value") : message)};
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
  if (!total || !understood) return Error{"the server's diagnostics are no list of diagnostics", {}};
  list.total = *total;
  return list;
}

Result<DiagnosticList> decode_diagnostic_report(std::string_view json) {
  const auto items = member_value(json, "items");
  if (!items) return Error{"the diagnostic reply is no full report", {}};
  return decode_diagnostics(*items);
}

}  // namespace symbols::lsp
