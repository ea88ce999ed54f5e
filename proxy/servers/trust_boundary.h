// The folder that is not trusted when a server is looked for. It is as wide as anything that could be called
// the file's project, or a program beside the found root could be run. But it is never the user's own home
// folder, which forbids nothing (program_search.h) and so would let everything in the project be run.
#pragma once

#include <filesystem>
#include <vector>

namespace symbols::servers {

// The widest of `roots` that contains `file`, except for `home` (account_home(); empty: unknown) and `/`,
// which never count. Empty if none is left: then nothing is forbidden, as for a file directly in the home
// folder. All paths are absolute and canonical.
std::filesystem::path trust_boundary(const std::filesystem::path& file,
                                     const std::vector<std::filesystem::path>& roots,
                                     const std::filesystem::path& home);

// The canonical home folder of the account, from the system's own records: $HOME may be set to anything, even
// to the project. Empty if there is no record.
std::filesystem::path account_home();

}  // namespace symbols::servers
