// Answers the requests that servers send to their client, like a client without a user interface. A client
// that does not answer them hangs its server.
#pragma once

#include <string>
#include <string_view>

#include "lsp/envelope.h"

namespace symbols::lsp {

// WorkspaceFolder[] with the only folder of our workspace, as JSON; null if `root_uri` is empty.
std::string workspace_folders(std::string_view root_uri, std::string_view root_name);

// The answer (a whole body, pure ASCII) to a request of the server:
// workspace/configuration: null for each item (the server's defaults); workspace/workspaceFolders: the one
// folder; client/(un)registerCapability, window/workDoneProgress/create, window/showMessageRequest,
// workspace/*/refresh: null; window/showDocument: success false; workspace/applyEdit: applied false; others:
// error -32601. `root_uri` is the workspace's folder, `root_name` its name for people.
std::string answer_server_request(const Envelope& request, std::string_view root_uri,
                                  std::string_view root_name);

}  // namespace symbols::lsp
