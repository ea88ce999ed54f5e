// Two generations of TypeScript: 7 is a native program inside an npm package and a language server itself; 5
// and 6 are JavaScript that typescript-language-server runs, by default the copy in the project.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "proxy/servers/program_search.h"

namespace symbols::servers {

struct NativeTypescript {
  std::filesystem::path program;                 // empty if there is none
  std::vector<std::filesystem::path> forbidden;  // those inside the untrusted project
  std::string broken;  // why a TypeScript 7 that is there cannot be run; empty otherwise
};

// TypeScript 7's native program: that of a `tsc` on the PATH whose package has version 7 or later, else of
// our own installs (called typescript7 there, since typescript is version 5).
NativeTypescript find_native_typescript(const std::string& path,
                                        const std::vector<std::filesystem::path>& own_installs,
                                        const ProjectBoundary& boundary);

// lib/tsserver.js of a TypeScript before 7: of our own installs, else of a `tsserver` or `tsc` on the PATH,
// else the one that `language_server` (typescript-language-server's program) was installed beside. Empty if
// there is none.
std::filesystem::path find_tsserver(const std::string& path,
                                    const std::vector<std::filesystem::path>& own_installs,
                                    const std::filesystem::path& language_server,
                                    const ProjectBoundary& boundary);

}  // namespace symbols::servers
