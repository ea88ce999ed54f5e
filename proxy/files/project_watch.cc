#include "proxy/files/project_watch.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/system/folder_events.h"

namespace symbols::files {
namespace {

constexpr std::size_t max_named_changes = 1000;  // more are `unknown`
constexpr std::size_t max_watched_links = 32'768;
constexpr std::size_t max_depth = 256;  // folders in folders

constexpr std::string_view never_entered = ". .. .git .hg .svn .jj";

// Files and folders that servers look for above a file.
constexpr std::string_view configuration =
    "compile_commands.json compile_flags.txt .clangd build tsconfig.json jsconfig.json package.json "
    "node_modules pyproject.toml pyrightconfig.json setup.cfg setup.py requirements.txt go.mod go.work "
    "Cargo.toml Cargo.lock .luarc.json .git .editorconfig .clang-tidy .clang-format tsconfig.base.json "
    "vendor";

// What is at `path`, after symbolic links: a file with its size and times, a folder as such, or nothing.
std::optional<FileStamp> state_of(const std::string& path) {
  if (const std::optional<FileStamp> file = FileStamp::of(path)) return file;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return FileStamp{.device = static_cast<std::uint64_t>(status.st_dev), .inode = status.st_ino};
}

// The states of files and folders, to find changes of which there is no event.
using PathStates = std::unordered_map<std::string, std::optional<FileStamp>>;

// Those that are not what they were when they were noted.
std::vector<std::string> changed(const PathStates& states) {
  std::vector<std::string> changed;
  for (const auto& [path, state] : states) {
    if (state_of(path) != state) changed.push_back(path);
  }
  return changed;
}

// Whether `path` is `folder` or in it.
bool lies_in(std::string_view folder, std::string_view path) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/' || folder == "/");
}

class FolderWatch final : public ProjectWatch {
 public:
  FolderWatch(std::string root, std::string repository)
      : given_root_(std::move(root)), repository_(std::move(repository)) {
    scan();
  }

  ProjectChanges take(Look look) override {
    ProjectChanges changes;
    if (!events_.read([&](const system::FolderEvent& event) { note(event, changes); })) must_scan_ = true;
    if (look == Look::at_everything) look_at_everything(changes);
    if (must_scan_) {
      changes.unknown = true;
      scan();
    }
    if (failure_) changes.unknown = true;
    if (changes.unknown) changes = {.unknown = true};
    return changes;
  }

  void look_at(const std::string& path) override {
    if (!files_.contains(path) && files_.size() < 2 * max_files) files_[path] = state_of(path);
  }

  int descriptor() const override { return events_.descriptor(); }

  const std::optional<Error>& failure() const override { return failure_; }

 private:
  // Outside: above the project, or with a file in it that a link leads to.
  enum class Place { inside, outside };
  using Identity = std::pair<dev_t, ino_t>;
  struct Watched {
    std::string path;
    Place place = Place::inside;
    Identity identity{};  // of a folder inside
  };

  // Looks at all of it: at first, and after each change of a folder or a link. What changes meanwhile is not
  // told by name: take() tells `unknown`. The kernel gives a folder that is still watched the same number.
  void scan() {
    const auto before = std::exchange(watched_, {});
    scan_all();
    for (const auto& [number, watched] : before) {
      if (!watched_.contains(number)) events_.remove(number);
    }
  }

  // Ends early where something cannot be watched; failure_ then says why.
  void scan_all() {
    seen_.clear();
    names_.clear();
    links_to_follow_.clear();
    places_.clear();
    files_.clear();
    failure_.reset();
    must_scan_ = false;
    if (const int error = events_.error())
      return (void)fail(system_error("watch", given_root_, error).message);
    root_ = given_root_;
    places_[given_root_] = state_of(given_root_);
    if (!repository_.empty()) places_[repository_] = state_of(repository_);
    if (system::FolderEvents::is_shared(root_))
      return (void)fail(root_ + " is on a file system that other machines may change");
    std::error_code error;
    if (const std::string real = fs::canonical(root_, error).string(); !error && real != root_) {
      names_.emplace(root_, real);
      root_ = real;
    }
    if (!add_tree(root_, 0) || (!repository_.empty() && !add_tree(repository_, 0)) || !follow_links()) return;
    for (fs::path above = fs::path(root_).parent_path();; above = above.parent_path()) {
      (void)add(above.string(), Place::outside);  // an unreadable folder cannot configure anything
      if (above == above.parent_path()) break;
    }
  }

  bool fail(const std::string& message) {
    failure_ = Error{message, {}};
    return false;
  }

  bool add(const std::string& path, Place place, Identity identity = {}) {
    const int number = events_.add(path);
    if (number < 0) return false;
    const auto [found, is_new] = watched_.try_emplace(number, Watched{path, place, identity});
    if (!is_new && place == Place::inside) found->second = Watched{path, place, identity};
    return true;
  }

  // The folder and all in it; links are for follow_links(). False: it cannot be watched; failure_ has why.
  bool add_tree(const std::string& folder, std::size_t depth) {
    struct stat status {};
    // One that went meanwhile is told by its parent's events.
    if (::stat(folder.c_str(), &status) != 0) return depth > 0 || fail("cannot read " + folder);
    const Identity identity{status.st_dev, status.st_ino};
    if (!seen_.insert(identity).second) return true;
    if (depth > max_depth) return fail(fmt::format("{} lies more than {} folders deep", folder, max_depth));
    if (seen_.size() > max_folders) return fail(fmt::format("there are more than {} folders", max_folders));
    if (status.st_dev != device_ && system::FolderEvents::is_shared(folder))
      return fail(folder + " is on a file system that other machines may change");
    device_ = status.st_dev;
    // Before it is read, so that nothing that comes meanwhile is missed.
    if (!add(folder, Place::inside, identity)) {
      if (errno == ENOENT || errno == ENOTDIR) return true;  // it has been moved: its new name is told
      return fail(fmt::format("cannot watch {}: {}", folder,
                              errno == ENOSPC ? "the kernel's limit of watches is reached (sysctl "
                                                "fs.inotify.max_user_watches)"
                                              : std::strerror(errno)));
    }
    return for_each_entry(
        folder, [&](const std::string& path, unsigned char type) { return add_entry(path, type, depth); });
  }

  // Calls `work(path, kind)` (kind_of) for each entry until it returns false, which is then returned. By
  // readdir: std::filesystem takes twice as long.
  template <class Work>
  bool for_each_entry(const std::string& folder, const Work& work) {
    DIR* const entries = ::opendir(folder.c_str());
    if (entries == nullptr) return errno == ENOENT || fail("cannot read " + folder);
    bool all = true;
    while (const dirent* const entry = all ? ::readdir(entries) : nullptr) {
      const std::string_view name = entry->d_name;
      if (!is_among(name, never_entered))
        all = work(folder + '/' + std::string(name), kind_of(entries, *entry));
    }
    ::closedir(entries);
    return all;
  }

  bool add_entry(const std::string& path, unsigned char type, std::size_t depth) {
    if (type == DT_REG) {
      note_file(path);
    } else if (type == DT_LNK) {
      links_to_follow_.emplace_back(path, depth + 1);
    } else if (type == DT_DIR) {
      const bool are_packages = path.ends_with("/node_modules") && !lies_in(root_, path);
      return are_packages ? add_links_of_packages(path) : add_tree(path, depth + 1);
    }
    return true;
  }

  // Installed packages outside of the project stay as they are, but some are links to the repository's own.
  bool add_links_of_packages(const std::string& packages) {
    return for_each_entry(packages, [&](const std::string& path, unsigned char type) {
      if (type == DT_LNK) links_to_follow_.emplace_back(path, 0);
      return type != DT_DIR || path[packages.size() + 1] != '@' || add_links_of_packages(path);
    });
  }

  // After the folders themselves, so that each is known by its own name, and the links' names come to it.
  bool follow_links() {
    while (!links_to_follow_.empty()) {
      const auto [link, depth] = std::move(links_to_follow_.back());
      links_to_follow_.pop_back();
      std::error_code error;
      const std::string target = fs::canonical(link, error).string();
      if (error) {  // it leads nowhere yet
        places_[link] = state_of(link);
        continue;
      }
      if (names_.size() >= max_watched_links)
        return fail(fmt::format("there are more than {} links", max_watched_links));
      names_.insert_or_assign(link, target);
      if (is_folder(target)) {
        if (!lies_in(root_, target)) places_[link] = state_of(link);
        if (!add_tree(target, depth)) return false;
      } else {
        note_file(link);
        (void)add(fs::path(target).parent_path().string(), Place::outside);
      }
    }
    return true;
  }

  // Under each of its names.
  void add_change(const std::string& path, bool may_be_new_or_gone, ProjectChanges& changes) {
    if (changes.unknown) return;
    const bool was_there = files_.contains(path);
    if (may_be_new_or_gone && !(was_there && is_there(path))) changes.new_or_gone.insert(path);
    renew(path);
    if (changes.paths.size() >= max_named_changes) changes.unknown = true;
    changes.paths.insert(path);
    for (const auto& [link, target] : names_) {
      if (!lies_in(target, path)) continue;
      const std::string name = link + path.substr(target.size());
      if (files_.contains(name)) files_[name] = state_of(name);
      changes.paths.insert(name);
    }
  }

  static bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

  void renew(const std::string& path) { is_there(path) ? note_file(path) : (void)files_.erase(path); }

  void note_file(const std::string& path) {
    const bool is_installed = path.find("/node_modules/") != path.npos;
    if (files_.contains(path) || (files_.size() < max_files && !is_installed)) files_[path] = state_of(path);
  }

  // For what no event tells.
  void look_at_everything(ProjectChanges& changes) {
    if (!changed(places_).empty() || (events_.mounts_changed() && has_other_folders()))
      return scan_later(changes);
    for (const std::string& path : changed(files_))
      changes.unknown ? renew(path) : add_change(path, true, changes);
  }

  bool has_other_folders() const {
    return std::ranges::any_of(watched_, [](const auto& entry) {
      const Watched& watched = entry.second;
      struct stat status {};
      return watched.place == Place::inside && (::stat(watched.path.c_str(), &status) != 0 ||
                                                watched.identity != Identity{status.st_dev, status.st_ino});
    });
  }

  bool is_target_of_link(const std::string& path) const {
    return std::ranges::any_of(names_, [&](const auto& entry) { return entry.second == path; });
  }

  void note(const system::FolderEvent& event, ProjectChanges& changes) {
    const auto found = watched_.find(event.folder);
    if (found == watched_.end()) return;
    const Watched& watched = found->second;
    const std::string_view name = event.name;
    if (name.empty()) return scan_later(changes);
    const bool is_above = watched.path != root_ && lies_in(watched.path, root_);
    if (is_above && is_among(name, configuration)) changes.unknown = true;
    const std::string path = (watched.path == "/" ? "" : watched.path) + '/' + std::string(name);
    if (watched.place == Place::outside) {
      if (is_target_of_link(path)) add_change(path, event.comes_or_goes, changes);
      return;
    }
    if (is_among(name, never_entered)) return;
    const bool is_or_was_link = names_.contains(path) || (!event.is_folder && is_link(path));
    if ((event.is_folder || is_or_was_link) && event.is_of_attributes) return;
    if (event.is_folder || is_or_was_link) return scan_later(changes);
    add_change(path, event.comes_or_goes, changes);
  }

  // Folders are no longer where they were, or it is not known which are.
  void scan_later(ProjectChanges& changes) {
    must_scan_ = true;
    changes.unknown = true;
  }

  static bool is_link(const std::string& path) {
    std::error_code error;
    return fs::is_symlink(path, error);
  }

  system::FolderEvents events_;
  std::string given_root_;
  std::string repository_;
  std::string root_;  // without symbolic links
  std::unordered_map<int, Watched> watched_;
  std::set<Identity> seen_;
  std::map<std::string, std::string> names_;                          // links, and what they lead to
  std::vector<std::pair<std::string, std::size_t>> links_to_follow_;  // with their depth
  PathStates places_;  // the project, its repository, links out of it and those that lead nowhere
  PathStates files_;
  dev_t device_ = 0;
  bool must_scan_ = false;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<ProjectWatch>> ProjectWatch::start(const std::string& root,
                                                          const std::string& repository) {
  auto watch = std::make_unique<FolderWatch>(root, repository);
  if (watch->failure()) return *watch->failure();
  return std::unique_ptr<ProjectWatch>(std::move(watch));
}

}  // namespace symbols::files
