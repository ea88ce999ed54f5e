// Numbers in JSON and text formats: appends decimal digits to the output, without a format string or an
// allocation.
#pragma once

#include <fmt/format.h>

#include <string>

namespace symbols {

template <class Integer>
void append_number(std::string& out, Integer number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace symbols
