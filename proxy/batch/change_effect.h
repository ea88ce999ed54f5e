// What a change of a file on disk asks of a server that is kept running.
#pragma once

#include <string_view>

#include "proxy/batch/server_connection.h"

namespace symbols::batch {

enum class ChangeEffect {
  parsed_when_opened,  // it sees the change in documents that it opens from then on
  told,                // it sees the change when it is told by workspace/didChangeWatchedFiles
  restart,             // only a new one is sure to see it, but for documents that it has open
  outdates_index,      // likewise, and for those too
};

// `path` is absolute; the file may be new, or be gone.
ChangeEffect effect_of_change(const ServerLaunch& server, std::string_view path);

// Whether the server, when told that the file at `path` came or went, answers for a while as if it did not
// know of it. pyright finds the project's files anew in the background.
bool learns_of_files_late(const ServerLaunch& server, std::string_view path);

// Whether a server takes the change of an open document by didChange alone, and answers at once as if it had
// opened the new text. clangd answers with the headers of before while it reads the new ones, so that symbols
// may be missing: it does so only if all is equal up to the first token that is no preprocessor directive.
bool takes_by_did_change(const ServerLaunch& server, std::string_view before, std::string_view after);

}  // namespace symbols::batch
