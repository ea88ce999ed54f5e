#include "table/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <utility>

#include "table/escape.h"

namespace symbols::table {
namespace {

constexpr std::int64_t most_memory = std::int64_t{8} << 20;

re2::StringPiece as_piece(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

Result<std::shared_ptr<const Pattern>> Pattern::compile(std::string_view option, std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(most_memory);
  auto expression = std::make_unique<re2::RE2>(as_piece(text), options);
  if (!expression->ok()) {
    return Error{fmt::format("{} cannot be {}: {}", option, quoted(text), escaped(expression->error())),
                 "give a regular expression in RE2's syntax"};
  }
  return std::shared_ptr<const Pattern>(std::make_shared<Pattern>(std::move(expression)));
}

Pattern::Pattern(std::unique_ptr<re2::RE2> expression) : expression_(std::move(expression)) {}
Pattern::~Pattern() = default;

bool Pattern::matches(std::string_view name) const {
  return RE2::PartialMatch(as_piece(name), *expression_);
}

}  // namespace symbols::table
