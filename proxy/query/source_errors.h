// Errors in a C or C++ document for which its symbols and hovers are not to be trusted: without the header
// that has a type, clang goes on with `int` in its place, or drops the declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/recent_diagnostics.h"

namespace symbols::query {

struct SourceErrors {
  std::size_t count = 0;     // of all errors in the document
  std::int64_t line = 0;     // of the first, counted from 1
  std::string message = {};  // of the first: one line, not escaped

  bool operator==(const SourceErrors&) const = default;
};

// The errors among what was published of the document at `uri`, if any of them makes answers wrong. The first
// is a header that was not found if there is one, since it causes others. None if nothing was published for
// the present text (clangd publishes before it answers, so there is nothing to wait for), or if `published`
// is null.
std::optional<SourceErrors> source_errors(const lsp::RecentDiagnostics* published, std::string_view uri);

// "8 errors, so types and symbols may be wrong; the first, in line 1: 'a.h' file not found; …", and what to
// do.
std::string text_of(const SourceErrors& errors);

}  // namespace symbols::query
