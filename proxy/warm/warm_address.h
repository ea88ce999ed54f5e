// Where the process that keeps servers warm is found: a Unix-domain socket in a folder of this user alone.
#pragma once

#include <filesystem>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::warm {

// $XDG_RUNTIME_DIR/symbols, else /tmp/symbols-UID; made if it is missing. Error: it cannot be made, or
// belongs to somebody else, or others may enter it.
Result<std::filesystem::path> runtime_folder();

// The socket of the process that answers for this program and this environment: servers see the variables
// that they are started with, and another build may answer otherwise. What a shell or a terminal sets for
// itself does not count (SHLVL, COLUMNS, …).
std::filesystem::path socket_path(const std::filesystem::path& folder);

// All sockets in the folder, of other environments and builds too.
std::vector<std::filesystem::path> all_sockets(const std::filesystem::path& folder);

// A connection to the socket. None if nothing listens there, or it is not of this user.
Descriptor connect_to(const std::filesystem::path& socket);

// Listens on the socket, in place of one that nobody listens on. Error: somebody does, or the system's.
Result<Descriptor> listen_on(const std::filesystem::path& socket);

// Whether the other side of a connection is a process of this user.
bool is_own_peer(int connection);

}  // namespace symbols::warm
