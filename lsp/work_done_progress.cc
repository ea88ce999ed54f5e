#include "lsp/work_done_progress.h"

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/messages.h"

namespace symbols::lsp {

void WorkDoneProgress::receive(std::string_view params) {
  if (params.size() > max_params) return;
  const Result<rapidjson::Document> document = parse_json(params);
  if (!document) return;
  const rapidjson::Value* token_value = member(*document, "token");
  const rapidjson::Value* value = member(*document, "value");
  if (token_value == nullptr || value == nullptr) return;
  std::string token;
  if (token_value->IsInt64()) token = std::to_string(token_value->GetInt64());
  if (token_value->IsString()) token = json_string(text_of(*token_value));
  if (token.empty()) return;
  const std::string kind = text_member(*value, "kind");
  if (kind == "end") {
    under_way_.erase(token);
    return;
  }
  if (kind == "begin" && (under_way_.size() < max_tokens || under_way_.contains(token))) {
    under_way_[token] = {.title = text_member(*value, "title"), .message = {}};
    has_begun_ = true;
  }
  const auto found = under_way_.find(token);
  if (found == under_way_.end()) return;
  if (std::string message = text_member(*value, "message"); !message.empty())
    found->second.message = std::move(message);
  // clangd's has decimals.
  if (const auto* percentage = member(*value, "percentage"); percentage != nullptr && percentage->IsNumber())
    found->second.percentage = static_cast<unsigned>(std::clamp(percentage->GetDouble(), 0.0, 100.0));
}

std::vector<std::string> WorkDoneProgress::end_all() {
  std::vector<std::string> bodies;
  for (const auto& [token, report] : under_way_)
    bodies.push_back(notification_body("$/progress", R"({"token":)" + token + R"(,"value":{"kind":"end"}})"));
  under_way_.clear();
  return bodies;
}

const WorkDoneProgress::Report* WorkDoneProgress::first(bool is_failure) const {
  for (const auto& [token, report] : under_way_) {
    if (report.is_failure() == is_failure) return &report;
  }
  return nullptr;
}

}  // namespace symbols::lsp
