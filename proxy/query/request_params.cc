#include "proxy/query/request_params.h"

#include <fmt/format.h>

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

std::optional<std::string> document_uri(std::string_view params) {
  const auto uri = lsp::value_at(params, {"textDocument", "uri"});
  if (!uri) return {};
  return lsp::json_string_text(*uri);
}

std::optional<lsp::Position> position_of(std::string_view params) {
  const auto json = lsp::member_value(params, "position");
  if (!json) return {};
  const Result<rapidjson::Document> value = lsp::parse_json(*json);
  if (!value) return {};
  return lsp::read_position(&*value);
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

}  // namespace symbols::query
