// Results in assertions: `REQUIRE(error_of(r) == "")` prints why there is no value.
#pragma once

#include <string>

#include "base/result.h"

namespace symbols::table {

// The error's text, empty where there is a value.
template <class T>
std::string error_of(const Result<T>& result) {
  return result ? std::string() : result.error().text();
}

}  // namespace symbols::table
