// What comes back for a request.
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
  std::string message;  // the server's own words, not yet made safe for a terminal
};

// A result or an error. `result` views the message that brought it, from the first byte of the result or of
// the error object on, and is valid only while the handler runs.
struct Reply {
  bool failed = false;
  std::string_view result;
  ResponseError error;
};

using ReplyHandler = std::function<void(const Reply&)>;

using RequestNumber = std::uint64_t;

// Something that requests can be sent through: a client session, or the proxy on its own account.
class RequestSender {
 public:
  virtual ~RequestSender() = default;

  // Sends a request; `params` is JSON text, empty for none. The handler is called once, later, unless
  // cancel() comes first.
  virtual RequestNumber request(std::string_view method, std::string_view params, ReplyHandler handler) = 0;
  // Sends $/cancelRequest; the handler is not called any more, and a late reply is swallowed. A number that
  // was answered is ignored.
  virtual void cancel(RequestNumber number) = 0;
};

}  // namespace symbols::lsp
