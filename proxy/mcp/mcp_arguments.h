// The arguments of the tools of `symbols mcp`, which are the options of their takers, and the folders that
// their paths may lead to. Each mistake is explained so that the next call is right.
#pragma once

#include <cstdint>
#include <filesystem>
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

// The folders that a client of ours may ask about: no path leads out of them.
class AllowedRoots {
 public:
  // Those of `folders` that are folders. Error: none is, or one is `/`, which would confine nothing.
  static Result<AllowedRoots> of(const std::vector<std::string>& folders);

  // Canonical, at least one.
  const std::vector<std::filesystem::path>& all() const { return roots_; }
  const std::filesystem::path& first() const { return roots_.front(); }

  // The canonical path of a file or folder that is there: `given` is absolute, a file URI, or relative to one
  // of the roots, of which the first that has it counts. It is in a root as long as it is opened without
  // following links (files::Symlinks::refuse), for one may be put in its way any time. Errors: it is not
  // there, or not in a root, also by way of symbolic links or `..`; nothing is told of what is outside.
  Result<std::filesystem::path> find(const std::string& given) const;
  // Makes the first root the working folder. Error: it is not there any more, or is a link by now.
  Result<void> enter() const;
  // The root that a canonical path is in, by its name alone; null if it is in none.
  const std::filesystem::path* root_of(const std::filesystem::path& path) const;

 private:
  std::vector<std::filesystem::path> roots_;
};

}  // namespace symbols::mcp
