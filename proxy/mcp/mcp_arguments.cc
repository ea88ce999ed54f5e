#include "proxy/mcp/mcp_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/options/option_value.h"
#include "table/escape.h"

namespace symbols::mcp {
namespace {

using options::Option;
namespace takers = options::takers;

struct KnownTool {
  std::string_view name;
  std::uint32_t taker;
  std::string_view required;  // an argument; empty: none
  std::string_view title;
  std::string_view description;
};

// All of it is sent with every conversation, so each word has to earn its tokens.
constexpr auto known_tools = std::to_array<KnownTool>({
    {"outline", takers::outline_tool, "paths", "Outline of files",
     "What is in source files: every class, function, method, field, nested, with its lines. Use it before "
     "reading a file: it costs a tenth of the file, and says which lines to read. Each symbol is a letter "
     "for its kind, its first line (a last one if it is 20 lines or longer) and its name: `c28-44 Rectangle` "
     "is a class on lines 28 to 44. Letters: c class, i interface, s struct, e enum, E enum member, f "
     "function, m method, C constructor, p property, F field, v variable, k constant, n namespace, M module, "
     "T type parameter. Indentation is nesting; after a space or comma follow the next symbols of the same "
     "kind, on the next or the same line; +N are N folded ones."},
    {"find", takers::find_tool, "query", "Find symbols by name",
     "Where symbols are declared in the whole project, by name: exact matches first, then prefixes, then "
     "fuzzy ones, with kind, container, file and line. Use it instead of grep to find a definition. The "
     "first call in a project indexes it, which can take a minute."},
    {"context", takers::context_tool, "", "Everything about one symbol",
     "One symbol: its type and documentation, members, source text, references in the whole project, "
     "callers, and the diagnostics of its file. Use it before changing a symbol, and instead of reading its "
     "file and searching for its uses. Give its path and line, its path and name, or its name alone."},
    {"map", takers::map_tool, "", "Map of the project",
     "The project at a glance: its folders and files with their most used names, within a budget of tokens. "
     "Use it first in a project that you do not know. The first call in a project indexes it, which can take "
     "a minute."},
    {"diagnostics", takers::diagnostics_tool, "paths", "Errors and warnings of files",
     "The errors and warnings that the compiler or type checker has for files. Use it after an edit."},
    {"hover", takers::hover_tool, "path", "Type and documentation of a symbol",
     "The type, signature and documentation of the symbol that is declared at a place or called by a name in "
     "a file. For more about it, context."},
});

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

std::string schema_of(const KnownTool& tool) {
  std::string properties;
  for (const Option& option : options::all_options()) {
    if (!option.is_for(tool.taker)) continue;
    properties +=
        fmt::format(R"({}"{}":{{"type":{},"description":{}}})", properties.empty() ? "" : ",",
                    options::json_name(option.name), type_of(option), lsp::json_string(option.help));
  }
  return fmt::format(R"({{"type":"object","properties":{{{}}},{}"additionalProperties":false}})", properties,
                     tool.required.empty() ? "" : fmt::format(R"("required":["{}"],)", tool.required));
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

const std::vector<Tool>& tool_schemas() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> all;
    for (const KnownTool& tool : known_tools)
      all.push_back({tool.name, tool.title, tool.description, schema_of(tool)});
    return all;
  }();
  return tools;
}

std::uint32_t taker_of(std::string_view tool) {
  return std::ranges::find(known_tools, tool, &KnownTool::name)->taker;
}

Result<ToolArguments> ToolArguments::read(std::string_view object, std::uint32_t taker) {
  ToolArguments arguments;
  lsp::JsonMembers members(object);
  while (members.next()) {
    arguments.members_[std::string(members.name())] = members.value().value_or("null");
  }
  std::erase_if(arguments.members_, [](const auto& member) { return member.second == "null"; });

  std::vector<std::string> names;
  for (const options::Option& option : options::all_options()) {
    if (option.is_for(taker)) names.push_back(options::json_name(option.name));
  }
  for (const auto& [name, raw] : arguments.members_) {
    if (std::ranges::count(names, name) == 0) {
      const std::string nearest = options::nearest_name(name, names);
      return Error{fmt::format("there is no argument {}{}", table::quoted(name),
                               nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)),
                   fmt::format("the arguments are {}", fmt::join(names, ", "))};
    }
    const Result<void> good = arguments.check(*options::find_option(name, taker), name);
    if (!good) return good.error();
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

}  // namespace symbols::mcp
