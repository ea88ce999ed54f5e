// The arguments of the tools of `symbols mcp`, which are the options of their takers. Each mistake is
// explained so that the next call is right.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/option_table.h"

namespace symbols::mcp {

// A JSON Schema of the arguments of a tool. `required`: one of them; empty for none.
std::string argument_schema(std::uint32_t taker, std::string_view required);

class ToolArguments {
 public:
  // `object`: a whole raw JSON object. `taker`: the tool, whose options are the arguments. Error: another one
  // is given, or one of another type or out of range.
  static Result<ToolArguments> read(std::string_view object, std::uint32_t taker);

  // The arguments that are options of answers.
  const options::AnswerOptions& answers() const { return answers_; }

  // None if it is absent or null.
  std::optional<std::string> text(std::string_view name) const;
  std::optional<std::uint64_t> number(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;  // a string alone counts as a list of it

  // Identifies this call of `tool` by its arguments except `but_for`.
  std::vector<std::string> words(std::string_view tool, std::string_view but_for) const;

 private:
  Result<void> check(const options::Option& option, const std::string& name);
  std::optional<options::OptionValue> value(std::string_view name) const;

  std::map<std::string, std::string, std::less<>> members_;  // raw values that are not null
  options::AnswerOptions answers_;
};

}  // namespace symbols::mcp
