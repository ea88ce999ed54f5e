// What of the machine an untrusted project may not decide: which programs are run, and which variables they
// get. And whether other users of the machine could have made a file, or can change it: before a program is
// run that nobody has named.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/filesystem.h"

namespace symbols::servers {

// The folder that is not trusted when a server is looked for: the widest of `roots` that contains `file`, or
// a program beside the found root could be run. But not `home` (account_home(); empty: unknown) or `/`, as a
// boundary there forbids nothing. Empty if none is left, as for a file directly in the home folder. All paths
// are absolute and canonical.
fs::path trust_boundary(const fs::path& file, const std::vector<fs::path>& roots, const fs::path& home);

// The canonical home folder of the account, from the system's own records: $HOME may be set to anything, even
// to the project. Empty if there is no record.
fs::path account_home();

class ProjectBoundary {
 public:
  // Nothing is inside of an empty root, of the account's own home folder and of `/`, which are not projects
  // that someone else wrote. `other_root`: another folder that is not trusted.
  ProjectBoundary(const fs::path& project_root, bool trust_project, const fs::path& other_root = {});

  // Whether running `path` (absolute) would run something in an untrusted project: because the path itself, a
  // folder or symbolic link on the way, or the file at its end is inside.
  bool forbids(const fs::path& path) const;

 private:
  bool contains(const fs::path& canonical) const;

  std::vector<fs::path> roots_;  // canonical; none: forbids nothing
};

// `path` without the entries that are empty, relative or forbidden: the PATH for a server, which searches it
// for programs, too (`#!/usr/bin/env node`, python, go, cargo).
std::string allowed_path(std::string_view path, const ProjectBoundary& boundary);

// Those of `variables` (NAME=VALUE) that a server may inherit, in their order. A variable can name code to
// load: NODE_OPTIONS, LD_PRELOAD, PYTHONPATH, CLANGD_FLAGS, … Interpreters and tools have hundreds of them,
// so what a server needs is listed (trust_boundary.cc), and it gets nothing else. A path that is relative,
// empty or in the project is left out: the variable, or the element of a list. Not PATH: see allowed_path().
std::vector<std::string> allowed_environment(const std::vector<std::string>& variables,
                                             const ProjectBoundary& boundary);

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
std::optional<std::string> writable_by_others(const fs::path& path);

}  // namespace symbols::servers
