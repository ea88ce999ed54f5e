// The kind of a message and its outermost members, without building a tree: the reader stops early.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace symbols::lsp {

// The outermost members of a JSON-RPC 2.0 message. Views point into the body and live as long as it does.
struct Envelope {
  enum class Kind {
    request,       // method and id
    notification,  // method alone
    reply,         // id and result
    error,         // id and error
  };
  Kind kind = Kind::notification;
  // Its raw bytes (`1` is not `"1"`, 9007199254740993 is kept exactly); may be `null`.
  std::string_view id;
  std::string method;  // unescaped
  // From the first byte of params, result or error to the body's end; empty if there is none.
  std::string_view rest;
};

// Reads the envelope of `body`. Members may be in any order (gopls writes `id` after `result`): only what
// precedes the last needed one is scanned. Errors: not a JSON object (a batch, say), or an object that is not
// a message. Without `past_params` they are not passed over: a message whose id is behind them counts as a
// notification.
Result<Envelope> read_envelope(std::string_view body, bool past_params = true);

}  // namespace symbols::lsp
