// What a server would rename, as a patch (LSP 3.17, "Rename Request").
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "lsp/position.h"
#include "proxy/io/timers.h"
#include "proxy/query/query_services.h"

namespace symbols::query {

struct RenamePatch {
  std::string text;             // unified diffs (table/unified_diff.h), without a line end behind the last
  std::set<std::string> files;  // absolute paths of those that change
  lsp::Range edited{};          // from the first edit to the last, where only one file changes
  // Changed files, named as in the diff, that already have the new name (a possible conflict), and those that
  // keep the old one, as in a comment or the body of a macro.
  std::vector<std::string> with_new_name;
  std::vector<std::string> with_old_name;
};

struct NewName {
  std::string before;  // empty: not known
  std::string now;
};

// `edit`: the result of textDocument/rename, a WorkspaceEdit in JSON. Each file is read from disk, without
// following links; paths are shown from `folder`, absolute. Errors: the server renames nothing here; it would
// create, rename or delete files; its edits overlap or do not fit the text; a file lies outside of `folder`,
// cannot be read or is not UTF-8.
Result<RenamePatch> rename_patch(std::string_view edit, const NewName& name, const std::string& folder,
                                 lsp::PositionEncoding encoding);

// A query (query_services.h).
class RenameQuery {
 public:
  using Done = std::function<void(Result<RenamePatch>)>;

  // Asks for the symbol at `at` to be renamed to `name.now`. `limit`: how long to wait. Errors of `done`:
  // rename_patch's; the server offers no renaming, refuses this one, or does not answer in time.
  RenameQuery(const QueryServices& services, const std::string& uri, lsp::Position at, NewName name,
              std::string folder, milliseconds limit, Done done);

 private:
  void finish(Result<RenamePatch> patch);

  Done done_;
  PendingRequest request_;
  io::Timer timer_;
};

}  // namespace symbols::query
