// A compile_commands.json of another checkout of the project: copied from another machine, or made before the
// folder was moved. clangd would follow its paths to nowhere.
//
//   "file": "/home/u/store/db/a.cc"    no such file, but the project has db/a.cc:
//                                      /home/u/store is replaced by the project's root
//
// The first entries decide. One that is there, or whose folder is, is of this checkout.
#pragma once

#include <filesystem>
#include <string>

namespace symbols::servers {

// Whether `database` is such a one of the project at `root`, a canonical path. Reads no more than its start.
bool is_of_another_checkout(const std::filesystem::path& database, const std::filesystem::path& root);

// The text of such a database with this project's paths; any other as it is.
std::string in_this_checkout(std::string json, const std::filesystem::path& root);

}  // namespace symbols::servers
