// From what somebody gave, in JSON or as a flag, to the options of an answer: which options there are, and
// what values each takes (docs/spec.md, section 4).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "proxy/options/answer_options.h"
#include "proxy/options/option_value.h"

namespace symbols::options {

// Their names; they are never the server's.
std::span<const std::string_view> answer_option_names();

// Those among the members of `object` (raw JSON); other members are not looked at, null says nothing. Error:
// a value that is wrong in type or range, named with the option and what is allowed. `object` that is none
// says nothing.
Result<AnswerOptions> read_answer_options(std::string_view object);

// Sets the option `name`, one of answer_option_names(), to what a user gave. Error: as above.
Result<void> set_answer_option(AnswerOptions& options, std::string_view name, const OptionValue& value);

// For `capabilities.experimental.symbols`: {"version":…,"formats":[…],"options":[…]}.
std::string describe_answer_options(std::string_view version);

}  // namespace symbols::options
