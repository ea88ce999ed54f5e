// Facts about this program, other processes and open descriptors that each system reports in its own way.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/filesystem.h"

namespace symbols::system {

// The path of the running program. Error: the system does not tell it.
fs::path own_program(std::error_code& error);
// Where the running program can be looked at and executed: on Linux even when its file has been replaced.
std::string own_image();
// The folder of its open descriptors, by number.
const char* own_descriptors();
// NAME=VALUE.
std::vector<std::string> own_environment();

// The resident bytes of the process and of all that it has started; memory that they share counts in each. 0
// if it has ended.
std::size_t resident_memory(pid_t process);

// Whether the other end of a connected Unix socket is a process of our own user.
bool is_own_peer(int connection);

// How many bytes the other end has not read yet; none: it is not known.
std::optional<int> unread_bytes(int connection);

// Whether an access control list adds to the mode of the file.
bool has_access_list(const std::string& path);

// Whether a group has members besides this user and root. Linux's own files are read, as a static program can
// read no other records: if this user or the group is not in them, others may be missing too, so the group
// counts as having others. On macOS each does: a user's files are of a group of all users.
bool has_other_members(gid_t group);

// The path of the open file or folder, without symbolic links; empty if it has none any more.
std::string path_of(int descriptor);

// The times of its content, and of its content or state.
timespec modified(const struct stat& status);
timespec changed(const struct stat& status);

}  // namespace symbols::system
