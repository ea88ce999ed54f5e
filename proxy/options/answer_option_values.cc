#include "proxy/options/answer_option_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "lsp/json/raw_json.h"
#include "proxy/options/option_table.h"

namespace symbols::options {

std::span<const std::string_view> answer_option_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Option& option : all_options()) {
      if (!option.is_for(takers::request)) continue;
      all.push_back(json_name(option.name));
      if (!option.details.alias.empty()) all.emplace_back(option.details.alias);
    }
    return all;
  }();
  static const std::vector<std::string_view> views(names.begin(), names.end());
  return views;
}

Result<AnswerOptions> read_answer_options(std::string_view object) {
  // The last of several members with one name counts, as everywhere (raw_json.h).
  std::vector<std::pair<std::string_view, std::string_view>> given;
  for (lsp::JsonMembers members(object); members.next();) {
    const auto known = std::ranges::find(answer_option_names(), members.name());
    const std::optional<std::string_view> value = members.value();
    if (known == answer_option_names().end() || !value) continue;
    std::erase_if(given, [&](const auto& one) { return one.first == *known; });
    if (value != "null") given.emplace_back(*known, *value);
  }
  AnswerOptions options;
  for (const auto& [name, value] : given) {
    const Result<void> set = set_option(options, name, takers::request, OptionValue::of_json(name, value));
    if (!set) return set.error();
  }
  return options;
}

std::string describe_answer_options(std::string_view version) {
  std::array<std::string_view, table::all_formats.size()> formats{};
  std::transform(table::all_formats.begin(), table::all_formats.end(), formats.begin(), table::format_name);
  return fmt::format(R"({{"version":"{}","formats":["{}"],"options":["{}"]}})", version,
                     fmt::join(formats, R"(",")"), fmt::join(answer_option_names(), R"(",")"));
}

}  // namespace symbols::options
