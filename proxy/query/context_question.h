// A question for a symbol's context, `symbols.context` of workspace/executeCommand (docs/spec.md, sections 6
// and 7), which symbol it is about, how complete the answer is, and its outcome before it is written: as JSON
// for a client of the proxy, as text by the command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "lsp/position.h"
#include "proxy/options/answer_options.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"
#include "table/context_text.h"

namespace symbols::query {

struct ContextQuestion {
  std::string uri;
  // Exactly one of the three is set.
  std::optional<lsp::Position> position{};
  std::optional<std::uint32_t> line{};  // zero-based; lsp/symbol_search.h says which symbol it means
  std::optional<std::string> name{};
  // With one position for each of several documents: these, in their order, in place of `position`.
  std::vector<lsp::Position> positions{};

  options::AnswerOptions options{};  // the argument's over the session's
  // From the argument alone: the session's levels are for whole documents and say nothing about one symbol.
  std::optional<table::Levels> levels{};
  table::ContextLimits limits{};
  // table::SymbolContext's
  std::string completeness{};
  // The list of references is that of the whole project if it names each of these paths. None: never.
  std::optional<std::vector<std::string>> whole_if_named{};
  std::optional<std::string> outline_folder{};
  std::optional<table::PrettyStyle> page{};
  bool as_parts = false;  // the outcome has `parts` in place of a text
  // Set: the answer is a patch that gives the symbol this name, or what has its name at the position, such as
  // a local variable.
  std::optional<std::string> rename_to{};

  // Whether what is asked for may be in any file of the project.
  bool searches_files() const { return rename_to || limits.searches_files(); }
};

// Reads the argument, a raw JSON object: {"textDocument":{"uri":…},"position":{…} | "name":"…", …options},
// with `include` as "references:50,callers:0" or a list of such strings: a part that is not named keeps its
// limit, and so does one without a number. `session`: the options that hold where the argument says nothing,
// its included parts too. Errors: no document, neither or both of position and name, a wrong option, a format
// other than table.
Result<ContextQuestion> read_context_question(std::string_view argument,
                                              const options::AnswerOptions& session);

// Where a server looks for references and callers, as far as is known.
struct SearchScope {
  bool open_files_only = false;  // clangd without an index
  bool guessed_flags = false;    // clangd with an index of what compiles by these
  // The folder that the server was given, absolute, where that may not be the whole project: nothing marks it
  // as the root, or a repository around it has more. Else empty.
  std::string part_of_project{};
};

// The progress of a server that is still loading.
struct Loading {
  std::optional<unsigned> percentage{};
  std::string text{};  // the server's; may be empty
};

inline constexpr std::string_view whole_project = "whole project";

// Whether the references and callers are all there are, for the heading, escaped: "whole project", "index 82
// %", "still loading: 3/7", "open files only", "in packages/core only", "by guessed flags", "loaded files
// only" otherwise. `loading`: of a server still loading. Paths are from `folder` if set, absolute.
std::string completeness(const SearchScope& scope, const std::optional<Loading>& loading,
                         const std::optional<std::string>& folder);

// Why there is no context at all.
struct ContextFailure {
  enum class Reason {
    refused,    // the server refused documentSymbol
    no_symbol,  // none at the position, on the line, or of the name
    several,    // more than one has the name
    other,      // as `detail` says
  };
  Reason reason = Reason::refused;
  std::string detail;  // refused: the server's error object; other: a message
  // no_symbol of a name: those that may have been meant. several: those that a position can tell apart. Each
  // has as the start of its selection a position that finds it, and as container_name its parent's name.
  std::vector<lsp::DocumentSymbol> candidates{};
};

struct ContextSymbol {
  std::size_t index = 0;                      // in the tree
  std::optional<ContextFailure> failure{};    // why there is none; `index` then means nothing
  std::vector<lsp::DocumentSymbol> others{};  // ContextOutcome's
};

// The symbol of a document that the question is about. lsp/symbol_search.h says which symbol a position
// means. `text`: the document's (valid UTF-8), null if it is not known.
ContextSymbol find_context_symbol(const lsp::SymbolTree& tree, const ContextQuestion& question,
                                  const std::string* text, lsp::PositionEncoding encoding);

struct ContextOutcome {
  std::string text;  // written by table::write_context()
  std::optional<table::SymbolContext> parts{};
  std::string notice;  // what a budget left out; of a patch, what may be wrong with it
  // Each part that failed: its member of `meta` ("_callers_error"), and the reason. Also "source_errors".
  std::vector<std::pair<std::string, std::string>> failed_parts{};
  std::optional<SourceErrors> source_errors{};
  // Asked by name: those that have it as well, outside of the symbol; as ContextFailure's candidates.
  std::vector<lsp::DocumentSymbol> others{};
  std::size_t hovers_missing = 0;
  // All requests were answered: the same question about the same sources has the same outcome.
  bool is_repeatable = false;
  std::optional<ContextFailure> failure{};  // if set, the rest means nothing
};

// Writes it as the result of workspace/executeCommand (docs/spec.md, section 7).
Answer write_context_answer(const ContextOutcome& outcome, const ContextQuestion& question);

}  // namespace symbols::query
