// Finds what kind of message a body is without building a tree: the reader stops as soon as it knows.
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
// a message.
Result<Envelope> read_envelope(std::string_view body);

// What the first bytes of a body tell before the rest has arrived.
struct EnvelopeStart {
  // Cannot become a message, whatever follows: not a JSON object (a batch, say), or one that ended without
  // what a message needs. read_envelope on the whole body says why.
  bool malformed = false;
  // Raw bytes of a complete id, a view of the prefix; empty if none was seen.
  std::string_view id;
  std::string method;       // unescaped; empty if none was seen
  bool has_method = false;  // its whole name was seen
  bool has_answer = false;  // the value of `result`, or of an `error` that is not null, has begun
  bool complete = false;    // the closing brace was seen: members that are empty here are missing
};

// Reads the beginning of a body: up to the id and a method or an answer, or to the first incomplete member. A
// method without an id is a notification only if `complete`. Once it has the method it stops where `params`
// begins, unless `past_params`: then it skips what there is of them, to find an id after them. A `result` is
// always skipped to find the id. Time is linear in what is skipped: a second call with a longer prefix starts
// at the first byte.
EnvelopeStart read_envelope_start(std::string_view prefix, bool past_params = false);

// The raw bytes of the id of a message whose body ends in `tail`, if the last member of the object is an id:
// a number, or a string without escapes. Else empty, also if `tail` starts within that member or right at its
// name. For gopls, whose replies have their id after a result of any size. Only the last member is looked at:
// the caller assumes that the body is one JSON object.
std::string_view read_trailing_id(std::string_view tail);

}  // namespace symbols::lsp
