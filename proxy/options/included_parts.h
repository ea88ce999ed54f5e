// The option `include` (docs/spec.md, section 6): what an answer has beside the symbols, and how much of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/option_value.h"
#include "table/context_text.h"

namespace symbols::options {

class IncludedParts {
 public:
  // Diagnostics of a document, where no number is given.
  static constexpr std::size_t default_diagnostics = 20;

  // "references:50,callers:0", or a list of such; a part without a number keeps its limit. The error names
  // the parts there are.
  static Result<IncludedParts> parse(const OptionValue& value);

  // The limits of the context of a symbol: what was not named stays.
  table::ContextLimits over(table::ContextLimits limits) const;

  // For a whole document, which has diagnostics alone: how many, 0 for none. Error: another part was named.
  Result<std::size_t> document_diagnostics() const;
  // Of these what a whole document has.
  IncludedParts of_document() const;

  // What the user knows the option as: `include`, `--include`.
  const std::string& option() const { return option_; }

  bool operator==(const IncludedParts& other) const { return parts_ == other.parts_; }

 private:
  struct Part {
    std::size_t table::ContextLimits::*limit;
    std::optional<std::size_t> number;
    bool operator==(const Part&) const = default;
  };
  static Result<Part> parse_part(const OptionValue& value, std::string_view word);

  std::string option_;
  std::vector<Part> parts_;
};

}  // namespace symbols::options
