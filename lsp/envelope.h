// What kind of message a body is, found without building a tree: the reader stops as soon as it knows.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

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

// What the first bytes of a body tell, before the rest has come.
struct EnvelopeStart {
  // Cannot become a message whatever follows: no JSON object (a batch, say), or one that ended without what a
  // message needs. read_envelope on the whole body says why.
  bool malformed = false;
  // Raw bytes of a complete id, a view of the prefix; empty while none was seen.
  std::string_view id;
  std::string method;       // unescaped; empty while none was seen
  bool has_method = false;  // its whole name was seen
  bool has_answer = false;  // the value of `result`, or of an `error` that is not null, has begun
  bool complete = false;    // the closing brace was seen: what is empty here is not in the message
};

// Reads the beginning of a body as far as it tells something new: up to the id and a method or an answer, or
// to the first member that is not complete. A method without an id is a notification only if `complete`. With
// a method known it stops where `params` begins, unless `past_params`: then it passes over what there is of
// them, to find an id behind. To find one behind a `result` it passes over that in any case. Time is linear
// in what it passes over: to ask again with a longer prefix starts from the first byte.
EnvelopeStart read_envelope_start(std::string_view prefix, bool past_params = false);

// The raw bytes of the id of a message whose body ends in `tail`, where the last member of the object is an
// id: a number, or a string without escapes. Empty where it is not, or where `tail` starts within that member
// or right at its name. For gopls, whose replies have their id behind a result of any size. That the body is
// one JSON object is the caller's assumption: no more than the last member is looked at.
std::string_view read_trailing_id(std::string_view tail);

}  // namespace symbols::lsp
