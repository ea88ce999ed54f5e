#include "proxy/session/request_queue.h"

#include <utility>

#include "lsp/json_rpc.h"

namespace symbols::session {

RequestQueue::RequestQueue(const std::string& prefix, Callbacks callbacks)
    : callbacks_(std::move(callbacks)),
      own_([this](std::string body) { callbacks_.to_server(std::move(body)); }, prefix) {}

void RequestQueue::answered(std::string_view client_id) {
  incoming_.remove(client_id);
  if (incoming_.empty()) callbacks_.on_all_answered();
}

void RequestQueue::answer(std::string_view client_id, const query::Answer& answer) {
  callbacks_.to_client(answer.failed ? lsp::error_body(client_id, answer.json)
                                     : lsp::result_body(client_id, answer.json));
  answered(client_id);
}

void RequestQueue::refuse(std::string_view client_id, int code, std::string_view message) {
  callbacks_.to_client(lsp::error_body(client_id, lsp::error_json(code, message)));
}

}  // namespace symbols::session
