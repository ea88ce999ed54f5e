// The argument of `symbols.context`, a workspace/executeCommand (docs/spec.md, sections 6 and 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lsp/range.h"
#include "proxy/options/answer_options.h"
#include "table/context_text.h"

namespace symbols::query {

// A `search_limit`.
inline constexpr std::string_view of_open_files = "of open files only";

struct ContextQuestion {
  std::string uri;
  // Exactly one of the three is set.
  std::optional<lsp::Position> position{};
  std::optional<std::uint32_t> line{};  // zero-based; lsp/symbol_search.h says which symbol it means
  std::optional<std::string> name{};

  options::AnswerOptions options{};  // the argument's over the session's
  // From the argument alone: the levels that the session wants of whole documents say nothing about one
  // symbol.
  std::optional<table::Levels> levels{};
  table::ContextLimits limits{};
  // How far the server looks for references and callers, as far as known; see table::SymbolContext.
  std::string search_limit{};
  std::optional<std::string> outline_folder{};  // table::SymbolContext's
};

// Reads the argument, a raw JSON object: {"textDocument":{"uri":…},"position":{…} | "name":"…", …options},
// with `include` as "references:50,callers:0" or a list of such strings: a part that is not named keeps its
// limit, and so does one without a number. `session`: the options that hold where the argument says nothing,
// its included parts too. Errors: no document, neither or both of position and name, a wrong option, a format
// other than table.
Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session);

}  // namespace symbols::query
