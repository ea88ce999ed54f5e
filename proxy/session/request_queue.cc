#include "proxy/session/request_queue.h"

#include <utility>

#include "lsp/messages.h"

namespace symbols::session {

RequestQueue::RequestQueue(const std::string& prefix, Callbacks callbacks)
    : callbacks_(std::move(callbacks)),
      own_([this](std::string body) { callbacks_.to_server(std::move(body)); }, prefix) {}

void RequestQueue::add(std::string_view client_id) {
  if (waiting_.size() >= most_waiting || client_id.size() > longest_id) return;
  waiting_.emplace(client_id);
}

void RequestQueue::answered(std::string_view client_id) {
  if (const auto found = waiting_.find(client_id); found != waiting_.end()) waiting_.erase(found);
  if (waiting_.empty()) callbacks_.on_all_answered();
}

std::vector<std::string> RequestQueue::take_waiting() {
  std::vector<std::string> ids(waiting_.begin(), waiting_.end());
  waiting_.clear();
  return ids;
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
