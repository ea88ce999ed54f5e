// Errors that can happen are values. Every message says what was attempted, on what, and what to do.
#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace symbols {

// An error for a person, in one line. `message` names what failed (a file, a server, a line and column);
// `advice` says what to do about it and may be empty.
struct Error {
  std::string message;
  std::string advice;

  Error() = default;
  // Two arguments and no fewer: an Error that a string converts to would make Result<std::string> ambiguous.
  Error(std::string what, std::string what_to_do) : message(std::move(what)), advice(std::move(what_to_do)) {}

  // Both parts in one line: "message; advice".
  std::string text() const { return advice.empty() ? message : message + "; " + advice; }
};

// Never called by correct code: `.value()` on an error is a bug, and ends here.
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::logic_error("unchecked error: " + error.text());
}

// A T, or the Error that explains why there is none.
template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace symbols
