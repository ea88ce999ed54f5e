#include "lsp/replies.h"

#include <fmt/format.h>

#include <utility>

#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"

namespace symbols::lsp {
namespace {

// A string, MarkupContent or {language, value}; none if it is none of them.
std::optional<HoverPart> read_part(const rapidjson::Value& value) {
  if (value.IsString()) return HoverPart{HoverPart::Form::markdown, text_of(value)};
  std::optional<std::string> text = string_member(value, "value");
  if (!text) return {};
  const std::optional<std::string> kind = string_member(value, "kind");
  return HoverPart{!kind                 ? HoverPart::Form::code
                   : kind == "plaintext" ? HoverPart::Form::plaintext
                                         : HoverPart::Form::markdown,
                   *std::move(text)};
}

// Reads the first `most` elements of an array, each by `read`. Error `wrong`: the text is not a whole array,
// or one of them is not what it should be.
template <class T>
Result<ListStart<T>> read_list(std::string_view array, std::size_t most,
                               std::optional<T> (*read)(const rapidjson::Value& element), const char* wrong) {
  ListStart<T> list;
  bool understood = true;
  const auto total = for_each_element(array, [&](std::string_view element) {
    if (list.first.size() == most || !understood) return;
    const Result<rapidjson::Document> json = parse_json(element);
    std::optional<T> value = json ? read(*json) : std::nullopt;
    understood = value.has_value();
    if (value) list.first.push_back(std::move(*value));
  });
  if (!total || !understood) return Error{wrong, {}};
  list.total = *total;
  return list;
}

std::optional<Location> read_location(const rapidjson::Value& value) {
  std::optional<std::string> uri = string_member(value, "uri");
  const std::optional<Range> range = read_range(member(value, "range"));
  if (!uri || !range) return {};
  return Location{*std::move(uri), *range};
}

std::optional<IncomingCall> read_call(const rapidjson::Value& value) {
  const rapidjson::Value* from = member(value, "from");
  if (from == nullptr) return {};
  std::optional<std::string> name = string_member(*from, "name");
  std::optional<std::string> uri = string_member(*from, "uri");
  const std::optional<Range> selection_range = read_range(member(*from, "selectionRange"));
  if (!name || !uri || !selection_range) return {};
  IncomingCall call{.name = *std::move(name),
                    .kind = integer_member(*from, "kind").value_or(0),
                    .uri = *std::move(uri),
                    .selection_range = *selection_range,
                    .from_ranges = {}};
  for (const rapidjson::Value& range : array_member(value, "fromRanges")) {
    if (const std::optional<Range> place = read_range(&range)) call.from_ranges.push_back(*place);
  }
  return call;
}

std::optional<Diagnostic> read_diagnostic(const rapidjson::Value& value) {
  const std::optional<Range> range = read_range(member(value, "range"));
  const rapidjson::Value* message = member(value, "message");
  if (!range || message == nullptr) return {};
  const std::optional<std::int64_t> code = integer_member(value, "code");
  return Diagnostic{.range = *range,
                    .severity = integer_member(value, "severity").value_or(1),
                    .code = code ? std::to_string(*code) : text_member(value, "code"),
                    .code_is_number = code.has_value(),
                    .source = text_member(value, "source"),
                    // LSP 3.18 lets it be MarkupContent.
                    .message = message->IsObject() ? text_member(*message, "value") : text_of(*message)};
}

}  // namespace

Result<Hover> decode_hover(std::string_view json) {
  const Result<rapidjson::Document> hover = parse_json(json);
  if (!hover) return hover.error();
  Hover decoded;
  if (hover->IsNull()) return decoded;
  const auto unexpected = [](std::string_view what) {
    return Error{fmt::format("the hover reply is not of a shape that LSP knows: {}", what), {}};
  };
  if (!hover->IsObject()) return unexpected("not an object");
  decoded.range = read_range(member(*hover, "range"));
  const rapidjson::Value* contents = member(*hover, "contents");
  if (contents == nullptr || contents->IsNull()) return decoded;
  const bool is_list = contents->IsArray();
  for (const rapidjson::Value& value : is_list ? elements_of(*contents) : std::span(contents, 1)) {
    std::optional<HoverPart> part = read_part(value);
    if (!part) return unexpected(is_list ? "an element of 'contents' is not text" : "'contents' is not text");
    if (!part->value.empty()) decoded.parts.push_back(std::move(*part));
  }
  return decoded;
}

Result<LocationList> decode_locations(std::string_view json, std::size_t most) {
  if (json.starts_with("null")) return LocationList();
  return read_list(json, most, read_location, "the references reply is not a list of locations");
}

Result<IncomingCallList> decode_incoming_calls(std::string_view json, std::size_t most) {
  if (json.starts_with("null")) return IncomingCallList();
  return read_list(json, most, read_call, "the incomingCalls reply is not a list of calls");
}

Result<std::optional<std::string_view>> prepared_call_hierarchy_item(std::string_view json) {
  using Item = std::optional<std::string_view>;
  if (json.starts_with("null")) return Item();
  const Item first = first_element(json);
  if (first && first->starts_with('{')) return first;
  if (!first && for_each_element(json, [](std::string_view) {}) == std::size_t{0}) return Item();
  return Error{"the prepareCallHierarchy reply is not a list of items", {}};
}

Result<DiagnosticList> decode_diagnostics(std::string_view json) {
  return read_list(json, max_diagnostics, read_diagnostic,
                   "the server's diagnostics are not a list of diagnostics");
}

Result<DiagnosticList> decode_diagnostic_report(std::string_view json) {
  const auto items = member_value(json, "items");
  if (!items) return Error{"the diagnostic reply is not a full report", {}};
  return decode_diagnostics(*items);
}

}  // namespace symbols::lsp
