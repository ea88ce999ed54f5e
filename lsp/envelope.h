// What kind of message a body is, found without building a tree: the reader stops as soon as it knows.
#pragma once

#include <string>
#include <string_view>

#include "lsp/result.h"

namespace symbols::lsp {

// The outermost members of a JSON-RPC 2.0 message. Views point into the body and live as long as it.
struct Envelope {
  enum class Kind {
    request,       // method and id
    notification,  // method alone
    reply,         // id and result
    error,         // id and error
  };
  Kind kind = Kind::notification;
  // Its bytes as they are (`1` is not `"1"`, 9007199254740993 stays itself); may be `null`.
  std::string_view id;
  std::string method;  // unescaped
  // From the first byte of params, result or error to the body's end; empty where there is none.
  std::string_view rest;
};

// Reads the envelope of `body`. Members may stand in any order (gopls writes `id` after `result`): only what
// stands before the last needed one is passed over. Errors: not a JSON object, or an object that is no
// message; a batch (an array) is one of them.
Result<Envelope> read_envelope(std::string_view body);

}  // namespace symbols::lsp
