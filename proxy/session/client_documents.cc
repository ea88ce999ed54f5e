#include "proxy/session/client_documents.h"

#include <map>
#include <utility>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/json_edit.h"
#include "lsp/json/json_members.h"
#include "lsp/json_rpc.h"
#include "lsp/position_index.h"
#include "lsp/unicode.h"
#include "lsp/uri.h"

namespace symbols::session {
namespace {

// Of all open documents together; a path has at most 4 KiB.
constexpr std::size_t most_uri_bytes = std::size_t{8} << 20;

// Changes wait until they have so many bytes, or until so many bytes of text would be passed over to apply
// them.
constexpr std::size_t most_waiting_bytes = std::size_t{1} << 20;
constexpr std::size_t most_waiting_work = std::size_t{16} << 20;

// A character takes at most so many bytes in a JSON string for each byte that it has as UTF-8.
constexpr std::size_t longest_escape = 6;

// The inside of a raw JSON string; none where the value is none.
std::optional<std::string_view> inside_string(std::optional<std::string_view> value) {
  if (!value || value->size() < 2 || value->front() != '"') return {};
  return value->substr(1, value->size() - 2);
}

// Empties a string and frees its memory, which an assignment of an empty one would keep.
void release(std::string& text) {
  std::string().swap(text);
}

std::string valid_utf8(std::string text) {
  return lsp::find_invalid_utf8(text) == std::string_view::npos ? std::move(text) : lsp::to_valid_utf8(text);
}

// Known ones have at most 20 bytes.
constexpr std::size_t longest_language_id = 256;

// Both are copied into notifications as they are written, so they have to be JSON.
bool is_language_id(std::string_view value) {
  return value.size() <= longest_language_id && value.starts_with('"') &&
         lsp::is_json_string_or_number(value);
}
bool is_version(std::string_view value) {
  return value.size() <= 20 && value.find_first_not_of("-0123456789") == std::string_view::npos &&
         lsp::is_json_string_or_number(value);
}

// The members that matter of one notification's params. They may hold a large text: it is passed over once
// for each object that it is in.
struct Params {
  std::optional<std::string> uri;
  std::optional<std::string_view> text;             // raw, without its quotes
  std::string_view language_id;                     // raw
  std::string_view version;                         // raw
  std::optional<std::string_view> content_changes;  // raw
};

Params read_params(std::string_view json) {
  std::optional<std::string_view> document;
  std::optional<std::string_view> uri;
  Params params;
  const Result<void> outer = lsp::for_each_member(json, [&](std::string_view name, std::string_view value) {
    if (name == "textDocument") document = value;
    if (name == "contentChanges") params.content_changes = value;
  });
  if (!outer || !document) return {};
  const Result<void> inner =
      lsp::for_each_member(*document, [&](std::string_view name, std::string_view value) {
        if (name == "uri") uri = inside_string(value);
        if (name == "text") params.text = inside_string(value);
        if (name == "languageId" && is_language_id(value)) params.language_id = value;
        if (name == "version" && is_version(value)) params.version = value;
      });
  if (!inner || !uri) return {};
  std::string storage;
  params.uri = lsp::unescape_json_string(*uri, storage);
  return params;
}

// Calls `visit` for each TextDocumentContentChangeEvent of a raw array: with its JSON, whether it has a
// range, and its raw text without the quotes, if any. Each is passed over once, as a text may be large. False
// where the array is not whole, or holds something else.
template <class Visit>
bool read_changes(std::string_view array, Visit visit) {
  const auto skip = [&array](std::size_t size) {
    array.remove_prefix(lsp::skip_json_whitespace(array, size));
  };
  skip(0);
  for (char before = '['; array.starts_with(before); before = ',') {
    skip(1);
    if (before == '[' && array.starts_with(']')) return true;
    bool has_range = false;
    std::optional<std::string_view> text;
    lsp::JsonMembers members(array);
    std::string storage;
    while (members.next()) {
      const std::string_view name = lsp::unescape_json_string(members.name(), storage);
      const std::optional<std::string_view> value = members.value();
      if (!value) break;
      if (name == "range") has_range = *value != "null";
      if (name == "text") text = inside_string(value);
    }
    if (members.state() != lsp::JsonMembers::State::end) return false;
    visit(array.substr(0, members.offset()), has_range, text);
    skip(members.offset());
  }
  return array.starts_with(']');
}

}  // namespace

std::optional<std::string> ClientDocuments::did_open(std::string_view params_json) {
  Params params = read_params(params_json);
  if (!params.uri) return {};
  if (Document* const document = track(*params.uri)) {
    document->language_id = params.language_id;
    document->version = params.version;
    document->order = ++last_order_;
    if (!params.text || !set_whole_text(*document, *params.text)) lose_text(*document);
    count(*document);
  }
  return std::move(params.uri);
}

std::optional<std::string> ClientDocuments::did_change(std::string_view params_json) {
  Params params = read_params(params_json);
  if (!params.uri) return {};
  const auto known = documents_.find(*params.uri);
  if (known == documents_.end()) return std::move(params.uri);
  Document& document = known->second;
  if (!params.version.empty()) document.version = params.version;
  const bool whole = read_changes(
      params.content_changes.value_or(""),
      [&](std::string_view change, bool has_range, std::optional<std::string_view> text) {
        const bool taken = has_range ? add_edit(document, change) : text && set_whole_text(document, *text);
        if (!taken) lose_text(document);  // a whole text behind it brings it back
      });
  if (!whole) lose_text(document);
  count(document);
  return std::move(params.uri);
}

std::optional<std::string> ClientDocuments::did_close(std::string_view params_json) {
  Params params = read_params(params_json);
  if (!params.uri) return {};
  const auto known = documents_.find(*params.uri);
  if (known == documents_.end()) return std::move(params.uri);
  lose_text(known->second);
  count(known->second);
  if (const auto file = files_.find(known->second.path); file != files_.end() && --file->second == 0)
    files_.erase(file);
  uri_bytes_ -= known->first.size();
  documents_.erase(known);
  return std::move(params.uri);
}

bool ClientDocuments::is_open(std::string_view uri) const {
  return lost_count_ || documents_.contains(uri);
}

bool ClientDocuments::is_file_open(std::string_view uri) const {
  if (is_open(uri)) return true;
  const std::optional<std::string> path = lsp::file_path(uri);
  return path && files_.contains(*path);
}

std::shared_ptr<const std::string> ClientDocuments::text(std::string_view uri) {
  const auto known = documents_.find(uri);
  if (known == documents_.end() || !known->second.is_known) return nullptr;
  Document& document = known->second;
  if (!apply_changes(document)) lose_text(document);
  count(document);
  return document.text;
}

std::optional<std::string> ClientDocuments::did_open_again(std::string_view uri) {
  const std::shared_ptr<const std::string> present = text(uri);
  if (!present) return {};
  const Document& document = documents_.find(uri)->second;
  std::string params = R"({"textDocument":{"uri":)" + lsp::json_string(uri) + R"(,"languageId":)" +
                       (document.language_id.empty() ? "\"\"" : document.language_id) + R"(,"version":)" +
                       (document.version.empty() ? "0" : document.version) + R"(,"text":)";
  params.reserve(params.size() + present->size() + present->size() / 8);
  lsp::append_json_string(params, *present);
  return lsp::notification_body("textDocument/didOpen", params + "}}");
}

void ClientDocuments::open_again(
    const std::function<void(const std::string&, std::optional<std::string>)>& visit) {
  std::map<std::uint64_t, std::string> uris;
  for (const auto& [uri, document] : documents_) uris.emplace(document.order, uri);
  for (const auto& [order, uri] : uris) visit(uri, did_open_again(uri));
}

// The account of a document that is opened; null where there are too many.
ClientDocuments::Document* ClientDocuments::track(const std::string& uri) {
  if (const auto known = documents_.find(uri); known != documents_.end()) return &known->second;
  if (documents_.size() >= limits_.documents || uri.size() > most_uri_bytes - uri_bytes_) {
    lost_count_ = true;
    return nullptr;
  }
  Document& document = documents_[uri];
  document.path = lsp::file_path(uri).value_or("");
  if (!document.path.empty()) ++files_[document.path];
  uri_bytes_ += uri.size();
  return &document;
}

// Functions that return bool return false where the text is not known any more.

bool ClientDocuments::add_edit(Document& document, std::string_view change) {
  if (!document.is_known || change.size() > limits_.document_bytes) return false;
  document.changes += change;
  ++document.change_count;
  const std::size_t text_size = document.text ? document.text->size() : document.raw_text.size();
  if (document.changes.size() <= most_waiting_bytes &&
      document.change_count * text_size <= most_waiting_work) {
    return true;
  }
  return apply_changes(document);
}

bool ClientDocuments::set_whole_text(Document& document, std::string_view raw_text) {
  lose_text(document);
  if (raw_text.size() / longest_escape > limits_.document_bytes) return false;
  document.raw_text = raw_text;
  document.is_known = true;
  return raw_text.size() <= limits_.document_bytes || read_raw_text(document);
}

bool ClientDocuments::read_raw_text(Document& document) {
  std::string text;
  const std::string_view read = lsp::unescape_json_string(document.raw_text, text);
  if (read.data() != text.data()) text = read;
  text.shrink_to_fit();
  release(document.raw_text);
  document.text = std::make_shared<std::string>(valid_utf8(std::move(text)));
  return document.text->size() <= limits_.document_bytes;
}

bool ClientDocuments::apply_changes(Document& document) {
  if (!document.text && !read_raw_text(document)) return false;
  std::string_view changes = document.changes;
  // Who was given the text before keeps it as it was.
  if (!changes.empty() && document.text.use_count() > 1)
    document.text = std::make_shared<std::string>(*document.text);
  while (!changes.empty()) {
    const std::size_t length = lsp::skip_json_value(changes);
    const Result<rapidjson::Document> change = lsp::parse_json(changes.substr(0, length));
    if (!change) return false;
    const std::optional<lsp::Range> range = lsp::read_range(lsp::member(*change, "range"));
    const rapidjson::Value* const text = lsp::member(*change, "text");
    if (!range || text == nullptr || !text->IsString()) return false;
    lsp::apply_change(*document.text, range, valid_utf8({text->GetString(), text->GetStringLength()}),
                      encoding_);
    if (document.text->size() > limits_.document_bytes) return false;
    changes.remove_prefix(length);
  }
  release(document.changes);
  document.change_count = 0;
  return true;
}

void ClientDocuments::did_unread() {
  lost_count_ = true;
  for (auto& [uri, document] : documents_) {
    lose_text(document);
    count(document);
  }
}

void ClientDocuments::lose_text(Document& document) {
  document.text.reset();
  release(document.raw_text);
  release(document.changes);
  document.change_count = 0;
  document.is_known = false;
}

// To be called when a document was dealt with.
void ClientDocuments::count(Document& document) {
  const auto held = [&] {
    return (document.text ? document.text->size() : 0) + document.raw_text.size() + document.changes.size();
  };
  bytes_ -= document.counted;
  if (bytes_ + held() > limits_.bytes) lose_text(document);
  document.counted = held();
  bytes_ += document.counted;
}

}  // namespace symbols::session
