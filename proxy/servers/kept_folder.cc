#include "proxy/servers/kept_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/filesystem.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/project_root.h"
#include "proxy/process/made_folder.h"
#include "proxy/servers/compilation_database.h"
#include "table/escape.h"

namespace symbols::servers {
namespace {

// Folders that are not ours, or whose origin exists, are not touched.
void remove_folders_of_nothing(const fs::path& folders) {
  std::error_code error;
  // With increment(error), because a range-based loop would throw if another run removes the folder.
  for (fs::directory_iterator entry(folders, error), end; !error && entry != end; entry.increment(error)) {
    for (const char* const name : {commands_file, Origin{}.name}) {
      const fs::path link = entry->path() / name;
      std::error_code unknown;
      if (fs::is_symlink(fs::symlink_status(link, unknown)) && !fs::exists(link, unknown) && !unknown)
        (void)process::remove_folder(entry->path().string());
    }
  }
}

}  // namespace

Result<fs::path> kept_folder(std::string_view kind, const fs::path& of, std::string_view suffix,
                             const Origin& origin) {
  const fs::path cache = files::UserFolders::from_environment().cache;
  if (cache.empty()) return Error{"there is no place for an index", "set XDG_CACHE_HOME"};
  const fs::path folder =
      cache / "symbols" / kind / fmt::format("{}{}", files::hex_of(files::hash_of(of.string())), suffix);
  const fs::path link = folder / origin.name;
  const auto failed = [&](const std::error_code& error) {
    return Error{fmt::format("cannot make {}: {}", table::quoted(link.string()), error.message()),
                 "set XDG_CACHE_HOME to a folder that may be written"};
  };
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failed(error);
  fs::permissions(folder, fs::perms::owner_all, error);  // an index reveals the sources
  if (fs::read_symlink(link, error) != origin.target) {
    // Renamed over the old one: another run may be reading it.
    const fs::path fresh = folder / fmt::format("{}.{}", origin.name, ::getpid());
    fs::remove(fresh, error);
    fs::create_symlink(origin.target, fresh, error);
    if (error) return failed(error);
    fs::rename(fresh, link, error);
    if (error) {
      std::error_code ignored;
      fs::remove(fresh, ignored);
      return failed(error);
    }
    remove_folders_of_nothing(folder.parent_path());
  }
  return {boost::system::in_place_value, folder};
}

}  // namespace symbols::servers
