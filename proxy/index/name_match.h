// How well a symbol's name fits what somebody looks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace symbols::index {

// From best to worst. Letters of ASCII count as equal in either case, but an equal case is better.
enum class NameFit : std::uint8_t {
  exact_case,
  exact,
  prefix_case,
  prefix,
  word_start,  // found where a word of the name begins: `cache` in `HoverCache`, `hover_cache`
  inside,      // found elsewhere
  words,  // its characters one after the other, each the next one or at the start of a word: `hc`, `hovca`
};

// How `name` fits `query`; none: not at all.
std::optional<NameFit> name_fit(std::string_view name, std::string_view query);

// A name and what stands before it: `A::b`, `A.b`. Without such a mark the qualifier is empty.
struct QualifiedName {
  std::string_view qualifier;
  std::string_view name;
};
QualifiedName split_name(std::string_view text);

// Whether `container` is `qualifier` or ends in it after `::` or a dot; ASCII case does not count.
bool ends_in_qualifier(std::string_view container, std::string_view qualifier);

}  // namespace symbols::index
