// The options of an answer as members of a JSON object: params of a request, initializationOptions.symbols
// (docs/spec.md, section 4).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/options/answer_options.h"

namespace symbols::options {

// Their names, with aliases. They are never params of the server.
std::span<const std::string_view> answer_option_names();

// Reads the options among the members of `object` (raw JSON). Other members are ignored, and null means
// absent. If `object` is not an object, no option is set. Error: a value of the wrong type or range, with the
// option and the allowed values.
Result<AnswerOptions> read_answer_options(std::string_view object);

// For `capabilities.experimental.symbols`: {"version":…,"formats":[…],"options":[…]}.
std::string describe_answer_options(std::string_view version);

}  // namespace symbols::options
