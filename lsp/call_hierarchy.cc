#include "lsp/call_hierarchy.h"

#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {
namespace {

std::optional<IncomingCall> read_call(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  const rapidjson::Value* from = value ? member(*value, "from") : nullptr;
  if (from == nullptr) return {};
  const rapidjson::Value* name = member(*from, "name");
  const rapidjson::Value* kind = member(*from, "kind");
  const rapidjson::Value* uri = member(*from, "uri");
  const rapidjson::Value* selection = member(*from, "selectionRange");
  if (name == nullptr || !name->IsString() || uri == nullptr || !uri->IsString() || selection == nullptr) {
    return {};
  }
  const std::optional<Range> selection_range = read_range(*selection);
  if (!selection_range) return {};
  IncomingCall call{.name = text_of(*name),
                    .kind = kind != nullptr && kind->IsInt64() ? kind->GetInt64() : 0,
                    .uri = text_of(*uri),
                    .selection_range = *selection_range,
                    .from_ranges = {}};
  const rapidjson::Value* ranges = member(*value, "fromRanges");
  if (ranges != nullptr && ranges->IsArray()) {
    for (const rapidjson::Value& range : ranges->GetArray()) {
      if (const std::optional<Range> place = read_range(range)) call.from_ranges.push_back(*place);
    }
  }
  return call;
}

}  // namespace

Result<std::optional<std::string_view>> prepared_call_hierarchy_item(std::string_view json) {
  using Item = std::optional<std::string_view>;
  if (json.starts_with("null")) return Item();
  const Item first = first_element(json);
  if (first && first->starts_with('{')) return first;
  if (!first && for_each_element(json, [](std::string_view) {}) == std::size_t{0}) return Item();
  return Error{"the prepareCallHierarchy reply is not a list of items", {}};
}

Result<IncomingCallList> decode_incoming_calls(std::string_view json, std::size_t most) {
  IncomingCallList list;
  if (json.starts_with("null")) return list;
  bool understood = true;
  const auto total = for_each_element(json, [&](std::string_view element) {
    if (list.first.size() == most || !understood) return;
    std::optional<IncomingCall> call = read_call(element);
    understood = call.has_value();
    if (call) list.first.push_back(std::move(*call));
  });
  if (!total || !understood) return Error{"the incomingCalls reply is not a list of calls", {}};
  list.total = *total;
  return list;
}

}  // namespace symbols::lsp
