#include "proxy/engine/git_changes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/process/made_folder.h"
#include "proxy/process/program_output.h"
#include "proxy/servers/program_search.h"
#include "proxy/system/introspection.h"
#include "table/escape.h"

namespace symbols::engine {
namespace {

// For the list of a diff, and for one text.
constexpr process::ProgramLimits git_limits{.time = std::chrono::seconds(60),
                                            .bytes = files::max_source_bytes};
// The empty tree exists in every repository without being stored (git hash-object -t tree /dev/null).
constexpr std::string_view empty_tree_sha1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
constexpr std::string_view empty_tree_sha256 =
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

// Which repository it is, where a hook runs us.
constexpr std::string_view variables_of_place =
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_CEILING_DIRECTORIES";
constexpr std::string_view other_objects = "GIT_ALTERNATE_OBJECT_DIRECTORIES";

void add_variable(std::vector<std::string>& variables, std::string_view name) {
  const std::string copy(name);
  if (const char* const value = std::getenv(copy.c_str())) variables.push_back(copy + '=' + value);
}

class Git {
 public:
  static Result<Git> in(const std::string& folder) {
    const char* const path = std::getenv("PATH");
    const fs::path marked = files::find_marked_root(fs::path(folder) / "x", {}, files::home_folder());
    const servers::ProjectBoundary boundary(marked, false);
    const servers::ProgramSearch search = servers::find_programs("git", path ? path : "", boundary);
    if (search.found.empty()) return Error{"there is no git on the PATH", "install git"};
    std::vector<std::string> inherited = servers::allowed_environment(system::own_environment(), boundary);
    inherited.push_back("PATH=" + servers::allowed_path(path ? path : "", boundary));
    return Git(search.found.front().string(), folder, std::move(inherited));
  }

  // Error: it cannot be run, or does not end well in time.
  Result<process::ProgramOutput> ask(std::vector<std::string> arguments) const {
    const process::ProcessOptions options{.program = program_,
                                          .arguments = std::move(arguments),
                                          .working_directory = folder_,
                                          .environment = environment_,
                                          .inherited_environment = inherited_};
    return std::move(process::run_programs({options}, git_limits).front());
  }

  // Returns its standard output. Error: the first line of its standard error if it failed, or as ask().
  Result<std::string> run(std::vector<std::string> arguments) const {
    Result<process::ProgramOutput> ran = ask(std::move(arguments));
    if (!ran) return ran.error();
    if (ran->status.code == 0 && ran->status.signal == 0)
      return {boost::system::in_place_value, std::move(ran->output)};
    const std::string_view words = trim(ran->error_output);
    return Error{
        "git: " + (words.empty() ? ran->status.text() : std::string(words.substr(0, words.find('\n')))), {}};
  }

  // From here on git sees the objects and the index of the repository, and no configuration.
  Result<void> isolate(const std::string& root, const std::string& objects, const std::string& index,
                       const std::string& hash) {
    Result<process::MadeFolder> made = process::MadeFolder::make();
    if (!made) return made.error();
    folder_for_git_.emplace(std::move(*made));
    const fs::path folder = folder_for_git_->path();
    std::error_code error;
    fs::create_directory(folder / "refs", error);
    // A copy, whose times of files can be refreshed: else all files of a copied tree seem to differ. It keeps
    // its own time, by which git tells which files may have changed since without a trace.
    std::error_code no_index;
    const fs::path copy = folder / "index";
    const bool is_copied = fs::copy_file(index, copy, no_index);
    if (is_copied) fs::last_write_time(copy, fs::last_write_time(index, error), error);
    std::ofstream head(folder / "HEAD");
    head << "ref: refs/heads/none\n" << std::flush;
    std::ofstream config(folder / "config");
    config << "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tfileMode = false\n"
           << "[extensions]\n\tobjectformat = " << hash << '\n'
           << std::flush;
    if (error || !head || !config) return Error{"cannot write into " + folder.string(), {}};
    folder_ = root;
    environment_ = {"GIT_DIR=" + folder.string(),
                    "GIT_WORK_TREE=" + root,
                    "GIT_OBJECT_DIRECTORY=" + objects,
                    "GIT_INDEX_FILE=" + (is_copied ? copy.string() : index),
                    "HOME=" + folder.string(),
                    "XDG_CONFIG_HOME=" + folder.string(),
                    "GIT_CONFIG_NOSYSTEM=1",
                    "GIT_CONFIG_GLOBAL=/dev/null",
                    "GIT_ATTR_NOSYSTEM=1",
                    "GIT_OPTIONAL_LOCKS=0",
                    "GIT_NO_LAZY_FETCH=1",
                    "GIT_ALLOW_PROTOCOL=none"};
    add_variable(environment_, other_objects);
    return {};
  }

 private:
  Git(std::string program, std::string folder, std::vector<std::string> inherited)
      : program_(std::move(program)), folder_(std::move(folder)), inherited_(std::move(inherited)) {
    std::string_view names = variables_of_place;
    while (!names.empty()) add_variable(environment_, take_part(names, ' '));
    add_variable(environment_, other_objects);
  }

  std::string program_;
  std::string folder_;
  std::vector<std::string> inherited_;
  std::vector<std::string> environment_ = {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                                           "GIT_ALLOW_PROTOCOL=none"};
  std::optional<process::MadeFolder> folder_for_git_;
};

// An entry of `git diff-index --raw -z`: `:100644 100644 <blob> <blob> R100`, a path, or a rename's two.
struct RawChange {
  std::string_view mode_before;
  std::string_view mode_after;
  std::string_view blob_before;
  std::string_view blob_after;
  std::string path_before;
  std::string path_after;
};

std::vector<RawChange> read_raw(std::string_view raw) {
  std::vector<RawChange> changes;
  while (raw.starts_with(':')) {
    raw.remove_prefix(1);
    std::string_view fields = take_part(raw, '\0');
    RawChange change{};
    for (std::string_view* const field :
         {&change.mode_before, &change.mode_after, &change.blob_before, &change.blob_after})
      *field = take_part(fields, ' ');
    change.path_before = change.path_after = take_part(raw, '\0');
    if (fields.starts_with('R') || fields.starts_with('C')) change.path_after = take_part(raw, '\0');
    changes.push_back(std::move(change));
  }
  return changes;
}

// The paths in the output of `git ls-files --unmerged -z`: `<mode> <blob> <stage>`, a tab, the path.
std::set<std::string, std::less<>> read_unmerged(std::string_view list) {
  std::set<std::string, std::less<>> paths;
  while (!list.empty()) {
    std::string_view entry = take_part(list, '\0');
    take_part(entry, '\t');
    paths.emplace(entry);
  }
  return paths;
}

bool is_none(std::string_view mode_or_blob) {
  return mode_or_blob.find_first_not_of('0') == mode_or_blob.npos;
}

// The commit's name in git's own form; that of the empty tree before the first commit.
Result<std::string> find_commit(const Git& git, const std::string& revision, bool is_sha256) {
  const std::string named = (revision.empty() ? "HEAD" : revision) + "^{commit}";
  const Result<process::ProgramOutput> found =
      git.ask({"rev-parse", "--verify", "--quiet", "--end-of-options", named});
  if (!found) return found.error();
  if (found->status.code == 0 && found->status.signal == 0) return std::string(trim(found->output));
  if (!revision.empty())
    return Error{fmt::format("git knows no commit {}", table::quoted(revision)),
                 "give a commit, or FILE:LINE; a shallow clone has only its last commits"};
  // HEAD names a branch that has no commit.
  const Result<process::ProgramOutput> head = git.ask({"rev-parse", "--verify", "--quiet", "HEAD"});
  if (!head) return head.error();
  if (head->status.code != 1 || !trim(head->error_output).empty())
    return Error{"git: the last commit cannot be read", "see git fsck"};
  return std::string(is_sha256 ? empty_tree_sha256 : empty_tree_sha1);
}

}  // namespace

Result<GitChanges> git_changes(const std::string& folder, const std::string& revision, Compared compared,
                               const std::function<bool(const std::string& path)>& wanted,
                               const std::function<bool(const std::string& root)>& may_read) {
  Result<Git> git = Git::in(folder);
  if (!git) return git.error();
  const Result<std::string> about =
      git->run({"rev-parse", "--path-format=absolute", "--show-toplevel", "--git-path", "objects",
                "--git-path", "index", "--git-path", "info/exclude", "--show-object-format"});
  if (!about) return about.error();
  const std::vector<std::string_view> lines = split(*about, '\n');
  if (lines.size() != 5)
    return Error{"git does not say where the repository is", "it has to be 2.31 or newer"};
  const std::string hash(lines[4]);
  GitChanges changes{.root = std::string(lines[0]), .revision = revision.empty() ? "HEAD" : revision};
  if (may_read && !may_read(changes.root))
    return Error{"the folders that may be read hold a part of a repository only",
                 "ask about a path and a line"};
  if (!files::contains(changes.root, folder))
    return Error{
        fmt::format("the work tree is {}, which does not have this folder", table::quoted(changes.root)),
        "see git config core.worktree"};
  if (files::holds_unrelated_things(changes.root, files::home_folder()))
    return Error{fmt::format("the work tree is {}, which has unrelated things", table::quoted(changes.root)),
                 {}};
  const Result<std::string> commit = find_commit(*git, revision, hash == "sha256");
  if (!commit) return commit.error();
  changes.commit = *commit;
  if (*commit == empty_tree_sha1 || *commit == empty_tree_sha256) changes.revision = "nothing";
  const Result<void> isolated =
      git->isolate(changes.root, std::string(lines[1]), std::string(lines[2]), hash);
  if (!isolated) return isolated.error();
  (void)git->ask({"update-index", "-q", "--refresh"});  // its status says only whether files differ
  std::vector<std::string> diff{"diff-index", "--raw",       "-z",
                                "-M",         "--no-abbrev", "--ignore-submodules=dirty"};
  if (compared == Compared::index) diff.emplace_back("--cached");
  diff.insert(diff.end(), {*commit, "--"});
  const Result<std::string> raw = git->run(std::move(diff));
  if (!raw) return raw.error();
  const Result<std::string> unmerged = git->run({"ls-files", "--unmerged", "-z"});
  if (!unmerged) return unmerged.error();
  const std::set<std::string, std::less<>> being_merged = read_unmerged(*unmerged);

  std::vector<RawChange> differing = read_raw(*raw);
  std::error_code error;
  const std::string excluded = fs::exists(lines[3], error) ? std::string(lines[3]) : "/dev/null";
  if (compared == Compared::work_tree) {
    const Result<std::string> untracked =
        git->run({"ls-files", "--others", "--exclude-standard", "-z", "--exclude-from", excluded});
    if (!untracked) return untracked.error();
    for (const std::string_view path : split(*untracked, '\0'))
      differing.push_back({"0", "100644", "0", "0", std::string(path), std::string(path)});
  }

  std::size_t files_read = 0;
  std::size_t bytes_read = 0;
  // The blob's text, or the file's if git has not hashed it; none if there is none.
  const auto text_of = [&](std::string_view mode, std::string_view blob,
                           const std::string& path) -> Result<std::optional<files::SourceText>> {
    if (is_none(mode)) return std::optional<files::SourceText>();
    Result<files::SourceText> text = Error{};
    if (is_none(blob)) {
      text = files::read_source_file(changes.root + '/' + path, path, files::Symlinks::refuse);
    } else {
      Result<std::string> bytes = git->run({"cat-file", "blob", std::string(blob)});
      text = bytes ? files::decode_source_text(*std::move(bytes), path) : bytes.error();
    }
    if (!text) return text.error();
    bytes_read += text->text.size();
    return std::optional(std::move(*text));
  };
  for (const RawChange& change : differing) {
    ChangedFile file{.path = changes.root + '/' + change.path_after};
    const bool is_wanted = wanted(file.path);
    const auto leave_out = [&](std::string why) { changes.others.emplace_back(file.path, std::move(why)); };
    // The text of a source was not looked at.
    const auto miss = [&](std::string why) {
      leave_out(std::move(why));
      changes.is_whole = changes.is_whole && !is_wanted;
    };
    const auto has_mode = [&change](std::string_view mode) {
      return change.mode_before == mode || change.mode_after == mode;
    };
    const std::string old_path = changes.root + '/' + change.path_before;
    if ((!is_wanted || has_mode("120000")) && change.mode_before.starts_with("100") && wanted(old_path)) {
      // A source that became a link, or a file of no known language: as a source it is gone.
      Result<std::optional<files::SourceText>> before =
          text_of(change.mode_before, change.blob_before, change.path_before);
      if (before) changes.files.push_back({.path = old_path, .before = std::move(*before)});
    }
    if (being_merged.contains(change.path_after)) {
      miss("is being merged");
    } else if (has_mode("160000")) {
      leave_out("is a submodule");
    } else if (has_mode("120000")) {
      leave_out("is a link");
    } else if (!is_wanted) {
      leave_out(std::string(no_known_language));
    } else if (files_read == max_changed_files || bytes_read > max_changed_bytes) {
      miss("is not looked at: there are too many changes");
    } else {
      ++files_read;
      if (change.path_before != change.path_after) file.moved_from = old_path;
      Result<std::optional<files::SourceText>> before =
          text_of(change.mode_before, change.blob_before, change.path_before);
      Result<std::optional<files::SourceText>> after =
          text_of(change.mode_after, change.blob_after, change.path_after);
      if (!before || !after) {
        miss((before ? after : before).error().message);
        continue;
      }
      file.before = std::move(*before);
      file.after = std::move(*after);
      // git lists files whose times alone differ.
      const bool same = file.before && file.after && file.before->text == file.after->text;
      if (!same || !file.moved_from.empty()) changes.files.push_back(std::move(file));
    }
  }
  return changes;
}

}  // namespace symbols::engine
