#include "proxy/options/included_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "table/escape.h"
#include "table/selection.h"

namespace symbols::options {
namespace {

constexpr std::size_t max_limit = 10'000;

using KnownPart = std::pair<std::string_view, std::size_t table::ContextLimits::*>;
constexpr auto known_parts = std::to_array<KnownPart>({
    {"children", &table::ContextLimits::children},
    {"source", &table::ContextLimits::source},
    {"references", &table::ContextLimits::references},
    {"callers", &table::ContextLimits::callers},
    {"diagnostics", &table::ContextLimits::diagnostics},
});

}  // namespace

Result<IncludedParts> IncludedParts::parse(const OptionValue& value) {
  const std::optional<std::vector<std::string>> lists = value.list();
  if (!lists) return value.error(R"(a list of parts, such as ["references:50","callers:0"])");
  IncludedParts parts;
  parts.option_ = value.option();
  for (const std::string& list : *lists) {
    for (const std::string& word : table::split_list(list)) {
      const std::size_t colon = word.find(':');
      const auto* const known =
          std::ranges::find(known_parts, std::string_view(word).substr(0, colon), &KnownPart::first);
      std::optional<std::uint64_t> number;
      if (colon != word.npos)
        number = OptionValue::of_text("", std::string_view(word).substr(colon + 1)).number();
      if (known == known_parts.end() || (colon != word.npos && (!number || *number > max_limit))) {
        return value.error_of(
            word, fmt::format("parts such as \"references:50,callers:0\", of children, source, references, "
                              "callers and diagnostics, with limits from 0 to {}",
                              max_limit));
      }
      parts.parts_.push_back({known->second, number});
    }
  }
  return parts;
}

table::ContextLimits IncludedParts::over(table::ContextLimits limits) const {
  for (const Part& part : parts_) limits.*part.limit = part.number.value_or(limits.*part.limit);
  return limits;
}

IncludedParts IncludedParts::of_document() const {
  IncludedParts some = *this;
  std::erase_if(some.parts_,
                [](const Part& part) { return part.limit != &table::ContextLimits::diagnostics; });
  return some;
}

Result<std::size_t> IncludedParts::document_diagnostics() const {
  std::size_t diagnostics = 0;
  for (const Part& part : parts_) {
    if (part.limit != &table::ContextLimits::diagnostics) {
      const auto* const known = std::ranges::find(known_parts, part.limit, &KnownPart::second);
      return Error{fmt::format("{} cannot be {}: a whole document has only diagnostics", option_,
                               table::quoted(known->first)),
                   "ask for the rest with symbols context or symbols.context"};
    }
    diagnostics = part.number.value_or(default_diagnostics);
  }
  return diagnostics;
}

}  // namespace symbols::options
