// The options of an answer (docs/spec.md, section 4), under one name everywhere: a request's extra param, a
// key of initializationOptions.symbols, a flag of the command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lsp/result.h"
#include "table/rows.h"

namespace symbols::proxy {

enum class AnswerFormat { table, json };
enum class HoverReply { row, text, standard };
enum class Carrier { object, symbol };

// What one place says; what it does not say is absent.
struct AnswerOptions {
  std::optional<AnswerFormat> format{};
  std::optional<bool> include_hover{};
  std::optional<table::Levels> return_children{};
  std::optional<std::size_t> hover_chars{};  // Unicode scalar values; 0 for no limit
  std::optional<HoverReply> hover_reply{};
  std::optional<Carrier> carrier{};
  std::optional<std::chrono::milliseconds> timeout{};

  // These, and `base` where these say nothing.
  AnswerOptions over(const AnswerOptions& base) const;

  // What holds in the end: with the proxy's defaults.
  AnswerFormat format_or_default() const { return format.value_or(AnswerFormat::table); }
  bool is_text() const { return format_or_default() != AnswerFormat::json; }
  bool wants_hovers() const { return include_hover.value_or(is_text()); }
  // Where nobody asked for levels, `standard` stays what the server sent.
  table::Levels levels() const;
  std::size_t row_hover_chars() const;
  HoverReply hover_reply_or_default() const {
    return hover_reply.value_or(is_text() ? HoverReply::row : HoverReply::standard);
  }
  std::chrono::milliseconds hover_timeout() const;
  // Whether `json` has to be built anew: the server's own reply does not hold what was asked for.
  bool changes_rows() const { return return_children || include_hover.value_or(false); }
};

// The names of the options, of those too that a later version has: they are never the server's.
std::span<const std::string_view> answer_option_names();

// Those among the members of `object` (raw JSON); other members are not looked at, null says nothing. Error:
// a value that is wrong in type or range, named with the option and what is allowed; an option that this
// version does not have. `object` that is none says nothing.
Result<AnswerOptions> read_answer_options(std::string_view object);

// The values of options as texts, for the command line. `option` is what a user knows it as.
Result<AnswerFormat> parse_format(std::string_view option, std::string_view text);
Result<HoverReply> parse_hover_reply(std::string_view option, std::string_view text);
Result<Carrier> parse_carrier(std::string_view option, std::string_view text);

// For `capabilities.experimental.symbols`: {"version":…,"formats":[…],"options":[…]}.
std::string describe_answer_options(std::string_view version);

}  // namespace symbols::proxy
