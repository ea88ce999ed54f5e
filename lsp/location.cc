#include "lsp/location.h"

#include "lsp/json/json_document.h"
#include "lsp/json/json_elements.h"

namespace symbols::lsp {

Result<LocationList> decode_locations(std::string_view json, std::size_t most) {
  LocationList list;
  if (json.starts_with("null")) return list;
  bool understood = true;
  const auto total = for_each_element(json, [&](std::string_view element) {
    if (list.first.size() == most || !understood) return;
    const Result<rapidjson::Document> value = parse_json(element);
    const rapidjson::Value* uri = value ? member(*value, "uri") : nullptr;
    const rapidjson::Value* range = value ? member(*value, "range") : nullptr;
    const std::optional<Range> place = range != nullptr ? read_range(*range) : std::optional<Range>();
    understood = uri != nullptr && uri->IsString() && place.has_value();
    if (understood) list.first.push_back({text_of(*uri), *place});
  });
  if (!total || !understood) return Error{"the references reply is not a list of locations", {}};
  list.total = *total;
  return list;
}

}  // namespace symbols::lsp
