#include "lsp/client_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/uri.h"

namespace symbols::lsp {
namespace {

// The system's own words, without their first letter, which Go and Node.js write small.
bool tells_of_full_disk(std::string_view message) {
  return message.find("o space left on device") != std::string_view::npos ||
         message.find("isk quota exceeded") != std::string_view::npos;
}

// One null for each configuration item asked for.
std::string configuration_defaults(std::string_view params) {
  const Result<rapidjson::Document> document = parse_json(params);
  const std::size_t count = document ? array_member(*document, "items").size() : 0;
  return fmt::format("[{}]", fmt::join(std::vector<std::string_view>(count, "null"), ","));
}

}  // namespace

std::string client_capabilities() {
  const std::string kinds = R"("symbolKind":{"valueSet":)" + std::string(all_symbol_kinds) + '}';
  return R"({"general":{"positionEncodings":["utf-16"]},)"
         R"("textDocument":{)"
         R"("synchronization":{},)"
         R"("documentSymbol":{"hierarchicalDocumentSymbolSupport":true,)" +
         kinds +
         R"(,"tagSupport":{"valueSet":[1]}},)"
         R"("hover":{"contentFormat":["markdown","plaintext"]},)"
         R"("references":{},"implementation":{},"callHierarchy":{},"typeHierarchy":{},"rename":{},)"
         R"("diagnostic":{"dynamicRegistration":true},)"
         R"("publishDiagnostics":{}},)"
         R"("window":{"workDoneProgress":true,"showMessage":{}},)"
         R"("workspace":{"configuration":true,"workspaceFolders":true,)"
         R"("symbol":{)" +
         kinds + "}}}";
}

std::string workspace_folders(std::string_view root_uri) {
  if (root_uri.empty()) return "null";
  const std::string path = file_path(root_uri).value_or("");
  const std::string_view root = trim(path, "/");
  const std::string_view root_name = root.substr(root.rfind('/') + 1);  // for people
  return fmt::format(R"([{{"uri":{},"name":{}}}])", json_string(root_uri), json_string(root_name));
}

std::string answer_server_request(const Envelope& request, std::string_view folders) {
  const std::string_view method = request.method;
  const auto answer = [&](std::string_view result) { return result_body(request.id, result); };
  if (method == "workspace/configuration") return answer(configuration_defaults(request.rest));
  if (method == "workspace/workspaceFolders") return answer(folders);
  if (method == "client/registerCapability" || method == "client/unregisterCapability" ||
      method == "window/workDoneProgress/create" || method == "window/showMessageRequest" ||
      (method.starts_with("workspace/") && method.ends_with("/refresh"))) {
    return answer("null");
  }
  if (method == "window/showDocument") return answer(R"({"success":false})");
  if (method == "workspace/applyEdit") return answer(R"({"applied":false})");
  return error_body(request.id, error_json(error_code::method_not_found,
                                           "symbols does not know the request " + request.method));
}

ClientSession::ClientSession(SessionOptions options, Callbacks callbacks)
    : options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      requests_([this](std::string body) { callbacks_.send(std::move(body)); }),
      files_are_found_(options_.files_found_logs.empty() || options_.root_uri.empty()) {}

void ClientSession::initialize(std::function<void(Result<ServerCapabilities>)> done) {
  std::string params = fmt::format(
      R"({{"processId":{},"clientInfo":{{"name":"symbols","version":{}}},"rootUri":{},"workspaceFolders":{},)"
      R"("capabilities":{})",
      options_.process_id == 0 ? "null" : std::to_string(options_.process_id), json_string(options_.version),
      options_.root_uri.empty() ? "null" : json_string(options_.root_uri),
      workspace_folders(options_.root_uri), client_capabilities());
  if (!options_.initialization_options.empty())
    params += ",\"initializationOptions\":" + options_.initialization_options;
  params += '}';
  requests_.request("initialize", params, [this, done = std::move(done)](const Reply& reply) {
    if (reply.failed) return done(Error{"it refused initialize: " + reply.error.message, {}});
    Result<ServerCapabilities> capabilities = ServerCapabilities::of_initialize(reply.result);
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

void ClientSession::shutdown(std::function<void()> done) {
  requests_.request("shutdown", {}, [this, done = std::move(done)](const Reply&) {
    notify("exit", {});
    done();
  });
}

Result<void> ClientSession::receive(std::string_view body) {
  const Result<Envelope> envelope = read_envelope(body);
  if (!envelope) return envelope.error();
  switch (envelope->kind) {
    case Envelope::Kind::reply:
    case Envelope::Kind::error:
      if (callbacks_.on_activity) callbacks_.on_activity();
      requests_.receive(*envelope);
      break;
    case Envelope::Kind::request: {
      if (envelope->method == "client/registerCapability") capabilities_.add_registrations(envelope->rest);
      std::string answer = answer_server_request(*envelope, workspace_folders(options_.root_uri));
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
    progress_.receive(envelope.rest);
  } else if (envelope.method == "textDocument/publishDiagnostics") {
    published_.keep(body);
  } else if (envelope.method == "window/logMessage" || envelope.method == "window/showMessage") {
    lacked_disk_space_ = lacked_disk_space_ || tells_of_full_disk(envelope.rest);
    if (files_are_found_) return;
    const Result<rapidjson::Document> params = parse_json(envelope.rest);
    if (!params) return;
    const std::string message = text_member(*params, "message");
    files_are_found_ = std::ranges::any_of(options_.files_found_logs,
                                           [&](const auto& log) { return message.starts_with(log); });
  }
}

std::string ClientSession::loading_text() const {
  return files_are_found_ ? progress_.text() : "finding the project's files";
}

}  // namespace symbols::lsp
