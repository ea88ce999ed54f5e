#include "lsp/registrations.h"

#include <fmt/format.h>

#include "lsp/json/json_document.h"

namespace symbols::lsp {
namespace {

template <class Visit>
void for_each_registration(std::string_view params, const char* list_name, Visit visit) {
  const Result<rapidjson::Document> document = parse_json(params);
  const rapidjson::Value* const list = document ? member(*document, list_name) : nullptr;
  if (list == nullptr || !list->IsArray()) return;
  for (const rapidjson::Value& one : list->GetArray())
    visit(text_member(one, "id"), text_member(one, "method"));
}

}  // namespace

void Registrations::add(std::string_view params) {
  for_each_registration(params, "registrations", [this](std::string id, std::string method) {
    if (id.size() > longest_id || method.empty() || method.size() > longest_id) return;
    if (methods_.size() < most || methods_.contains(id)) methods_[std::move(id)] = std::move(method);
  });
}

// The member's name is misspelled in the protocol (LSP 3.17, "Unregister Capability"); some servers write it
// as it should be.
void Registrations::remove(std::string_view params) {
  for (const char* const name : {"unregisterations", "unregistrations"}) {
    for_each_registration(params, name,
                          [this](const std::string& id, const std::string&) { methods_.erase(id); });
  }
}

std::string Registrations::take_unregistration() {
  if (methods_.empty()) return {};
  std::string list;
  for (const auto& [id, method] : methods_) {
    list += fmt::format(R"({}{{"id":{},"method":{}}})", list.empty() ? "" : ",", json_string(id),
                        json_string(method));
  }
  methods_.clear();
  return R"({"unregisterations":[)" + list + "]}";
}

}  // namespace symbols::lsp
