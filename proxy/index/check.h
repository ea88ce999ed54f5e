// The errors and warnings that are new since a commit or the last check.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/replies.h"
#include "proxy/output/run_steps.h"
#include "table/token_estimate.h"

namespace symbols::index {

struct CheckQuestion {
  std::string since{};               // a commit, or "last"; empty: the last commit
  std::vector<std::string> paths{};  // absolute; empty: what has changed
  // Whether a folder may be looked into; empty: any.
  std::function<bool(const std::string& folder)> may_read{};
  // A run for each file where its server can be kept: those that publish diagnostics are started anew for
  // each.
  bool one_by_one = false;
};

struct Check {
  std::string root;   // of the work tree
  std::string since;  // the commit, or what the last check has seen
  // By absolute path, in the order of their places, which are in the present text; at least one each.
  std::map<std::string, std::vector<lsp::Diagnostic>> found{};
  std::vector<std::string>
      looked_at{};             // absolute: those asked about, or changed, then those that depend on them
  std::size_t dependents = 0;  // of these
  std::size_t known = 0;       // errors and warnings that are not new
  std::size_t unknown = 0;     // files of which a server said nothing
  std::vector<std::string> notes{};  // what was not looked at, and what may be missing
};

// The steps that answer for the repository around the working folder, by the sources that differ from the
// commit, in the work tree, and those that may depend on them. `dump`: how documents are asked about. First
// the servers are asked about the present texts; only where there is an error or warning, about the texts of
// before. Keeps the present state in the user's cache as the last one. Errors: engine::git_changes()'s; there
// is no last check; a path is a folder, or not in the work tree; too many files have changed; the settings
// are wrong.
output::Steps<Check> check_steps(CheckQuestion question, output::Dump dump);

// The errors and warnings among `after`, of `new_text`, that are not among `before`, of `old_text`. One is
// among them if it says the same in the same line, or between the same lines where lines differ, which are
// found as diff finds them:
//
//   before            after
//   1 a               1 a
//   2 b   error X     2 c   error X    not new: between the same lines, a and d
//   3 d               3 e   error Y    new
//                     4 d   error X    new
//
// Places in messages make no difference. In the order of their places. In new_diagnostics.cc.
std::vector<lsp::Diagnostic> new_diagnostics(const std::vector<lsp::Diagnostic>& before,
                                             std::string_view old_text, std::vector<lsp::Diagnostic> after,
                                             std::string_view new_text);

// As text, with paths from `folder` and places from one, within the limit: lines are dropped from the end. In
// check_text.cc.
std::string check_text(const Check& check, const std::string& folder,
                       const std::optional<table::TokenLimit>& limit);
// As one object of JSON; with `in_lines` as one a line for each diagnostic, and then one with the rest. In
// check_text.cc.
std::string check_json(const Check& check, const std::string& folder, bool in_lines);

}  // namespace symbols::index
