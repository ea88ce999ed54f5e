#include "proxy/engine/document_inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/servers/mentions.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/trust_boundary.h"
#include "proxy/system/confinement.h"
#include "table/escape.h"

namespace symbols::engine {
namespace {

// The start of a file's first line, for "#!"; empty if the file cannot be read (which is reported when it is
// opened).
std::string first_line(const std::string& path, files::Symlinks symlinks) {
  const Result<Descriptor> file = files::open_regular_file(path, symlinks);
  if (!file) return {};
  char start[256];
  const ssize_t size = ::read(file->get(), start, sizeof start);
  const std::string_view text(start, size > 0 ? static_cast<std::size_t>(size) : 0);
  return std::string(text.substr(0, text.find_first_of("\r\n")));
}

// Finds jobs for files; lookups are cached for files of the same project and language.
class JobFinder {
 public:
  JobFinder(const InputOptions& options, const servers::ServerRegistry& registry, const KeptFlags& kept_flags)
      : options_(options),
        registry_(registry),
        home_(files::home_folder()),
        clangd_(options, kept_flags, home_),
        here_(files::working_folder()),
        account_home_(servers::account_home()) {}

  // Fails if --server, --language or --root is wrong for every file, or --confine cannot be met.
  Result<void> prepare() {
    if (options_.confine == true) {
      if (std::optional<Error> error = system::confinement_error()) return std::move(*error);
    }
    if (!options_.root.empty()) {
      std::error_code error;
      root_ = fs::canonical(options_.root, error);
      if (error) return files::system_error("use as --root", options_.root, error.value());
      if (!files::is_folder(root_))
        return Error{"--root is not a folder: " + options_.root, "give the project's folder"};
    }
    if (!options_.server.empty() && registry_.by_name(options_.server) == nullptr) {
      const Result<std::vector<std::string>> words = servers::split_command_line(options_.server);
      if (!words) return Error{"--server: " + words.error().message, words.error().advice};
    }
    if (!options_.language.empty()) {
      const servers::Language* language = find_language();
      if (language == nullptr && options_.server.empty()) {
        return Error{fmt::format("no server is known for --language {}", table::quoted(options_.language)),
                     "'symbols servers' lists the languages; with --server any id is accepted"};
      }
      language_id_ = language ? language->id : options_.language;
      if (language && !language->extensions.empty()) language_file_ = "x" + language->extensions.front();
    }
    return {};
  }

  // Completes a job of which the path is known, without an extension where its text is standard input's.
  // `asked`: the folder that was named on the command line, which has it; empty if the file was named.
  Result<DocumentJob> find(DocumentJob job, const fs::path& asked) {
    const fs::path path = job.path;
    const fs::path name = language_file_.empty() ? path : path.parent_path() / language_file_;
    std::string line;
    if (language_file_.empty() && registry_.candidates(path).empty())
      line = job.text ? job.text->text.substr(0, job.text->text.find_first_of("\r\n"))
                      : first_line(job.path, job.symlinks);

    const Result<Found> found = find_server(path, asked, name, line);
    if (!found) return found.error();
    // Standard input needs a name that shows its language to a server too.
    if (job.text && job.display_path == "-") job.path += name.extension().string();
    job.server = found->launch;
    job.language_id = !language_id_.empty() ? language_id_ : registry_.language_id(name, line, found->spec);
    if (job.language_id.empty()) {
      return Error{fmt::format("the language of {} is unknown", table::quoted(job.display_path)),
                   "name it with --language, such as --language cpp"};
    }
    job.root = (root_.empty() ? project_root(path, asked, found->spec) : root_).string();
    if (found->spec && found->spec->kind == servers::ServerKind::clangd) {
      const bool is_users = (!options_.server.empty() && options_.server != found->spec->name) ||
                            found->spec->command_from_user;
      clangd_.prepare(job, is_users);
    }
    if (root_.empty() && is_part_of_project(job, found->spec)) job.scope.part_of_project = job.root;
    if (options_.search_project) look_for_mentions(job, found->spec);
    return job;
  }

  // About all files: which servers are not used, and why.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // Servers do not load all files, or do not say when they have.
  void look_for_mentions(DocumentJob& job, const servers::ServerSpec* spec) {
    if (job.root.empty() || files::holds_unrelated_things(job.root, home_)) return;
    const auto search = [&job](auto find, const fs::path& root) {
      job.find_mentions = [find, file = job.path, root](std::string_view identifier) {
        return find(file, identifier, root, servers::MentionLimits());
      };
    };
    if (job.language_id.starts_with("typescript") || job.language_id.starts_with("javascript")) {
      const fs::path& repository = marked_root(job.path, nullptr);
      const bool is_wider = root_.empty() && !repository.empty();
      if (is_wider) job.scope.part_of_project.clear();
      search(servers::typescript_mentions, is_wider ? repository : fs::path(job.root));
    } else if (job.language_id == "python") {
      search(servers::python_mentions, job.root);
    } else if (spec && spec->name == "gopls") {
      search(servers::go_mentions, job.root);
    } else if (spec && spec->name == "intelephense") {
      search(servers::php_mentions, job.root);
    }
  }

  struct Found {
    const servers::ServerSpec* spec;
    ServerLaunch launch;
  };

  const servers::Language* find_language() const {
    const std::string extension = "." + options_.language;
    const servers::Language* by_extension = nullptr;
    for (const servers::ServerSpec& server : registry_.servers()) {
      for (const servers::Language& language : server.languages) {
        if (language.id == options_.language) return &language;
        if (by_extension == nullptr &&
            std::count(language.extensions.begin(), language.extensions.end(), extension) > 0) {
          by_extension = &language;
        }
      }
    }
    return by_extension;
  }

  // Whether more files than those in its root may use its symbols: nothing marks the root, or a repository
  // has more than it.
  bool is_part_of_project(const DocumentJob& job, const servers::ServerSpec* spec) {
    const fs::path& repository = marked_root(job.path, nullptr);
    return marked_root(job.path, spec).empty() ||
           (!repository.empty() && repository != job.root && files::contains(repository, job.root));
  }

  // `spec` may be null: no markers but `.git`. Each is looked for in each folder above, so once for a folder.
  const fs::path& marked_root(const fs::path& file, const servers::ServerSpec* spec) {
    const files::RootMarkers markers = spec ? spec->root_markers : files::RootMarkers();
    const auto [known, is_new] = roots_.try_emplace({file.parent_path().string(), markers});
    if (is_new) known->second = files::find_marked_root(file, markers, home_);
    return known->second;
  }
  fs::path project_root(const fs::path& file, const fs::path& asked, const servers::ServerSpec* spec) {
    if (const fs::path& marked = marked_root(file, spec); !marked.empty()) return marked;
    const fs::path package = spec ? files::folder_of_package(file, spec->package_marker) : fs::path();
    const bool is_wider = !package.empty() && (asked.empty() || files::contains(package, asked));
    return files::unmarked_root(file, is_wider ? package : asked.empty() ? here_ : asked, home_);
  }

  // The folder from which nothing is run. It covers the root that each of `specs` would be started for.
  fs::path boundary_for(const fs::path& file, const fs::path& asked,
                        const std::vector<const servers::ServerSpec*>& specs) {
    std::vector<fs::path> roots{project_root(file, asked, nullptr)};
    if (!root_.empty()) roots.push_back(root_);
    for (const servers::ServerSpec* spec : specs) roots.push_back(project_root(file, asked, spec));
    return servers::trust_boundary(file, roots, account_home_);
  }

  Result<Found> find_server(const fs::path& file, const fs::path& asked, const fs::path& name,
                            const std::string& line) {
    const std::vector<const servers::ServerSpec*> candidates = registry_.candidates(name, line);
    for (std::vector<const servers::ServerSpec*> specs = candidates;;) {
      const Result<Found> found =
          find_server_outside(boundary_for(file, asked, specs), candidates, name, line);
      // --server may name a server of another language, whose markers give the same file a wider project.
      if (!found || std::count(specs.begin(), specs.end(), found->spec) > 0) return found;
      specs.push_back(found->spec);
    }
  }

  Result<Found> find_server_outside(const fs::path& boundary,
                                    const std::vector<const servers::ServerSpec*>& candidates,
                                    const fs::path& name, const std::string& line) {
    const auto key = std::make_tuple(boundary, candidates);
    if (const auto known = found_.find(key); known != found_.end()) return known->second;
    const servers::LookupOptions lookup =
        servers::LookupOptions::from_environment(boundary, options_.trust_project, root_);
    notes_ = lookup.refused_installs;
    const Result<servers::FoundServer> server =
        options_.server.empty() ? servers::find_server_for_file(registry_, name, line, lookup)
                                : servers::server_from_text(options_.server, registry_, lookup);
    Result<Found> found = Error{};
    if (server) {
      found = Found{
          server->spec,
          {.name = server->spec ? server->spec->name : fs::path(server->command.program).filename().string(),
           .command = server->command}};
      if (options_.confine.value_or(!options_.trust_project) && system::kernel_confines_writes()) {
        auto& writable = found->launch.only_writable_folders.emplace();
        if (server->spec && server->spec->shared_memory) writable.emplace_back("/dev/shm");
      } else if (!options_.trust_project) {
        // The kernel does not keep it from writing.
        const bool is_ccls = server->spec && server->spec->kind == servers::ServerKind::ccls;
        const bool is_clangd = server->spec && server->spec->kind == servers::ServerKind::clangd;
        if (is_clangd) found->launch.filtered_database.emplace();
        if (is_ccls) {
          found = Error{
              fmt::format("cannot start the server {}: it follows the project's compile flags, which may "
                          "name files to write, and the kernel does not keep it from writing them",
                          server->spec->name),
              "use clangd, or pass --trust-project if you trust the project"};
        }
      }
    } else {
      found = server.error();
    }
    // "No server is known" names the file, so it is not cached.
    if (!candidates.empty() || !options_.server.empty()) found_.emplace(key, found);
    return found;
  }

  const InputOptions& options_;
  const servers::ServerRegistry& registry_;
  fs::path home_;
  ClangdJobs clangd_;
  fs::path here_;  // the current folder; empty if it is gone
  std::map<std::pair<std::string, files::RootMarkers>, fs::path> roots_;  // by folder and markers
  fs::path account_home_;
  fs::path root_;  // from --root; empty: each file's own
  std::string language_id_;
  std::string language_file_;  // a file name in the language of --language
  std::vector<std::string> notes_;
  std::map<std::tuple<fs::path, std::vector<const servers::ServerSpec*>>, Result<Found>> found_;
};

// A document before it is known whether it is in the shard. Of a million of them most are not.
struct Candidate {
  std::string path;                            // as it is called
  std::unique_ptr<Result<DocumentJob>> job{};  // null: not looked for yet
};

// The files of a folder that lack one server.
struct Unserved {
  std::size_t count = 0;
  std::string example;
  Error error;
};

void add_folder(const std::string& folder, const InputOptions& options,
                const servers::ServerRegistry& registry, JobFinder& finder,
                std::vector<Candidate>& candidates, DocumentInputs& inputs) {
  const bool any_server = !options.server.empty() && !options.language.empty();
  Result<files::FoundFiles> found = files::find_source_files(
      folder, [&](const fs::path& file) { return any_server || registry.for_file(file) != nullptr; }, {},
      options.ignored, options.symlinks());
  if (!found) return inputs.errors.push_back(found.error());
  inputs.errors.insert(inputs.errors.end(), found->errors.begin(), found->errors.end());
  inputs.notes.insert(inputs.notes.end(), found->notes.begin(), found->notes.end());
  if (found->files.empty()) {
    inputs.errors.push_back(
        {fmt::format("no file in {} is in a known language{}", table::quoted(folder),
                     found->ignored == 0 ? ""
                                         : fmt::format(" ({} are left out by .gitignore{})", found->ignored,
                                                       options.ignored.empty() ? "" : " or settings")),
         "'symbols servers' lists the languages; a file that is named is always taken"});
    return;
  }
  const std::size_t way_down = folder.size() + (folder.ends_with('/') ? 0 : 1);
  std::map<const servers::ServerSpec*, Unserved> unserved;
  bool any = false;
  for (const std::string& file : found->files) {
    Result<DocumentJob> job = finder.find({.display_path = file,
                                           .path = found->root / file.substr(way_down),
                                           .symlinks = files::Symlinks::refuse},
                                          found->root);
    if (job) {
      any = true;
      candidates.push_back({file, std::make_unique<Result<DocumentJob>>(std::move(job))});
      continue;
    }
    Unserved& group = unserved[registry.for_file(file)];
    if (group.count++ == 0) {
      group.example = file;
      group.error = job.error();
    }
  }
  for (const auto& [server, group] : unserved) {
    Error error{fmt::format("{} of {} left out, such as {}: {}", counted(group.count, "file"),
                            table::quoted(folder), table::quoted(group.example), group.error.message),
                group.error.advice};
    if (any) {
      inputs.notes.push_back(error.text());
    } else {
      inputs.errors.push_back(std::move(error));
    }
  }
}

// Error, before a server is looked for: the file cannot be read.
Result<DocumentJob> job_of_file(const std::string& path, const InputOptions& options, JobFinder& finder) {
  if (const auto text = options.texts.find(path); text != options.texts.end()) {
    return finder.find({.display_path = path,
                        .path = files::absolute_path(path).string(),
                        .symlinks = files::Symlinks::refuse,
                        .text = text->second},
                       {});
  }
  if (options.paths_are_resolved) {
    DocumentJob job{.display_path = path,
                    .path = files::absolute_path(path).string(),
                    .symlinks = files::Symlinks::refuse};
    const Result<Descriptor> file = files::open_regular_file(job.path, job.symlinks, path);
    return file ? finder.find(std::move(job), {}) : Result<DocumentJob>(file.error());
  }
  if (const Result<Descriptor> file = files::open_regular_file(path); !file) return file.error();
  const Result<fs::path> absolute = files::absolute_source_path(path);
  if (!absolute) return absolute.error();
  return finder.find({.display_path = path, .path = absolute->string()}, {});
}

Result<DocumentJob> job_of_standard_input(JobFinder& finder) {
  Result<files::SourceText> text = files::read_source_descriptor(STDIN_FILENO, "standard input");
  if (!text) return text.error();
  // A document needs a name: this one says where it came from, and its folder is the current one.
  const Result<fs::path> absolute = files::absolute_source_path("standard-input");
  if (!absolute) return absolute.error();
  return finder.find({.display_path = "-", .path = absolute->string(), .text = *std::move(text)}, {});
}

// By the paths as they were given and the sizes of the files: both are the same on all machines with the same
// tree, wherever it lies.
void keep_shard(std::vector<Candidate>& candidates, Shard shard) {
  std::vector<ShardedDocument> sharded;
  sharded.reserve(candidates.size());
  for (const auto& [path, job] : candidates) {
    struct stat status {};
    ShardedDocument& document = sharded.emplace_back(ShardedDocument{path});
    if (job && *job && (*job)->text) {
      document.bytes = (*job)->text->text.size();
    } else if (::stat(path.c_str(), &status) == 0) {
      document.bytes = static_cast<std::uint64_t>(status.st_size);
    }
  }
  std::vector<Candidate> ours;
  for (const std::size_t place : documents_of_shard(sharded, shard))
    ours.push_back(std::move(candidates[place]));
  candidates = std::move(ours);
}

}  // namespace

Result<DocumentInputs> find_document_inputs(const InputOptions& options,
                                            const servers::ServerRegistry& registry,
                                            const KeptFlags& kept_flags) {
  DocumentInputs inputs;
  inputs.several = options.paths.size() > 1 || !options.files_from.empty() || options.shard;
  JobFinder finder(options, registry, kept_flags);
  if (const Result<void> prepared = finder.prepare(); !prepared) return prepared.error();
  std::vector<Candidate> candidates;
  for (const std::string& path : options.paths) {
    if (options.is_standard_input(path)) {
      candidates.push_back({path, std::make_unique<Result<DocumentJob>>(job_of_standard_input(finder))});
      continue;
    }
    if (!options.texts.contains(path) && files::is_folder(path)) {
      inputs.several = true;
      add_folder(path, options, registry, finder, candidates, inputs);
      continue;
    }
    candidates.push_back({path});
  }
  if (options.shard) keep_shard(candidates, *options.shard);
  inputs.documents.reserve(candidates.size());
  for (auto& [path, job] : candidates) {
    if (!job) job = std::make_unique<Result<DocumentJob>>(job_of_file(path, options, finder));
    inputs.documents.push_back({path, std::move(*job)});
  }
  inputs.notes.insert(inputs.notes.end(), finder.notes().begin(), finder.notes().end());
  return inputs;
}

}  // namespace symbols::engine
