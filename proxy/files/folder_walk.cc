#include "proxy/files/folder_walk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/system/descriptors.h"

namespace symbols::files {
namespace {

constexpr std::string_view ignore_file_name = ".gitignore";

struct Entry {
  std::string name;
  bool is_folder = false;
};

struct Folder {
  std::string path;            // ends in `/`
  std::vector<Entry> entries;  // what to look at, in order
  std::size_t next = 0;
  std::size_t outer_levels = 0;  // Walk's levels_ and repository_ above this folder
  std::size_t outer_repository = 0;
};

// The rules of a folder. It is the first `folder_length` bytes of the paths that they see.
struct Level {
  IgnoreRules rules;
  std::size_t folder_length = 0;
};

std::string with_slash(std::string path) {
  if (!path.ends_with('/')) path += '/';
  return path;
}

class Walk {
 public:
  Walk(const KnownFile& known, const FolderLimits& limits, const IgnoredPaths& ignored)
      : known_(known), limits_(limits), ignored_(ignored) {}

  Result<FoundFiles> run(const std::string& folder, Symlinks symlinks) {
    // Which canonical() would call an invalid argument.
    if (folder.empty()) return system_error("look into", folder, ENOENT);
    std::error_code failure;
    const fs::path canonical =
        symlinks == Symlinks::follow ? fs::canonical(folder, failure) : absolute_path(folder);
    if (failure) return system_error("look into", folder, failure.value());
    if (!fs::is_directory(canonical, failure))
      return Error{fmt::format("cannot look into {}: it is not a folder", folder),
                   "name the file or its folder"};

    found_.root = canonical;
    push_outer_rules(canonical);
    canonical_root_ = with_slash(canonical.string());
    const std::string root = with_slash(folder);
    root_length_ = root.size();
    if (const int error = enter(root)) return system_error("look into", folder, error);

    while (!open_.empty()) {
      if (entries_seen_ > limits_.entries)
        return Error{
            fmt::format("cannot look through {}: it has more than {} entries", folder, limits_.entries),
            "give a folder inside it"};
      if (found_.files.size() > limits_.files)
        return Error{
            fmt::format("cannot take all of {}: it has more than {} source files", folder, limits_.files),
            "give a folder inside it"};
      Folder& innermost = open_.back();
      if (innermost.next == innermost.entries.size()) {
        levels_.resize(innermost.outer_levels);
        repository_ = innermost.outer_repository;
        open_.pop_back();
        continue;
      }
      const Entry& entry = innermost.entries[innermost.next++];
      look_at(innermost.path + entry.name, entry.is_folder);
    }
    return std::move(found_);
  }

 private:
  // The path that ignore rules see: from the repository's root, or else from the folder that is walked.
  std::string rules_path(std::string_view path) const {
    return rules_prefix_ + std::string(path.substr(root_length_));
  }

  // Where it is, without links.
  std::string place_of(std::string_view path) const {
    return canonical_root_ + std::string(path.substr(root_length_));
  }

  // By the innermost rules that match it, or by the settings.
  bool is_ignored(const std::string& path, bool is_folder) const {
    const std::string inside = levels_.size() > repository_ ? rules_path(path) : std::string();
    IgnoreVerdict verdict = IgnoreVerdict::unmatched;
    for (std::size_t i = levels_.size(); i > repository_ && verdict == IgnoreVerdict::unmatched; --i)
      verdict = levels_[i - 1].rules.verdict(std::string_view(inside).substr(levels_[i - 1].folder_length),
                                             is_folder);
    return verdict == IgnoreVerdict::ignored ||
           (!ignored_.empty() && ignored_.ignores(place_of(path), is_folder));
  }

  // `place`: of the file, whose name notes have.
  void push_rules(const std::string& place, std::size_t rules_folder_length, const std::string& name) {
    Result<IgnoreRules> rules = read_ignore_file(place, name);
    if (!rules) {
      found_.notes.push_back(rules.error().message + "; its rules are ignored");
    } else if (!rules->empty()) {
      levels_.push_back({*std::move(rules), rules_folder_length});
    }
  }

  // The rules in info/exclude of the repository at `place`, whose .git may be a link.
  void push_repository_rules(const std::string& place, std::size_t rules_folder_length,
                             const std::string& name) {
    std::error_code failure;
    const fs::path info = fs::canonical(place + ".git/info", failure);
    if (!failure) push_rules((info / "exclude").string(), rules_folder_length, name + ".git/info/exclude");
  }

  // The rules of the repository around `folder`, a canonical path, from its root to just above `folder`.
  void push_outer_rules(const fs::path& folder) {
    std::error_code ignored;
    const auto is_root = [&](const fs::path& path) {
      return fs::exists(fs::symlink_status(path / ".git", ignored));
    };
    fs::path root = folder;
    while (!is_root(root)) {
      if (!root.has_relative_path()) return;
      root = root.parent_path();
    }
    if (root == folder) return;
    const std::string start = with_slash(root.string());
    const std::string whole = with_slash(folder.string());
    rules_prefix_ = whole.substr(start.size());
    push_repository_rules(start, 0, start);
    for (std::size_t end = start.size(); end < whole.size(); end = whole.find('/', end) + 1) {
      const std::string file = whole.substr(0, end).append(ignore_file_name);
      push_rules(file, end - start.size(), file);
    }
  }

  // 0, or the error number of why the folder cannot be read.
  int enter(const std::string& path) {
    std::string place = place_of(path);
    if (place.size() > 1) place.pop_back();
    Descriptor opened = system::open_without_links(place, O_RDONLY | O_DIRECTORY);
    if (!opened) return errno;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(opened.get()), &::closedir);
    if (!listing) return errno;
    opened.release();

    Folder folder{path, {}, 0, levels_.size(), repository_};
    bool has_rules = false;
    bool is_repository = false;
    for (errno = 0; const dirent* const entry = ::readdir(listing.get()); errno = 0) {
      std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++entries_seen_ > limits_.entries) break;
      if (name.starts_with('.')) {
        has_rules = has_rules || name == ignore_file_name;
        is_repository = is_repository || name == ".git";
        continue;
      }
      const unsigned char kind = kind_of(listing.get(), *entry);
      const bool is_folder = kind == DT_DIR;
      if (is_folder ? name != "node_modules" : kind == DT_REG)
        folder.entries.push_back({std::move(name), is_folder});
    }
    if (errno != 0) return errno;

    std::ranges::sort(folder.entries, {}, &Entry::name);
    const std::size_t length = rules_path(path).size();
    if (is_repository) {
      repository_ = levels_.size();
      push_repository_rules(place_of(path), length, path);
    }
    if (has_rules)
      push_rules(place_of(path).append(ignore_file_name), length, std::string(path).append(ignore_file_name));
    open_.push_back(std::move(folder));
    return 0;
  }

  void look_at(std::string path, bool is_folder) {
    if (!is_folder) {
      if (!known_(path)) return;
      if (is_ignored(path, false)) {
        ++found_.ignored;
      } else {
        found_.files.push_back(std::move(path));
      }
      return;
    }
    if (is_ignored(path, true)) return;
    if (open_.size() > limits_.depth)
      return found_.errors.push_back(
          {fmt::format("cannot look into {}: it is more than {} folders deep", path, limits_.depth),
           "name that folder itself"});
    if (const int error = enter(path + '/')) found_.errors.push_back(system_error("look into", path, error));
  }

  const KnownFile& known_;
  const FolderLimits& limits_;
  const IgnoredPaths& ignored_;
  FoundFiles found_;
  std::vector<Level> levels_;   // of the folders above, the innermost last
  std::size_t repository_ = 0;  // the first level of the innermost repository, which has its own rules
  std::vector<Folder> open_;
  std::size_t root_length_ = 0;
  std::string canonical_root_;  // ends in `/`
  std::string rules_prefix_;
  std::size_t entries_seen_ = 0;
};

}  // namespace

bool each_entry(const Descriptor& folder, const std::function<bool(const char* name)>& take) {
  Descriptor listed(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const entries = listed ? ::fdopendir(listed.get()) : nullptr;
  if (entries == nullptr) return false;
  listed.release();
  // All of them first: what is removed meanwhile might hide others.
  std::vector<std::string> names;
  for (errno = 0; const dirent* const entry = ::readdir(entries); errno = 0) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  const int error = errno;
  ::closedir(entries);
  errno = error;
  return error == 0 &&
         std::ranges::all_of(names, [&take](const std::string& name) { return take(name.c_str()); });
}

unsigned char kind_of(DIR* listing, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type;
  struct stat status {};
  if (::fstatat(::dirfd(listing), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

Result<FoundFiles> find_source_files(const std::string& folder, const KnownFile& known,
                                     const FolderLimits& limits, const IgnoredPaths& ignored,
                                     Symlinks symlinks) {
  return Walk(known, limits, ignored).run(folder, symlinks);
}

Result<std::vector<std::string>> parse_path_list(std::string_view text, PathSeparator separator,
                                                 const std::string& name) {
  const bool lines = separator == PathSeparator::newline;
  std::vector<std::string> paths;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view path = take_part(text, lines ? '\n' : '\0');
    if (lines && path.ends_with('\r')) path.remove_suffix(1);
    if (path.empty()) continue;
    const auto wrong = [&](std::string_view what, std::string_view advice) {
      return Error{fmt::format("{}: {} {} {}", name, lines ? "line" : "path", number, what),
                   std::string(advice)};
    };
    if (path == "-")
      return wrong("is -, which cannot be standard input here", "for a file of that name write ./-");
    if (path.find('\0') != std::string_view::npos)
      return wrong("has a NUL byte", "for a list separated by NUL give --null");
    if (path.size() >= PATH_MAX) {
      return wrong(fmt::format("is longer than a path can be, {} bytes", PATH_MAX - 1),
                   lines ? "give one path a line" : "separate the paths by NUL");
    }
    paths.emplace_back(path);
  }
  return paths;
}

Result<std::vector<std::string>> read_path_list(const std::string& path, PathSeparator separator) {
  const std::string name = path == "-" ? "standard input" : path;
  Descriptor file;
  if (path != "-") {
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return system_error("read", path, errno);
  }
  const Result<std::string> text =
      read_descriptor(file ? file.get() : STDIN_FILENO, name, max_path_list_bytes);
  if (!text) return text.error();
  return parse_path_list(*text, separator, name);
}

}  // namespace symbols::files
