// The tools of `symbols mcp`: what a model reads of them, and the arguments that it gives. Each mistake is
// explained so that the next call is right.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/mcp/mcp_session.h"
#include "proxy/options/option_table.h"

namespace symbols::mcp {

// Names, descriptions, and the arguments, which are the options of taker_of().
const std::vector<Tool>& tool_schemas();
std::uint32_t taker_of(std::string_view tool);

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
