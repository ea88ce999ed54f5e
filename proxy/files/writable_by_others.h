// Whether other users of the machine could have made a file, or can change it: before a program is run that
// nobody has named.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace symbols::files {

// Why users other than root and this one can decide what is at `path` (absolute): "/tmp/lib belongs to user
// 1001", "/srv may be changed by other users". None if they cannot. Each directory and symbolic link on the
// way is looked at, and `path` itself:
// - It must belong to root or to this user. In a user namespace root has another number: the owner of `/` is
//   trusted like root.
// - Nobody else may write to it. A group without other members is nobody else; an access control list is.
//   A directory that all may write to is fine if it is sticky, as /tmp is, since its entries then are their
//   owner's alone; these have to be root's or this user's.
// What is inside a directory at `path` is not looked at. Reads /etc/passwd and /etc/group if a group may
// write.
std::optional<std::string> writable_by_others(const std::filesystem::path& path);

}  // namespace symbols::files
