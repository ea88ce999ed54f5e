#include "lsp/client_session.h"

#include <fmt/format.h>

#include "lsp/client_capabilities.h"
#include "lsp/document_notifications.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json_rpc.h"
#include "lsp/server_requests.h"

namespace symbols::lsp {
namespace {

// A provider member: true, or an object of options; false, null or absent says no.
bool provides(const rapidjson::Value& capabilities, std::string_view provider) {
  const rapidjson::Value* value = member(capabilities, provider);
  return value != nullptr && (value->IsTrue() || value->IsObject());
}

Result<ServerCapabilities> read_capabilities(std::string_view initialize_result) {
  const Result<rapidjson::Document> document = parse_json(initialize_result);
  if (!document) return document.error();
  const rapidjson::Value* capabilities = member(*document, "capabilities");
  if (capabilities == nullptr || !capabilities->IsObject()) {
    return Error{"the reply to initialize has no capabilities", {}};
  }
  return ServerCapabilities{.document_symbol = provides(*capabilities, "documentSymbolProvider"),
                            .hover = provides(*capabilities, "hoverProvider")};
}

ResponseError read_error(std::string_view json) {
  ResponseError error{error_code::internal_error, "an error without a message"};
  const Result<rapidjson::Document> document = parse_json(json);
  if (!document) return error;
  if (const rapidjson::Value* code = member(*document, "code"); code != nullptr && code->IsInt()) {
    error.code = code->GetInt();
  }
  if (const rapidjson::Value* message = member(*document, "message");
      message != nullptr && message->IsString()) {
    error.message = to_valid_utf8({message->GetString(), message->GetStringLength()});
  }
  return error;
}

// The text of a string member, or nothing.
std::string text_member(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* value = member(object, name);
  if (value == nullptr || !value->IsString()) return {};
  return to_valid_utf8({value->GetString(), value->GetStringLength()});
}

}  // namespace

ClientSession::ClientSession(SessionOptions options, Callbacks callbacks)
    : options_(std::move(options)), callbacks_(std::move(callbacks)) {}

void ClientSession::initialize(std::function<void(Result<ServerCapabilities>)> done) {
  std::string params = fmt::format(
      R"({{"processId":{},"clientInfo":{{"name":"symbols","version":{}}},"rootUri":{},"workspaceFolders":{},)"
      R"("capabilities":{})",
      options_.process_id == 0 ? "null" : std::to_string(options_.process_id), json_string(options_.version),
      options_.root_uri.empty() ? "null" : json_string(options_.root_uri),
      workspace_folders(options_.root_uri, options_.root_name), client_capabilities());
  if (!options_.initialization_options.empty()) {
    params += ",\"initializationOptions\":" + options_.initialization_options;
  }
  params += '}';
  request("initialize", params, [this, done = std::move(done)](const Reply& reply) {
    if (reply.failed) {
      done(Error{"it refused initialize: " + reply.error.message, {}});
      return;
    }
    Result<ServerCapabilities> capabilities = read_capabilities(reply.result);
    providers_ = ServerProviders::of_initialize(reply.result);
    if (capabilities) {
      capabilities_ = *capabilities;
      notify("initialized", "{}");
    }
    done(std::move(capabilities));
  });
}

void ClientSession::open(std::string_view uri, std::string_view language_id, std::string_view text) {
  callbacks_.send(did_open_notification(uri, language_id, 1, text));
  published_.opened(uri);
}

void ClientSession::close(std::string_view uri) {
  callbacks_.send(did_close_notification(uri));
}

RequestNumber ClientSession::request(std::string_view method, std::string_view params, ReplyHandler handler) {
  const RequestNumber number = requests_.add(std::move(handler));
  callbacks_.send(request_body(requests_.id(number), method, params));
  return number;
}

void ClientSession::cancel(RequestNumber number) {
  if (!requests_.forget(number)) return;
  callbacks_.send(cancel_body(requests_.id(number)));
}

void ClientSession::notify(std::string_view method, std::string_view params) {
  callbacks_.send(notification_body(method, params));
}

void ClientSession::shutdown(std::function<void()> done) {
  request("shutdown", {}, [this, done = std::move(done)](const Reply&) {
    notify("exit", {});
    done();
  });
}

Result<void> ClientSession::receive(std::string_view body) {
  const Result<Envelope> envelope = read_envelope(body);
  if (!envelope) return envelope.error();
  switch (envelope->kind) {
    case Envelope::Kind::reply:
      if (callbacks_.on_activity) callbacks_.on_activity();
      requests_.settle(envelope->id, {.failed = false, .result = envelope->rest, .error = {}});
      break;
    case Envelope::Kind::error:
      if (callbacks_.on_activity) callbacks_.on_activity();
      requests_.settle(envelope->id, {.failed = true, .result = {}, .error = read_error(envelope->rest)});
      break;
    case Envelope::Kind::request: {
      if (envelope->method == "client/registerCapability") providers_.add_registrations(envelope->rest);
      std::string answer = answer_server_request(*envelope, options_.root_uri, options_.root_name);
      bytes_answered_ += answer.size();
      callbacks_.send(std::move(answer));
      break;
    }
    case Envelope::Kind::notification:
      receive_notification(*envelope, body);
      break;
  }
  return {};
}

void ClientSession::receive_notification(const Envelope& envelope, std::string_view body) {
  if (envelope.method == "$/progress") {
    if (callbacks_.on_activity) callbacks_.on_activity();
    receive_progress(envelope.rest);
  } else if (envelope.method == "textDocument/publishDiagnostics") {
    published_.keep(body);
  }
}

void ClientSession::receive_progress(std::string_view params) {
  const Result<rapidjson::Document> document = parse_json(params);
  if (!document) return;
  const rapidjson::Value* token = member(*document, "token");
  const rapidjson::Value* value = member(*document, "value");
  if (token == nullptr || value == nullptr) return;
  const std::string key = token->IsString()  ? text_member(*document, "token")
                          : token->IsInt64() ? std::to_string(token->GetInt64())
                                             : std::string();
  const std::string kind = text_member(*value, "kind");
  if (kind == "end") {
    progress_.erase(key);
    return;
  }
  // A server that opens tokens without end must not fill our memory.
  constexpr std::size_t max_tokens = 1000;
  const auto known = progress_.find(key);
  if (known == progress_.end() && (kind != "begin" || progress_.size() == max_tokens)) return;
  std::string& text = known == progress_.end() ? progress_[key] : known->second;
  if (kind == "begin") {
    text = text_member(*value, "title");
    was_busy_ = true;
  }
  if (const std::string message = text_member(*value, "message"); !message.empty()) {
    text = text.substr(0, text.find(": ")) + ": " + message;
  }
}

std::string ClientSession::progress_text() const {
  return progress_.empty() ? std::string() : progress_.begin()->second;
}

}  // namespace symbols::lsp
