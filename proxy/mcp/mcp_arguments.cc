#include "proxy/mcp/mcp_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lsp/json/json.h"
#include "lsp/json/json_elements.h"
#include "lsp/json/json_members.h"
#include "proxy/options/nearest_name.h"
#include "table/escape.h"

namespace symbols::mcp {
namespace {

std::vector<std::string_view> argument_names(std::string_view schema) {
  std::vector<std::string_view> names;
  lsp::JsonMembers members(schema);
  while (members.next()) {
    if (members.name() != "properties") continue;
    lsp::JsonMembers properties(*members.value());
    while (properties.next()) names.push_back(properties.name());
  }
  return names;
}

}  // namespace

Result<ToolArguments> ToolArguments::read(std::string_view object, std::string_view schema) {
  const std::vector<std::string_view> names = argument_names(schema);
  ToolArguments arguments;
  lsp::JsonMembers members(object);
  while (members.next()) {
    std::string storage;
    const std::string name(lsp::unescape_json_string(members.name(), storage));
    if (std::ranges::find(names, name) == names.end()) {
      const std::string_view nearest = options::nearest_name(name, names);
      return Error{fmt::format("there is no argument {}{}", table::quoted(name),
                               nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)),
                   fmt::format("the arguments are {}", fmt::join(names, ", "))};
    }
    const std::string_view value = members.value().value_or("null");
    std::erase_if(arguments.members_, [&](const auto& member) { return member.first == name; });
    if (value != "null") arguments.members_.emplace_back(name, value);
  }
  return arguments;
}

std::optional<options::OptionValue> ToolArguments::value(std::string_view name) const {
  const auto member =
      std::ranges::find(members_, name, [](const auto& one) { return std::string_view(one.first); });
  if (member == members_.end()) return std::nullopt;
  return options::OptionValue::of_json(member->first, member->second);
}

std::optional<std::string> ToolArguments::text(std::string_view name) {
  const std::optional<options::OptionValue> given = value(name);
  std::optional<std::string> text = given ? given->text() : std::nullopt;
  if (given && !text) note_mistake(given->error("a string"));
  return text;
}

std::optional<std::uint64_t> ToolArguments::number(std::string_view name, std::uint64_t least,
                                                   std::uint64_t most) {
  const std::optional<options::OptionValue> given = value(name);
  if (!given) return std::nullopt;
  const Result<std::uint64_t> number = given->number_within(least, most);
  if (number) return *number;
  note_mistake(number.error());
  return std::nullopt;
}

std::vector<std::string> ToolArguments::texts(std::string_view name, std::size_t max_count) {
  const auto member =
      std::ranges::find(members_, name, [](const auto& one) { return std::string_view(one.first); });
  if (member == members_.end()) return {};
  if (std::optional<std::string> one = lsp::json_string_text(member->second)) return {std::move(*one)};
  std::vector<std::string> texts;
  std::size_t count = 0;
  bool all_texts = true;
  const auto elements = lsp::for_each_element(member->second, [&](std::string_view element) {
    if (++count > max_count) return;
    std::optional<std::string> text = lsp::json_string_text(element);
    all_texts = all_texts && text;
    if (text) texts.push_back(std::move(*text));
  });
  if (count > max_count) {
    note_mistake(Error{fmt::format("{} has {} entries, and the limit is {}", name, count, max_count),
                       "give a folder instead of its files, or make several calls"});
    return {};
  }
  if (!elements || !all_texts) note_mistake(value(name)->error("a list of strings"));
  return texts;
}

std::vector<std::string> ToolArguments::words(std::string_view tool, std::string_view but_for) const {
  std::vector<std::string> words = {"mcp", std::string(tool)};
  for (const auto& [name, raw] : members_) {
    if (name != but_for) words.push_back(fmt::format("{}={}", name, raw));
  }
  return words;
}

}  // namespace symbols::mcp
