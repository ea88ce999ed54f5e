// How wide the folder is that is not trusted when a server is looked for: as wide as anything that could be
// called the file's project, or a program beside the found root would be run; but never the person's own home
// folder, which forbids nothing (program_search.h) and would so let everything in the project be run.
#pragma once

#include <filesystem>
#include <vector>

namespace symbols::servers {

// The widest of `roots` that contains `file`, but for `home` (account_home(); empty: unknown) and `/`, which
// are not considered however they came to be roots. Empty where none is left: then nothing is forbidden, as
// for a file that lies in the home folder itself. All paths are absolute and canonical.
std::filesystem::path trust_boundary(const std::filesystem::path& file,
                                     const std::vector<std::filesystem::path>& roots,
                                     const std::filesystem::path& home);

// The canonical home folder of the account, from the system's own records: $HOME may be set to anything, to
// the project as well. Empty where there is no record.
std::filesystem::path account_home();

}  // namespace symbols::servers
