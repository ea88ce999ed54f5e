#include "proxy/options/answer_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "proxy/options/option_table.h"
#include "table/escape.h"
#include "table/hover/hover_text.h"

namespace symbols::options {
namespace {

void show_hover(std::vector<table::Field>& fields, bool shown) {
  std::erase(fields, table::Field::hover);
  if (shown) fields.push_back(table::Field::hover);
}

using KnownPart = std::pair<std::string_view, std::size_t table::ContextLimits::*>;
constexpr auto known_parts = std::to_array<KnownPart>({
    {"children", &table::ContextLimits::children},
    {"source", &table::ContextLimits::source},
    {"references", &table::ContextLimits::references},
    {"callers", &table::ContextLimits::callers},
    {"diagnostics", &table::ContextLimits::diagnostics},
    {"implementations", &table::ContextLimits::implementations},
    {"callees", &table::ContextLimits::callees},
    {"supertypes", &table::ContextLimits::supertypes},
    {"subtypes", &table::ContextLimits::subtypes},
});
// The limit of a part that is named without one and has none by default.
constexpr std::size_t part_on_demand = 10;

}  // namespace

Result<IncludedParts> IncludedParts::parse(const OptionValue& value) {
  const std::optional<std::vector<std::string>> lists = value.list();
  if (!lists) return value.error(R"(a list of parts, such as ["references:50","callers:0"])");
  IncludedParts parts;
  parts.option_ = value.option();
  for (const std::string& list : *lists) {
    for (const std::string& word : table::split_list(list)) {
      const std::size_t colon = word.find(':');
      const auto* const known =
          std::ranges::find(known_parts, std::string_view(word).substr(0, colon), &KnownPart::first);
      std::optional<std::uint64_t> number;
      if (colon != word.npos) number = whole_number<std::uint64_t>(std::string_view(word).substr(colon + 1));
      if (known == known_parts.end() || (colon != word.npos && (!number || *number > max_limit))) {
        return value.error_of(
            word, fmt::format("parts such as \"references:50,callers:0\", of children, source, references, "
                              "callers, diagnostics, implementations, callees, supertypes and subtypes, with "
                              "limits from 0 to {}",
                              max_limit));
      }
      parts.parts_.push_back({known->second, number});
    }
  }
  return parts;
}

table::ContextLimits IncludedParts::over(table::ContextLimits limits) const {
  for (const Part& part : parts_) {
    std::size_t& limit = limits.*part.limit;
    const std::size_t usual = table::ContextLimits().*part.limit;
    limit = part.number.value_or(limit > 0 ? limit : usual > 0 ? usual : part_on_demand);
  }
  return limits;
}

IncludedParts IncludedParts::of_document() const {
  IncludedParts some = *this;
  std::erase_if(some.parts_,
                [](const Part& part) { return part.limit != &table::ContextLimits::diagnostics; });
  return some;
}

Result<std::size_t> IncludedParts::document_diagnostics() const {
  std::size_t diagnostics = 0;
  for (const Part& part : parts_) {
    if (part.limit != &table::ContextLimits::diagnostics) {
      const auto* const known = std::ranges::find(known_parts, part.limit, &KnownPart::second);
      return Error{fmt::format("{} cannot be {}: a whole document has only diagnostics", option_,
                               table::quoted(known->first)),
                   "ask for the rest with symbols context or symbols.context"};
    }
    diagnostics = part.number.value_or(default_diagnostics);
  }
  return diagnostics;
}

AnswerOptions AnswerOptions::over(const AnswerOptions& base) const {
  AnswerOptions both = *this;
  AnswerOptions others = base;
  // fields overrides hover, and hover verbosity, unless the latter was given closer to the request.
  if (verbosity) others.include_hover.reset();
  if (verbosity || include_hover) others.fields.reset();
  if (format == table::Format::json) others.max_tokens.reset();
  if (!fields) both.unknown_fields = base.unknown_fields;
  for (const Option& option : all_options()) {
    if (option.details.to.fill != nullptr) option.details.to.fill(both, others);
  }
  return both;
}

AnswerOptions AnswerOptions::for_document_over(const AnswerOptions& session) const {
  AnswerOptions both = over(session);
  if (include || !both.include) return both;
  both.include = both.is_text() ? std::optional(both.include->of_document()) : std::nullopt;
  return both;
}

Result<void> AnswerOptions::check(std::string_view max_tokens_option) const {
  if (!max_tokens || (is_text() && format != table::Format::ndjson)) return {};
  constexpr std::string_view json = "json: LSP's DocumentSymbol[] has no place to say what is missing";
  constexpr std::string_view ndjson = "ndjson: it is for programs, which load all rows";
  return Error{
      fmt::format("{} cannot be used with the format {}", max_tokens_option, is_text() ? ndjson : json),
      is_text() ? "choose another format, or --children, --kind or --match for fewer rows"
                : "choose another format"};
}

Result<void> AnswerOptions::check_for_document_answer() const {
  if (const Result<void> fits = check(); !fits) return fits;
  if (!include) return {};
  const Result<std::size_t> diagnostics = include->document_diagnostics();
  if (!diagnostics) return diagnostics.error();
  const bool is_one_value = carrier == Carrier::symbol && format == table::Format::packed;
  if (*diagnostics == 0 || (is_text() && !is_one_value)) return {};
  return Error{fmt::format("{} cannot be used with the format {}", include->option(),
                           is_text() ? "packed and the carrier symbol: that text is one JSON value"
                                     : "json: LSP's DocumentSymbol[] has no place for diagnostics"),
               is_text() ? "choose another format, or the carrier object" : "choose another format"};
}

std::size_t AnswerOptions::most_diagnostics() const {
  const Result<std::size_t> most = include ? include->document_diagnostics() : Result<std::size_t>(0);
  return most ? *most : 0;
}

table::View AnswerOptions::view() const {
  table::View view{.fields = table::fields_of(verbosity.value_or(table::Verbosity::full)),
                   .kind_names = kind_names.value_or(false),
                   .positions = positions.value_or(false)};
  // The only place for hovers in a DocumentSymbol is `detail`, the server's: they go there only if requested.
  if (!is_text()) show_hover(view.fields, false);
  if (include_hover) show_hover(view.fields, *include_hover);
  if (fields) view.fields = *fields;
  view.all_ends = all_ends.value_or(false);
  view.signatures = format == table::Format::tree && verbosity == table::Verbosity::signatures &&
                    view.fields == table::fields_of(table::Verbosity::signatures);
  return view;
}

bool AnswerOptions::wants_hover_parts() const {
  const table::View shown = view();
  return wants_hovers() &&
         (max_tokens || shown.shows(table::Field::signature) || shown.shows(table::Field::doc));
}

table::Selection AnswerOptions::selection(table::Levels otherwise) const {
  table::Selection selection{.kinds = filter_kind.value_or(std::vector<std::int64_t>()),
                             .match = match.value_or(nullptr),
                             .levels = {},
                             .sort = sort_by.value_or(std::vector<table::SortKey>())};
  // Rows are folded only where the reader sees it, and not if a filter looks for rows wherever they are.
  const bool for_people = format == table::Format::pretty;
  const bool shows_folded = for_people || format == table::Format::tree || format == table::Format::outline;
  const bool brief =
      for_people || verbosity == table::Verbosity::minimal || verbosity == table::Verbosity::signatures;
  selection.fold = fold.value_or(shows_folded && brief && !counts() && !fields && !selection.filters());
  // A filter looks for rows at any level. A count of the levels that a limit left says little of the file.
  if (counts() || selection.filters()) otherwise = {.rule = table::Levels::Rule::all};
  selection.levels = return_children.value_or(otherwise);
  return selection;
}

table::Selection AnswerOptions::proxy_selection() const {
  return selection({.rule = is_text() ? table::Levels::Rule::top_level : table::Levels::Rule::all});
}

table::Rendering AnswerOptions::rendering() const {
  return {.format = format_or_default(), .view = view(), .counts = counts(), .max_tokens = token_limit()};
}

std::optional<table::TokenLimit> AnswerOptions::token_limit() const {
  if (!max_tokens) return std::nullopt;
  return table::TokenLimit::for_text_of(*max_tokens, tokenizer_or_default());
}

std::size_t AnswerOptions::row_hover_chars() const {
  // Signatures are shortened where they are shown, and whole ones better than cut ones.
  return hover_chars.value_or(view().signatures ? 0 : table::default_hover_characters);
}

bool AnswerOptions::changes_rows() const {
  // An empty list means no filter and no sorting.
  const bool selects = (sort_by && !sort_by->empty()) || (filter_kind && !filter_kind->empty()) ||
                       (match && *match != nullptr);
  return !is_text() && (return_children || fold.value_or(false) || selects || counts() || wants_hovers());
}

}  // namespace symbols::options
