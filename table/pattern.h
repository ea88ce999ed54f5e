// The option `match` (docs/spec.md, section 4): a regular expression for names. RE2 takes time that is linear
// in the name, whatever the expression, and no stack.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace symbols::table {

class Pattern {
 public:
  // The expression `text`, in RE2's syntax; the user knows the option as `option`. Error: RE2's reason, also
  // if the expression would need more than 8 MiB.
  static Result<std::shared_ptr<const Pattern>> compile(std::string_view option, std::string_view text);

  explicit Pattern(std::unique_ptr<re2::RE2> expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // Whether it matches anywhere in `name`, which is valid UTF-8.
  bool matches(std::string_view name) const;

 private:
  std::unique_ptr<re2::RE2> expression_;
};

}  // namespace symbols::table
