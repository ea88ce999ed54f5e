#include "base/result.h"

#include <stdexcept>

namespace symbols {

void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::logic_error("unchecked error: " + error.text());
}

}  // namespace symbols
