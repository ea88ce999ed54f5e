// The options of an answer (docs/spec.md, section 4), under one name everywhere: a request's extra param, a
// key of initializationOptions.symbols, a flag of the command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/options/included_parts.h"
#include "table/field.h"
#include "table/formats/format.h"
#include "table/pattern.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::options {

enum class HoverReply { row, text, standard };
enum class Carrier { object, symbol };

// What one place says; what it does not say is absent.
struct AnswerOptions {
  std::optional<table::Format> format{};
  std::optional<bool> include_hover{};
  std::optional<table::Levels> return_children{};
  std::optional<table::Verbosity> verbosity{};
  std::optional<std::vector<table::Field>> fields{};
  std::vector<std::string> unknown_fields{};  // of that list: a reader is to be told of them
  std::optional<std::vector<table::SortKey>> sort_by{};
  std::optional<bool> kind_names{};
  std::optional<std::vector<std::int64_t>> filter_kind{};
  std::optional<std::shared_ptr<const table::Pattern>> match{};
  std::optional<std::size_t> max_tokens{};
  std::optional<IncludedParts> include{};
  std::optional<std::size_t> hover_chars{};  // Unicode scalar values; 0 for no limit
  std::optional<HoverReply> hover_reply{};
  std::optional<Carrier> carrier{};
  std::optional<std::chrono::milliseconds> timeout{};

  // These, and `base` where these say nothing. A budget of `base` does not hold for `json`, asked for here:
  // that form has no place for it.
  AnswerOptions over(const AnswerOptions& base) const;
  // The same for an answer of the proxy about a whole document. Of the parts that `session` includes only
  // those count that such an answer has a place for: the others are for symbols.context.
  AnswerOptions for_document_over(const AnswerOptions& session) const;
  // What excludes each other, of all that hold. Error: says what; `max_tokens_option` is what the user knows
  // that one as.
  Result<void> check(std::string_view max_tokens_option = "max_tokens") const;
  // The same, and what does not fit an answer of the proxy about a whole document.
  Result<void> check_for_document_answer() const;

  // What holds in the end.
  table::Format format_or_default() const { return format.value_or(table::Format::table); }
  // Whether the answer is a text of ours, and not LSP's own form.
  bool is_text() const { return format_or_default() != table::Format::json; }
  bool counts() const { return verbosity == table::Verbosity::counts; }
  table::View view() const;
  // LSP's own form has a place for the hover's text, and for no part of it.
  bool wants_hovers() const {
    return !counts() && (is_text() ? view().needs_hovers() : view().shows(table::Field::hover));
  }
  // Whether the two parts of a hover are needed, not only its text.
  bool wants_hover_parts() const;
  // `otherwise`: the levels where nobody asked for any.
  table::Selection selection(table::Levels otherwise) const;
  // With the proxy's default: top level; of `standard` what the server sent.
  table::Selection proxy_selection() const;
  table::Rendering rendering() const;
  std::size_t row_hover_chars() const;
  HoverReply hover_reply_or_default() const {
    return hover_reply.value_or(is_text() ? HoverReply::row : HoverReply::standard);
  }
  std::chrono::milliseconds hover_timeout() const;
  // Of a whole document; 0 for none.
  std::size_t most_diagnostics() const;
  // Whether `json` has to be built anew: the server's own reply does not hold what was asked for.
  bool changes_rows() const;
};

}  // namespace symbols::options
