// The options of an answer (docs/spec.md, section 4) and of its servers; option_table.h describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "proxy/options/option_value.h"
#include "table/context_text.h"
#include "table/formats/format.h"
#include "table/rows.h"
#include "table/selection.h"
#include "table/token_estimate.h"

namespace symbols::options {

// The option `include` (docs/spec.md, section 6): parts of an answer besides the symbols, and their limits.
class IncludedParts {
 public:
  static constexpr std::size_t max_limit = 10'000;
  // Diagnostics of a document, if no number is given.
  static constexpr std::size_t default_diagnostics = 20;

  // "references:50,callers:0", or a list of such strings; a part without a number keeps its limit, and one
  // that was left out gets its default. The error names all parts.
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

enum class HoverReply { row, text, standard };
enum class Carrier { object, symbol };
enum class ColourUse { automatic, always, never };

// The options given in one place; the others are absent.
struct AnswerOptions {
  std::optional<table::Format> format{};
  std::optional<bool> include_hover{};
  std::optional<table::Levels> return_children{};
  std::optional<table::Verbosity> verbosity{};
  std::optional<std::vector<table::Field>> fields{};
  std::vector<std::string> unknown_fields{};  // of that list, for a warning
  std::optional<std::vector<table::SortKey>> sort_by{};
  std::optional<bool> kind_names{};
  std::optional<bool> positions{};
  std::optional<bool> fold{};      // `locals`
  std::optional<bool> all_ends{};  // `ends`: `all`
  std::optional<std::vector<std::int64_t>> filter_kind{};
  std::optional<std::shared_ptr<const table::Pattern>> match{};
  std::optional<std::size_t> max_tokens{};
  std::optional<table::Tokenizer> tokenizer{};
  std::optional<IncludedParts> include{};
  std::optional<std::size_t> hover_chars{};  // Unicode scalar values; 0 for no limit
  std::optional<HoverReply> hover_reply{};
  std::optional<Carrier> carrier{};
  std::optional<milliseconds> timeout{};
  // Only the command line and its settings have the rest; the proxy ignores it.
  std::optional<ColourUse> color{};
  std::optional<std::vector<std::string>> ignore{};  // patterns of gitignore(5); over() keeps its own
  std::optional<bool> confine{};                     // engine::InputOptions'
  std::optional<bool> warm{};                        // servers stay between one call and the next
  // DispatchOptions' and WarmLimits' of these names: MiB, servers, MiB, seconds.
  std::optional<std::uint64_t> server_memory{};
  std::optional<std::uint64_t> warm_servers{};
  std::optional<std::uint64_t> warm_memory{};
  std::optional<std::uint64_t> warm_idle{};
  std::optional<bool> project_settings{};  // whether a project's .symbols.json is read

  // These options, and those of `base` where these are absent. A budget of `base` does not apply if `json` is
  // requested here, which has no place for the notice.
  AnswerOptions over(const AnswerOptions& base) const;
  // The same for an answer of the proxy about a whole document. Of the parts that `session` includes, only
  // those apply that such an answer has a place for; the others are for symbols.context.
  AnswerOptions for_document_over(const AnswerOptions& session) const;
  // Checks the options in effect for conflicts. Error: names the conflict; `max_tokens_option` is the user's
  // name for that option.
  Result<void> check(std::string_view max_tokens_option = "max_tokens") const;
  // The same, and options that do not fit an answer of the proxy about a whole document.
  Result<void> check_for_document_answer() const;

  // The options in effect.
  table::Format format_or_default() const { return format.value_or(table::Format::table); }
  // Whether the answer is text of ours, and not DocumentSymbol[].
  bool is_text() const { return format_or_default() != table::Format::json; }
  bool counts() const { return verbosity == table::Verbosity::counts; }
  table::View view() const;
  // A DocumentSymbol has a place for the hover's text, but not for its parts.
  bool wants_hovers() const {
    return !counts() && (is_text() ? view().needs_hovers() : view().shows(table::Field::hover));
  }
  // Whether the signatures are all that hovers are wanted for, and details that hold them will do.
  bool details_will_do() const { return is_text() && view().signatures; }
  // Whether the two parts of a hover are needed, not only its text.
  bool wants_hover_parts() const;
  // `otherwise`: the levels if none were requested.
  table::Selection selection(table::Levels otherwise) const;
  // With the proxy's default: top level; for `standard` all levels.
  table::Selection proxy_selection() const;
  table::Rendering rendering() const;
  table::Tokenizer tokenizer_or_default() const { return tokenizer.value_or(table::Tokenizer::o200k); }
  std::optional<table::TokenLimit> token_limit() const;
  std::size_t row_hover_chars() const;
  HoverReply hover_reply_or_default() const {
    return hover_reply.value_or(is_text() ? HoverReply::row : HoverReply::standard);
  }
  milliseconds answer_timeout() const { return timeout.value_or(std::chrono::seconds(10)); }
  // Of a whole document; 0 for none.
  std::size_t most_diagnostics() const;
  // Whether `json` must be rebuilt, because the server's own reply does not have what was requested.
  bool changes_rows() const;
};

}  // namespace symbols::options
