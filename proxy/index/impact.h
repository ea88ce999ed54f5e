// What a change touches: the symbols that differ from a commit, or those at some places, and who uses them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lsp/document_symbol.h"
#include "proxy/engine/document_dispatcher.h"
#include "proxy/options/option_value.h"
#include "proxy/output/run_steps.h"
#include "proxy/query/changed_symbols.h"
#include "proxy/terminal/terminal.h"
#include "table/token_estimate.h"

namespace symbols::index {

struct ImpactQuestion {
  std::string revision{};   // the commit to compare the work tree with; empty: the last one
  bool staged = false;      // the index in place of the work tree
  std::uint64_t depth = 1;  // 2: the users of the callers too, and so on
  std::vector<options::SourcePlace> places{};  // if there are any: their symbols, and no commit
  // Whether a folder may be looked into; empty: any.
  std::function<bool(const std::string& folder)> may_read{};
};

// A symbol that changed, or was asked about.
struct TouchedSymbol {
  std::string path;                       // absolute
  lsp::DocumentSymbol symbol;             // of a removed one as it was
  std::optional<query::Change> change{};  // none: it was asked about
  std::string name_before{};              // the identifier of one that was removed or renamed
  // Of the lists of its users (docs/spec.md, section 6), and why one of them is not there: "references: not
  // offered by the server".
  std::string completeness{};
  std::vector<std::string> missing{};

  bool is_gone() const { return change == query::Change::removed; }
};

// A line that uses such symbols, or callers of them.
struct Use {
  std::set<std::string> symbols{};  // their names
  std::set<std::string> callers{};  // the functions that call them there
  bool implements = false;
};

// Paths are absolute, lines count from zero.
struct Impact {
  std::string root;     // of the work tree; where places were given, the working folder
  std::string since{};  // the commit; empty where places were given
  std::vector<TouchedSymbol> touched{};
  std::map<std::string, std::map<std::uint32_t, Use>> uses{};
  // Where the names that are gone still stand.
  std::map<std::string, std::map<std::string, std::set<std::uint32_t>>> mentions{};
  // Files with other changes: "changed outside of its symbols", "is a submodule".
  std::vector<std::pair<std::string, std::string>> others{};
  std::vector<std::string> notes{};  // what could not be looked at
  bool is_whole = true;              // no note, and each list of users is that of the whole project
};

// The steps that answer for the repository around the working folder. `dump`: how documents are asked about.
// The first questions are about the files that differ, the next about the users of each symbol that does.
// Reads the environment and the configuration files. Errors: no place has a symbol; a file cannot be read;
// the settings are wrong; the repository may not be looked into; engine::git_changes()'s.
output::Steps<Impact> impact_steps(ImpactQuestion question, output::Dump dump);

// As text, with paths from `folder` and lines from one, within the limit: lines are dropped from the end.
// In impact_text.cc.
std::string impact_text(const Impact& impact, const std::string& folder,
                        const std::optional<table::TokenLimit>& limit);
// As one object of JSON; with `in_lines` as one a line for each entry of its lists, and then one with the
// rest. In impact_text.cc.
std::string impact_json(const Impact& impact, const std::string& folder, bool in_lines);

}  // namespace symbols::index
