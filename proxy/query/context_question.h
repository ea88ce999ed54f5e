// What `symbols.context` is asked with: the argument of workspace/executeCommand (docs/spec.md, sections 6
// and 7).
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
  // One of the three.
  std::optional<lsp::Position> position{};
  std::optional<std::uint32_t> line{};  // zero-based; what is meant: see lsp/symbol_search.h
  std::optional<std::string> name{};

  options::AnswerOptions options{};  // all that hold
  // Of the argument alone: how many levels a table of a whole document has says nothing of one symbol.
  std::optional<table::Levels> levels{};
  table::ContextLimits limits{};
  // What is known of how far the server looks for references and callers: table::SymbolContext's.
  std::string search_limit{};
};

// Reads the argument, a raw JSON object: {"textDocument":{"uri":…},"position":{…} | "name":"…", …options},
// with `include` as "references:50,callers:0" or a list of such: a part that is not named keeps its limit,
// and so does one that is named without a number. `session`: the options that hold where it says nothing, the
// parts that it includes too.
// Errors: no document, none or both of position and name, an option that is wrong, a format that is no text.
Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session);

}  // namespace symbols::query
