#include "proxy/query/query_services.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"

namespace symbols::query {

std::string document_params(std::string_view uri) {
  return fmt::format(R"({{"textDocument":{{"uri":{}}}}})", lsp::json_string(uri));
}

std::string place_params(std::string_view uri, lsp::Position position, std::string_view more) {
  return fmt::format(R"({{"textDocument":{{"uri":{}}},"position":{{"line":{},"character":{}}}{}}})",
                     lsp::json_string(uri), position.line, position.character, more);
}

milliseconds delay_after(int attempts) {
  return std::min(milliseconds(50 << std::min(attempts, 6)), milliseconds(2000));
}

namespace {

// Whether the server is still loading: the two codes of LSP 3.17, "Response Message", or what ccls 0.20220729
// answers when its wait for a file's index times out.
bool is_not_ready(const lsp::Reply& reply) {
  return reply.failed &&
         (reply.error.code == lsp::error_code::content_modified ||
          reply.error.code == lsp::error_code::server_cancelled ||
          (reply.error.code == lsp::error_code::invalid_request && reply.error.message == "not indexed"));
}

}  // namespace

void PendingRequest::send(std::string_view method, std::string_view params, lsp::ReplyHandler handler,
                          milliseconds retry_for) {
  handler_ = std::move(handler);
  retry_for_ = retry_for;
  attempts_ = 0;
  first_attempt_ = steady_clock::now();
  method_ = method;
  params_ = params;
  send_again();
}

void PendingRequest::send_again() {
  ++attempts_;
  number_ = sender_.request(method_, params_, [this](const lsp::Reply& reply) { receive(reply); });
}

void PendingRequest::receive(const lsp::Reply& reply) {
  number_.reset();
  const milliseconds delay = delay_after(attempts_);
  if (is_not_ready(reply) && steady_clock::now() + delay - first_attempt_ <= retry_for_)
    return retry_timer_.start(delay, [this] { send_again(); });
  std::exchange(handler_, {})(reply);
}

void PendingRequest::cancel() {
  handler_ = {};
  retry_timer_.stop();
  if (number_) sender_.cancel(*std::exchange(number_, {}));
}

std::string refusal_text(const lsp::Reply& reply) {
  if (reply.error.code == lsp::error_code::method_not_found) return std::string(not_offered);
  return fmt::format("{} (error {})",
                     reply.error.message.empty() ? "the server gave no reason" : reply.error.message,
                     reply.error.code);
}

std::optional<std::string> document_uri(std::string_view params) {
  const auto uri = lsp::value_at(params, {"textDocument", "uri"});
  if (!uri) return {};
  return lsp::json_string_text(*uri);
}

Result<std::vector<std::string>> document_uris(std::string_view json) {
  const Error wrong{"textDocuments: not a list of documents", R"(give [{"uri":"file:///…"},…])"};
  constexpr rapidjson::SizeType most = 1000;
  const Result<rapidjson::Document> list = lsp::parse_json(json);
  if (!list || !list->IsArray()) return wrong;
  if (list->Size() > most) {
    return Error{fmt::format("textDocuments: {} documents are too many", list->Size()),
                 fmt::format("ask for at most {} at a time", most)};
  }
  std::vector<std::string> uris;
  for (const rapidjson::Value& document : list->GetArray()) {
    const rapidjson::Value* uri = lsp::member(document, "uri");
    if (uri == nullptr || !uri->IsString()) return wrong;
    uris.emplace_back(uri->GetString(), uri->GetStringLength());
  }
  return uris;
}

std::string meta_member(std::size_t hovers_missing, std::string_view truncated,
                        const std::vector<std::pair<std::string, std::string>>& failed_parts,
                        const std::vector<std::string>& unknown_fields) {
  std::string meta;
  const auto append = [&meta](std::string_view name, std::string_view value) {
    meta += fmt::format(R"({}"{}":{})", meta.empty() ? "" : ",", name, value);
  };
  if (hovers_missing > 0) append("hovers_missing", std::to_string(hovers_missing));
  if (!truncated.empty()) append("truncated", lsp::json_string(truncated));
  for (const auto& [name, reason] : failed_parts) append(name, lsp::json_string(reason));
  if (!unknown_fields.empty()) {
    std::string list;
    for (const std::string& field : unknown_fields)
      list += (list.empty() ? "" : ",") + lsp::json_string(field);
    append("unknown_fields", '[' + list + ']');
  }
  return meta.empty() ? meta : R"(,"meta":{)" + meta + '}';
}

}  // namespace symbols::query
