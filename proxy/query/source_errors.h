// Errors in a document for which its symbols and hovers are not to be trusted. Without the header that has a
// type, clang goes on with `int` in its place, or drops the declaration; without the packages that a project
// imports, other servers do not know the types from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/recent_diagnostics.h"
#include "lsp/replies.h"

namespace symbols::query {

struct SourceErrors {
  std::size_t count = 0;      // clang: of all errors in the document; else of such imports
  bool are_more = false;      // clang stopped after these
  std::int64_t line = 0;      // of the first, counted from 1
  std::string message = {};   // of the first: one line, not escaped
  std::string_view remedy{};  // what to do; a literal
  bool are_clangs = false;    // symbols may be missing, too; else only types are
};

// The errors, not warnings, among what was published of the document at `uri`. None if nothing was published
// for the present text (clangd publishes before it answers, so there is nothing to wait for), or if
// `published` is null.
std::vector<lsp::Diagnostic> published_errors(const lsp::RecentDiagnostics* published, std::string_view uri);

// The errors among these diagnostics of a document, if any of them makes answers wrong. The first is a header
// that was not found if there is one, since it causes others.
std::optional<SourceErrors> source_errors(const std::vector<lsp::Diagnostic>& diagnostics);

// "8 errors, so types and symbols may be wrong; the first, in line 1: 'a.h' file not found; …", and what to
// do.
std::string text_of(const SourceErrors& errors);

// In one line: `count` of `files` have errors. `first`: the path of one, and its text_of().
std::string errors_note(std::size_t count, std::size_t files, std::string_view first);

}  // namespace symbols::query
