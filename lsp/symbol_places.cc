#include "lsp/symbol_places.h"

#include "lsp/json/json_document.h"

namespace symbols::lsp {
namespace {

std::optional<Location> read_location(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  if (!value) return {};
  std::optional<std::string> uri = string_member(*value, "uri");
  const std::optional<Range> range = read_range(member(*value, "range"));
  if (!uri || !range) return {};
  return Location{*std::move(uri), *range};
}

std::optional<IncomingCall> read_call(std::string_view json) {
  const Result<rapidjson::Document> value = parse_json(json);
  const rapidjson::Value* from = value ? member(*value, "from") : nullptr;
  if (from == nullptr) return {};
  std::optional<std::string> name = string_member(*from, "name");
  std::optional<std::string> uri = string_member(*from, "uri");
  const std::optional<Range> selection_range = read_range(member(*from, "selectionRange"));
  if (!name || !uri || !selection_range) return {};
  const rapidjson::Value* kind = member(*from, "kind");
  IncomingCall call{.name = *std::move(name),
                    .kind = kind != nullptr && kind->IsInt64() ? kind->GetInt64() : 0,
                    .uri = *std::move(uri),
                    .selection_range = *selection_range,
                    .from_ranges = {}};
  const rapidjson::Value* ranges = member(*value, "fromRanges");
  if (ranges != nullptr && ranges->IsArray()) {
    for (const rapidjson::Value& range : ranges->GetArray()) {
      if (const std::optional<Range> place = read_range(&range)) call.from_ranges.push_back(*place);
    }
  }
  return call;
}

}  // namespace

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

}  // namespace symbols::lsp
