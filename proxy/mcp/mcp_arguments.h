// The arguments of a tool call, as a model gives them: named, typed, and each mistake told so that the next
// call is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "proxy/options/option_value.h"

namespace symbols::mcp {

class ToolArguments {
 public:
  // `object`: a whole raw JSON object. `schema`: the tool's input schema; its properties are the arguments
  // there are. Error: another one is given.
  static Result<ToolArguments> read(std::string_view object, std::string_view schema);

  // None if it is absent, null or wrong: of another type, or a number out of range.
  std::optional<std::string> text(std::string_view name);
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t least, std::uint64_t most);
  // At most `max_count` strings; a string alone counts as a list of it.
  std::vector<std::string> texts(std::string_view name, std::size_t max_count);
  // What was wrong first of those that have been read so far.
  const std::optional<Error>& mistake() const { return mistake_; }
  // For readers of options; none if it is absent or null.
  std::optional<options::OptionValue> value(std::string_view name) const;

  // What tells this call of `tool` from other calls, without the argument `but_for`.
  std::vector<std::string> words(std::string_view tool, std::string_view but_for) const;

 private:
  void note_mistake(const Error& error) {
    if (!mistake_) mistake_ = error;
  }

  std::vector<std::pair<std::string, std::string>> members_;  // raw values that are not null
  std::optional<Error> mistake_;
};

}  // namespace symbols::mcp
