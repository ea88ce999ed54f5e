#include "proxy/system/folder_events.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "proxy/system/introspection.h"

namespace symbols::system {
namespace {

using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode
using Times = std::pair<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>>;

// lstat(2) of an entry; of a folder its identity alone.
struct Stamp {
  Identity identity{};
  bool is_folder = false;
  std::int64_t size = 0;
  Times times{};
  // A hash of its content, where that could change within the same tick of the file system's clock.
  bool is_new = false;
  std::optional<std::size_t> content{};
};

Identity identity_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

Times times_of(const struct stat& status) {
  const timespec content = modified(status);
  const timespec state = changed(status);
  return {{content.tv_sec, content.tv_nsec}, {state.tv_sec, state.tv_nsec}};
}

// A hash of the content; a large file gets a new number each time, so that it counts as changed.
std::size_t content_of(const std::string& path, std::int64_t size) {
  constexpr std::int64_t max_hashed = 256 << 10;
  static std::size_t last_large = 0;
  if (size > max_hashed) return ++last_large;
  std::ifstream file(path, std::ios::binary);
  return std::hash<std::string>()({std::istreambuf_iterator<char>(file), {}});
}

// `hashes`: its content even if it is not new.
std::optional<Stamp> stamp_of(const std::string& path, bool hashes) {
  constexpr std::int64_t max_tick = 2;  // seconds: FAT's; those of others are far shorter
  const std::int64_t now = std::time(nullptr);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  Stamp stamp{.identity = identity_of(status), .is_folder = S_ISDIR(status.st_mode)};
  if (stamp.is_folder) return stamp;
  stamp.size = status.st_size;
  stamp.times = times_of(status);
  const std::int64_t last = std::max(stamp.times.first.first, stamp.times.second.first);
  stamp.is_new = last >= now - max_tick && last <= now + max_tick;
  if ((stamp.is_new || hashes) && S_ISREG(status.st_mode)) stamp.content = content_of(path, stamp.size);
  return stamp;
}

struct Folder {
  std::string path;
  Identity identity{};
  std::map<std::string, Stamp> entries{};
};

// The names in it. None, with errno: it cannot be read.
std::optional<std::set<std::string>> names_in(const std::string& path) {
  DIR* const folder = ::opendir(path.c_str());
  if (folder == nullptr) return {};
  std::set<std::string> names;
  while (const dirent* const entry = ::readdir(folder)) names.insert(entry->d_name);
  ::closedir(folder);
  names.erase(".");
  names.erase("..");
  return names;
}

// Tells what differs from its entries, and makes them those of now.
void look_at(int number, Folder& folder, const std::function<void(const FolderEvent&)>& take) {
  std::set<std::string> names = names_in(folder.path).value_or(std::set<std::string>());
  for (const auto& [name, stamp] : folder.entries) names.insert(name);
  for (const std::string& name : names) {
    const std::string path = folder.path + '/' + name;
    const auto known = folder.entries.find(name);
    std::optional<Stamp> now = stamp_of(path, known != folder.entries.end() && known->second.content);
    if (known == folder.entries.end()) {
      if (!now) continue;
      take({.folder = number, .name = name, .is_folder = now->is_folder, .comes_or_goes = true});
    } else if (!now || now->identity != known->second.identity || now->is_folder != known->second.is_folder) {
      const bool is_folder = known->second.is_folder || (now && now->is_folder);
      take({.folder = number, .name = name, .is_folder = is_folder, .comes_or_goes = true});
    } else if (now->size != known->second.size || now->times != known->second.times ||
               (known->second.content && known->second.content != now->content)) {
      take({.folder = number, .name = name});
    }
    if (now) {
      if (!now->is_new) now->content.reset();
      folder.entries.insert_or_assign(name, *now);
    } else {
      folder.entries.erase(name);
    }
  }
}

}  // namespace

struct FolderEvents::State {
  std::map<Identity, int> numbers;
  std::map<int, Folder> folders;
  int last = 0;
};

FolderEvents::FolderEvents() : state_(std::make_unique<State>()) {}

FolderEvents::~FolderEvents() = default;

int FolderEvents::error() const {
  return 0;
}

int FolderEvents::add(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return -1;
  const auto [number, is_new] = state_->numbers.try_emplace(identity_of(status), state_->last + 1);
  if (!is_new) {
    state_->folders.at(number->second).path = path;  // it may have been renamed
    return number->second;
  }
  if (!names_in(path)) {
    state_->numbers.erase(number);
    return -1;
  }
  Folder folder{.path = path, .identity = number->first};
  look_at(0, folder, [](const FolderEvent&) {});
  state_->folders.emplace(++state_->last, std::move(folder));
  return state_->last;
}

void FolderEvents::remove(int folder) {
  std::erase_if(state_->numbers, [folder](const auto& entry) { return entry.second == folder; });
  state_->folders.erase(folder);
}

bool FolderEvents::read(const std::function<void(const FolderEvent&)>& take) {
  for (auto& [number, folder] : state_->folders) {
    struct stat status {};
    if (::stat(folder.path.c_str(), &status) == 0 && identity_of(status) == folder.identity) {
      look_at(number, folder, take);
    } else {
      take({.folder = number});
    }
  }
  return true;
}

bool FolderEvents::mounts_changed() {
  return false;
}

int FolderEvents::descriptor() const {
  return -1;
}

bool FolderEvents::is_shared(const std::string&) {
  return false;
}

}  // namespace symbols::system
