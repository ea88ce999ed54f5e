// The arguments of the tools of `symbols mcp`, which are the options of their takers, and the folders that
// their paths may lead to. Each mistake is explained so that the next call is right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "proxy/mcp/mcp_tools.h"
#include "proxy/options/option_value.h"
#include "table/escape.h"

namespace symbols::mcp {
namespace {

using options::Option;

// Every argument has one type: clients that check schemas strictly (Gemini CLI) complain about several.
std::string type_of(const Option& option) {
  const auto& [to, values, alias, otherwise, least, most] = option.details;
  if (option.type == "N") return fmt::format(R"("integer","minimum":{},"maximum":{})", least, most);
  if (option.type == "LIST") return R"("array","items":{"type":"string"})";
  if (option.type.ends_with("..."))
    return fmt::format(R"("array","items":{{"type":"string"}},"minItems":{},"maxItems":{})", least, most);
  if (values.empty()) return R"("string")";
  return fmt::format(R"("string","enum":["{}"])", fmt::join(split(values, ' '), R"(",")"));
}

// None if it is neither a string nor an array of strings.
std::optional<std::vector<std::string>> strings_of(std::string_view json) {
  if (std::optional<std::string> one = lsp::json_string_text(json)) return std::vector{std::move(*one)};
  std::vector<std::string> texts;
  bool are_strings = true;
  const auto elements = lsp::for_each_element(json, [&](std::string_view element) {
    std::optional<std::string> text = lsp::json_string_text(element);
    are_strings = are_strings && text;
    if (text) texts.push_back(std::move(*text));
  });
  return elements && are_strings ? std::optional(std::move(texts)) : std::nullopt;
}

}  // namespace

std::string argument_schema(std::uint32_t taker, std::string_view required) {
  std::string properties;
  for (const Option& option : options::all_options()) {
    if (!option.is_for(taker)) continue;
    properties +=
        fmt::format(R"({}"{}":{{"type":{},"description":{}}})", properties.empty() ? "" : ",",
                    options::json_name(option.name), type_of(option), lsp::json_string(option.help));
  }
  return fmt::format(R"({{"type":"object","properties":{{{}}},{}"additionalProperties":false}})", properties,
                     required.empty() ? "" : fmt::format(R"("required":["{}"],)", required));
}

Result<ToolArguments> ToolArguments::read(std::string_view object, std::uint32_t taker) {
  ToolArguments arguments;
  for (lsp::JsonMembers members(object); members.next();)
    arguments.members_[std::string(members.name())] = members.value().value_or("null");
  std::erase_if(arguments.members_, [](const auto& member) { return member.second == "null"; });

  for (const auto& [name, raw] : arguments.members_) {
    const Option* const option = options::find_option(name, taker);
    // No other spelling and no alias: a schema has one name.
    if (option == nullptr || options::json_name(option->name) != name)
      return options::no_such_option("argument", name, taker);
    if (const Result<void> good = arguments.check(*option, name); !good) return good.error();
  }
  return arguments;
}

Result<void> ToolArguments::check(const Option& option, const std::string& name) {
  const options::OptionValue given = *value(name);
  const options::OptionDetails& details = option.details;
  if (details.to.set != nullptr) return details.to.set(answers_, option, given);
  if (option.type == "N") {
    const Result<std::uint64_t> number = given.number_within(details.least, details.most);
    return number ? Result<void>() : number.error();
  }
  if (!option.type.ends_with("...")) return given.text() ? Result<void>() : given.error("a string");
  const auto strings = strings_of(members_[name]);
  if (!strings) return given.error("a list of strings");
  if (strings->size() <= details.most) return {};
  return Error{fmt::format("{} has {} entries, and the limit is {}", name, strings->size(), details.most),
               "give a folder instead of its files, or make several calls"};
}

std::optional<options::OptionValue> ToolArguments::value(std::string_view name) const {
  const auto member = members_.find(name);
  if (member == members_.end()) return std::nullopt;
  return options::OptionValue::of_json(member->first, member->second);
}

std::optional<std::string> ToolArguments::text(std::string_view name) const {
  const std::optional<options::OptionValue> given = value(name);
  return given ? given->text() : std::nullopt;
}

std::optional<std::uint64_t> ToolArguments::number(std::string_view name) const {
  const std::optional<options::OptionValue> given = value(name);
  return given ? given->number() : std::nullopt;
}

std::vector<std::string> ToolArguments::texts(std::string_view name) const {
  const auto member = members_.find(name);
  if (member == members_.end()) return {};
  return strings_of(member->second).value_or(std::vector<std::string>());
}

std::vector<std::string> ToolArguments::words(std::string_view tool, std::string_view but_for) const {
  std::vector<std::string> words = {"mcp", std::string(tool)};
  for (const auto& [name, raw] : members_) {
    if (name != but_for) words.push_back(fmt::format("{}={}", name, raw));
  }
  return words;
}

Result<AllowedRoots> AllowedRoots::of(const std::vector<std::string>& folders) {
  AllowedRoots allowed;
  for (const std::string& folder : folders) {
    std::error_code failure;
    const fs::path root = fs::canonical(folder, failure);
    if (failure || !fs::is_directory(root, failure)) continue;
    if (root == root.root_path())
      return Error{"the project's folder is unknown: / is no project", "start the server with --root DIR"};
    if (std::ranges::find(allowed.roots_, root) == allowed.roots_.end()) allowed.roots_.push_back(root);
  }
  if (!allowed.roots_.empty()) return allowed;
  std::vector<std::string> quoted;
  for (const std::string& folder : folders) quoted.push_back(table::quoted(folder));
  return Error{folders.empty() ? "the client names no folder that may be read"
                               : fmt::format("not a folder: {}", fmt::join(quoted, ", ")),
               "open a folder in the client, or start the server with --root DIR"};
}

Result<fs::path> AllowedRoots::find(const std::string& given) const {
  const std::string path = given.starts_with("file:") ? lsp::file_path(given).value_or(given) : given;
  if (path.empty() || path.find('\0') != std::string::npos)
    return Error{"a path is empty or has a NUL byte", "give a file or folder of the project"};
  std::error_code failure;
  for (const fs::path& root : roots_) {
    // An absolute path replaces the root.
    const fs::path found = fs::canonical(root / path, failure);
    if (!failure && root_of(found) != nullptr) return found;
  }
  std::vector<std::string> names;
  for (const fs::path& root : roots_) names.push_back(table::quoted(root.string()));
  return Error{fmt::format("{} is not in {}", table::quoted(given), fmt::join(names, ", ")),
               "give the path of a file or folder there; the tools find and map list paths"};
}

Result<void> AllowedRoots::enter() const {
  std::error_code failure;
  fs::current_path(first(), failure);
  if (!failure && fs::current_path(failure) == first()) return {};
  return Error{"cannot enter " + table::quoted(first().string()), "start the server with --root DIR"};
}

const fs::path* AllowedRoots::root_of(const fs::path& path) const {
  const auto root =
      std::ranges::find_if(roots_, [&](const fs::path& one) { return files::contains(one, path); });
  return root == roots_.end() ? nullptr : &*root;
}

}  // namespace symbols::mcp
