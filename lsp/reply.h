// The reply to a request.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace symbols::lsp {

// Error codes that we send or act on (LSP 3.17, "Response Message").
namespace error_code {
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int request_failed = -32803;
inline constexpr int server_cancelled = -32802;
inline constexpr int content_modified = -32801;
inline constexpr int request_cancelled = -32800;
}  // namespace error_code

struct ResponseError {
  int code = 0;
  std::string message;  // the server's own, not escaped for a terminal
};

// A result or an error. `result` is a view of the message from the first byte of the result or the error
// object to the end, valid only while the handler runs.
struct Reply {
  bool failed = false;
  std::string_view result;
  ResponseError error;
};

using ReplyHandler = std::function<void(const Reply&)>;

using RequestNumber = std::uint64_t;

// Sends requests to a server: a client session, or the proxy for its own requests.
class RequestSender {
 public:
  virtual ~RequestSender() = default;

  // Sends a request; `params` is JSON text, empty for none. The handler is called once, later, unless
  // cancel() comes first.
  virtual RequestNumber request(std::string_view method, std::string_view params, ReplyHandler handler) = 0;
  // Sends $/cancelRequest; the handler is no longer called, and a late reply is ignored. Does nothing for a
  // request that was answered.
  virtual void cancel(RequestNumber number) = 0;
};

}  // namespace symbols::lsp
