// Errors in a document for which its symbols and hovers are not to be trusted. Without the header that has a
// type, clang goes on with `int` in its place, or drops the declaration; without the packages that a project
// imports, other servers do not know the types from them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/document_symbol.h"
#include "lsp/position.h"
#include "lsp/recent_diagnostics.h"
#include "lsp/replies.h"
#include "table/hover/hover_text.h"

namespace symbols::query {

struct QueryServices;

struct SourceErrors {
  // "8 errors, so types and symbols may be wrong; the first, in line 1: 'a.h' file not found; …", and what to
  // do. One line, not escaped.
  std::string text;
  bool are_clangs = false;  // symbols may be missing, too; else only types are
};

// The errors, not warnings, among what was published of the document at `uri`. None if nothing was published
// for the present text (clangd publishes before it answers, so there is nothing to wait for).
std::vector<lsp::Diagnostic> published_errors(const lsp::RecentDiagnostics& published, std::string_view uri);

// The errors among these diagnostics of a document, if any of them makes answers wrong. The first is a header
// that was not found if there is one, since it causes others.
std::optional<SourceErrors> source_errors(const std::vector<lsp::Diagnostic>& diagnostics);

// In one line: `count` of `files` have errors. `first`: the path of one, and its text.
std::string errors_note(std::size_t count, std::size_t files, std::string_view first);

// The declarations of a C or C++ document in which clang found an error, as the source has them: for a type
// that it does not know clang goes on with `int`.
//
//   virtual Status Put(const WriteOptions&,    Unknown type name 'Status'
//                      Slice key) = 0;         Unknown type name 'Slice'
//   clangd:  virtual int Put(const WriteOptions &, int key) = 0
//   written: virtual Status Put(const WriteOptions&, Slice key) = 0
//
// A declaration reaches from the start of its symbol's range to its body, its `;`, a constructor's
// initializers or the end of the range. An error behind that, in a body, leaves it clangd's. Where clang has
// stopped after too many errors, all declarations behind the last one count as if they had an error.
class WrittenDeclarations {
 public:
  WrittenDeclarations() = default;  // none
  // By what has been published of the document at `uri` and its text. Costs nothing where clang has published
  // no error.
  WrittenDeclarations(const QueryServices& services, std::string_view uri);

  // The declaration of `symbol` in one line, without comments; empty if there is no error in it.
  std::string of(const lsp::DocumentSymbol& symbol) const;

  // Puts it in the place of the server's signature, if there is one.
  void replace_signature(table::HoverText& hover, const lsp::DocumentSymbol& symbol) const;

  // Gives a function, variable or field a detail in clangd's form, `Status (Slice key)`: the declaration
  // without its name and words such as `static`, and without a variable's value.
  void replace_detail(lsp::DocumentSymbol& symbol) const;

 private:
  std::shared_ptr<const std::string> text_;
  std::optional<lsp::PositionIndex> document_;  // of text_; none without errors
  std::vector<lsp::Position> errors_;           // sorted
  bool are_cut_ = false;                        // clang has stopped after the last one
};

}  // namespace symbols::query
