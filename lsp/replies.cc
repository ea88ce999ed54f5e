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
  const bool is_link = member(value, "targetUri") != nullptr;
  std::optional<std::string> uri = string_member(value, is_link ? "targetUri" : "uri");
  const std::optional<Range> range = read_range(member(value, is_link ? "targetSelectionRange" : "range"));
  if (!uri || !range) return {};
  return Location{*std::move(uri), *range};
}

// A call has the item as its caller or callee; of types it is the element itself.
std::optional<HierarchyItem> read_hierarchy_item(const rapidjson::Value& value) {
  const rapidjson::Value* const from = member(value, "from");
  const rapidjson::Value* const to = member(value, "to");
  const rapidjson::Value& found = from != nullptr ? *from : to != nullptr ? *to : value;
  std::optional<std::string> name = string_member(found, "name");
  std::optional<std::string> uri = string_member(found, "uri");
  const std::optional<Range> selection_range = read_range(member(found, "selectionRange"));
  if (!name || !uri || !selection_range) return {};
  HierarchyItem item{.name = *std::move(name),
                     .kind = integer_member(found, "kind").value_or(0),
                     .uri = *std::move(uri),
                     .selection_range = *selection_range,
                     .from_ranges = {}};
  for (const rapidjson::Value& range : array_member(value, "fromRanges")) {
    if (const std::optional<Range> place = read_range(&range)) item.from_ranges.push_back(*place);
  }
  return item;
}

// None if one of the edits cannot be read.
std::optional<DocumentEdits> read_edits(std::string uri, const rapidjson::Value& edits) {
  DocumentEdits document{.uri = std::move(uri), .edits = {}};
  for (const rapidjson::Value& edit : elements_of(edits)) {
    const std::optional<Range> range = read_range(member(edit, "range"));
    std::optional<std::string> text = string_member(edit, "newText");
    if (!range || !text) return {};
    document.edits.push_back({*range, *std::move(text)});
  }
  return document;
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
  constexpr auto wrong = "the reply is not a list of locations";
  if (json.starts_with("null")) return LocationList();
  if (!json.starts_with('{')) return read_list(json, most, read_location, wrong);
  const Result<rapidjson::Document> one = parse_json(json);
  std::optional<Location> location = one ? read_location(*one) : std::nullopt;
  if (!location) return Error{wrong, {}};
  return LocationList{.first = {*std::move(location)}, .total = 1};
}

Result<HierarchyList> decode_hierarchy(std::string_view json, std::size_t most) {
  if (json.starts_with("null")) return HierarchyList();
  return read_list(json, most, read_hierarchy_item, "the reply is not a list of a hierarchy's items");
}

Result<std::optional<std::string_view>> prepared_hierarchy_item(std::string_view json) {
  using Item = std::optional<std::string_view>;
  if (json.starts_with("null")) return Item();
  const Item first = first_element(json);
  if (first && first->starts_with('{')) return first;
  if (!first && for_each_element(json, [](std::string_view) {}) == std::size_t{0}) return Item();
  return Error{"the reply is not a list of items of a hierarchy", {}};
}

Result<std::vector<DocumentEdits>> decode_workspace_edit(std::string_view json) {
  const Result<rapidjson::Document> edit = parse_json(json);
  if (!edit) return edit.error();
  std::vector<DocumentEdits> documents;
  const rapidjson::Value* const changes = member(*edit, "changes");
  const rapidjson::Value* const in_order = member(*edit, "documentChanges");
  bool understood = (edit->IsObject() || edit->IsNull()) &&
                    (changes == nullptr || changes->IsNull() || changes->IsObject()) &&
                    (in_order == nullptr || in_order->IsNull() || in_order->IsArray());
  const auto add = [&](std::string uri, const rapidjson::Value& edits) {
    std::optional<DocumentEdits> document = read_edits(std::move(uri), edits);
    understood = understood && document && edits.IsArray();
    if (document) documents.push_back(*std::move(document));
  };
  for (const rapidjson::Value& change : array_member(*edit, "documentChanges")) {
    if (const std::string kind = text_member(change, "kind"); !kind.empty())
      return Error{fmt::format("the server would also {} a file, which this patch cannot express", kind), {}};
    const rapidjson::Value* const document = member(change, "textDocument");
    const rapidjson::Value* const edits = member(change, "edits");
    understood = understood && document != nullptr && edits != nullptr;
    if (understood) add(text_member(*document, "uri"), *edits);
  }
  if (documents.empty() && changes != nullptr && changes->IsObject()) {
    for (const auto& change : changes->GetObject()) add(text_of(change.name), change.value);
  }
  if (!understood) return Error{"the reply is not a WorkspaceEdit", {}};
  return documents;
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
