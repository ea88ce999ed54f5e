// The option `include` (docs/spec.md, section 6): the parts of an answer besides the symbols, and their
// limits.
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
  // Diagnostics of a document, if no number is given.
  static constexpr std::size_t default_diagnostics = 20;

  // "references:50,callers:0", or a list of such strings; a part without a number keeps its limit. The error
  // names all parts.
  static Result<IncludedParts> parse(const OptionValue& value);

  // The limits of a symbol's context; parts that are not named keep theirs.
  table::ContextLimits over(table::ContextLimits limits) const;

  // For a whole document, which has only diagnostics: how many, 0 for none. Error: another part was named.
  Result<std::size_t> document_diagnostics() const;
  // The parts that apply to a whole document.
  IncludedParts of_document() const;

  // The user's name for the option: `include`, `--include`.
  const std::string& option() const { return option_; }

 private:
  struct Part {
    std::size_t table::ContextLimits::*limit;
    std::optional<std::size_t> number;
  };
  std::string option_;
  std::vector<Part> parts_;
};

}  // namespace symbols::options
