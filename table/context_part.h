// A part of an answer besides the symbols, under its own heading: its value, or the reason why there is none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::table {

// One part. If neither member is set, it was not requested.
template <class T>
struct ContextPart {
  std::optional<T> value{};
  std::string failure{};

  bool wanted() const { return value || !failure.empty(); }
};

// Appends the line `# name`, on a line of its own, without a newline after it.
void append_heading(std::string& out, std::string_view name);
// The same for a part that failed: `# name: failure`.
void append_failure(std::string& out, std::string_view name, std::string_view failure);

// Appends the heading of a requested part; true if its value follows.
template <class T>
bool append_part_heading(std::string& out, std::string_view name, const ContextPart<T>& part) {
  if (part.value) {
    append_heading(out, name);
  } else if (!part.failure.empty()) {
    append_failure(out, name, part.failure);
  }
  return part.value.has_value();
}

// Appends ` 10 of 37`, or ` 37` if all are shown.
void append_count(std::string& out, std::size_t shown, std::size_t total);

}  // namespace symbols::table
