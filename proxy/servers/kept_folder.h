// Folders in the user's cache that are kept for servers, which may be confined to writing there: clangd's
// indexes, gopls's caches.
#pragma once

#include <string_view>

#include "base/filesystem.h"
#include "base/result.h"

namespace symbols::servers {

// A link in a kept folder to what it is made from. Once that is gone, so is the use of the folder.
struct Origin {
  const char* name = "copied-from";
  fs::path target;
};

// $XDG_CACHE_HOME/symbols/KIND/… (by default in ~/.cache), made if it is not there, for this user only. Each
// path `of` and `suffix` have their own, so what a server leaves there for one project meets no other.
// Worktrees and checkouts in temporary folders leave folders behind, which may be large: where a folder is
// new, those of this kind whose origin is gone are removed. Error: the user has no cache, or the folder
// or the link cannot be made.
Result<fs::path> kept_folder(std::string_view kind, const fs::path& of, std::string_view suffix,
                             const Origin& origin);

}  // namespace symbols::servers
