// The value of an option, in JSON or on the command line. One reader for both, so an option takes the same
// values and reports the same errors everywhere (docs/spec.md, section 4).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/text.h"

namespace symbols::options {

// Holds views of the caller's texts. The readers return nothing if the value has another type; error() then
// names option and value.
class OptionValue {
 public:
  // `option`: its name or its flag. `json`: a whole raw value.
  static OptionValue of_json(std::string_view option, std::string_view json) { return {option, json, true}; }
  static OptionValue of_text(std::string_view option, std::string_view text) { return {option, text, false}; }

  std::string_view option() const { return option_; }

  // A JSON string; on the command line any text.
  std::optional<std::string> text() const;
  // The same, else the raw value, for the error: only a string can be one of an option's words.
  std::string word() const { return text().value_or(std::string(raw_)); }
  // true or false; on the command line and in the environment also 1 or 0.
  Result<bool> boolean() const;
  // A whole number from 0 on; in JSON digits without sign, point or exponent.
  std::optional<std::uint64_t> number() const { return whole_number<std::uint64_t>(raw_); }
  Result<std::uint64_t> number_within(std::uint64_t least, std::uint64_t most) const;
  // "1500", "1500ms", "30s", "2m", without a unit milliseconds: from a millisecond to a day.
  Result<milliseconds> time() const;
  // The index of the value in `words`, which are separated by spaces.
  Result<std::uint64_t> index_in(std::string_view words) const;
  // A JSON array of strings and whole numbers, or a text that separates them by commas.
  std::optional<std::vector<std::string>> list() const;

  // `--kind cannot be "x"; give <allowed>`.
  Error error(std::string_view allowed) const { return error_of(raw_, allowed); }
  // The same for one word of a list.
  Error error_of(std::string_view word, std::string_view allowed) const;

 private:
  OptionValue(std::string_view option, std::string_view raw, bool is_json)
      : option_(option), raw_(raw), is_json_(is_json) {}

  std::string_view option_;
  std::string_view raw_;
  bool is_json_;
};

// The nearest of `names` that contain `typed` or are contained in it, or differ in at most three letters and
// less than half of them. Empty if none is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

// " (did you mean NAME?)" with that name; empty if none is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

// A place in a file as compilers print it: FILE:LINE or FILE:LINE:COLUMN.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 1;                 // one-based
  std::optional<std::uint32_t> column{};  // one-based, in UTF-16 units, as LSP counts
};

// Whether a `:` and digits are at its end.
bool has_line(const std::string& word);

// Reads `word`. `is_file` says whether a file exists; `-` always does. If the word without one number at its
// end is a file, that number is the line, else up to two numbers are removed. For a missing file (reported
// later, on reading) all numbers are removed, at most two. With files `h.cpp` and `h.cpp:3`, `h.cpp:3:5` is
// line 5 of the latter, and `h.cpp:3` is line 3 of the former, because it would give no line of the latter.
//
// Errors: no number at the end, or the word is a file's name without a line; a number that is 0 or too large.
Result<SourcePlace> read_source_place(const std::string& word,
                                      const std::function<bool(const std::string&)>& is_file);

}  // namespace symbols::options
