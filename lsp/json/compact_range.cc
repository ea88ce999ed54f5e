#include "lsp/json/compact_range.h"

#include "base/ascii.h"

namespace symbols::lsp {
namespace {

// Steps through the text; each step returns whether the text is as expected.
class Steps {
 public:
  explicit Steps(std::string_view json) : rest_(json) {}

  bool word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  // A whole number of at most nine digits, enough for the lines and characters of real files.
  bool number(std::uint32_t& out) {
    constexpr std::size_t most_digits = 9;
    std::uint32_t value = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && is_digit(rest_[digits])) {
      if (digits == most_digits) return false;
      value = value * 10 + static_cast<std::uint32_t>(rest_[digits++] - '0');
    }
    if (digits == 0 || (digits > 1 && rest_[0] == '0')) return false;
    out = value;
    rest_.remove_prefix(digits);
    return true;
  }
  bool position(Position& out) {
    if (word(R"({"line":)"))
      return number(out.line) && word(R"(,"character":)") && number(out.character) && word("}");
    return word(R"({"character":)") && number(out.character) && word(R"(,"line":)") && number(out.line) &&
           word("}");
  }
  bool range(Range& out) {
    if (word(R"({"start":)"))
      return position(out.start) && word(R"(,"end":)") && position(out.end) && word("}");
    return word(R"({"end":)") && position(out.end) && word(R"(,"start":)") && position(out.start) &&
           word("}");
  }

  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::size_t read_compact_range(std::string_view json, Range& range) {
  Steps steps(json);
  return steps.range(range) ? json.size() - steps.left() : 0;
}

}  // namespace symbols::lsp
