#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "proxy/cli/commands.h"
#include "proxy/cli/document_run.h"
#include "proxy/cli/tell.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_place.h"
#include "proxy/index/index_plan.h"
#include "proxy/index/index_store.h"
#include "proxy/servers/server_registry.h"
#include "proxy/servers/servers_file.h"

namespace symbols::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What is counted for the last line.
struct IndexCounts {
  std::size_t asked = 0;
  std::size_t kept = 0;
  std::size_t failed = 0;
  std::size_t removed = 0;
  std::size_t rows = 0;
};

// Keeps the answers in the index.
class IndexSink : public AnswerSink {
 public:
  // `states` and `paths` are those of the documents that are asked for, in their order; a document that is
  // known to fail has no state.
  IndexSink(index::IndexStore& store, const index::IndexPlan& plan,
            std::vector<std::optional<index::FileState>> states, std::vector<std::string> paths,
            IndexCounts counts, Clock::time_point start, Write out, Write tell)
      : store_(store),
        plan_(plan),
        states_(std::move(states)),
        paths_(std::move(paths)),
        counts_(counts),
        start_(start),
        out_(std::move(out)),
        tell_(std::move(tell)) {}

  void add(std::size_t index, batch::DocumentAnswer answer) override {
    for (const std::string& note : answer.notes) tell_("note: " + note);
    if (answer.error) return fail(index, *answer.error);
    const index::FileState& state = *states_[index];
    if (!plan_.still_holds(state)) {
      return fail(index, {"it, or a file that it includes, changed while it was asked for",
                          "run symbols index again"});
    }
    const lsp::SymbolTree& tree = answer.rows->tree;
    if (const Result<void> kept = store_.put(state.path, {state.content, state.fingerprint, {}}, tree); !kept)
      return fail(index, kept.error());
    ++counts_.asked;
    counts_.rows += tree.symbols.size();
  }

  void finish(const std::vector<Error>& others) override {
    for (const Error& error : others) tell_(error.text());
    any_other_error_ = !others.empty();
    const std::chrono::duration<double> taken = Clock::now() - start_;
    out_(fmt::format("{} files, {} rows: {} asked, {} kept, {} failed, {} removed, {:.2f} s\n",
                     counts_.asked + counts_.kept + counts_.failed, counts_.rows, counts_.asked, counts_.kept,
                     counts_.failed, counts_.removed, taken.count()));
  }

  bool any_failed() const override { return counts_.failed > 0 || any_other_error_; }

  std::string progress_text() const override {
    const std::size_t done = counts_.asked + counts_.failed;
    std::string text = fmt::format("{} of {} files", done, states_.size());
    if (done == 0) return text;
    const std::chrono::duration<double> taken = Clock::now() - start_;
    const auto left = static_cast<double>(states_.size() - done) * taken.count() / static_cast<double>(done);
    return text + fmt::format(", {:.1f} a second, {}:{:02} left", static_cast<double>(done) / taken.count(),
                              static_cast<int>(left) / 60, static_cast<int>(left) % 60);
  }

 private:
  void fail(std::size_t index, const Error& error) {
    ++counts_.failed;
    const std::string& path = paths_[index];
    tell_((error.message.find(path) == std::string::npos ? path + ": " : std::string()) + error.text());
  }

  index::IndexStore& store_;
  const index::IndexPlan& plan_;
  std::vector<std::optional<index::FileState>> states_;
  std::vector<std::string> paths_;
  IndexCounts counts_;
  Clock::time_point start_;
  Write out_;
  Write tell_;
  bool any_other_error_ = false;
};

std::vector<std::string> all_markers(const servers::ServerRegistry& registry) {
  std::vector<std::string> markers;
  for (const servers::ServerSpec& server : registry.servers())
    markers.insert(markers.end(), server.root_markers.begin(), server.root_markers.end());
  return markers;
}

// The indexed files below `folder` that are no documents of the project any more. One whose server is missing
// today still is.
std::vector<std::string> gone_files(const std::map<std::string, index::IndexedFile>& indexed,
                                    const std::vector<batch::DocumentInput>& documents, const fs::path& root,
                                    const fs::path& folder, const servers::ServerRegistry& registry) {
  std::set<std::string> there;
  std::set<std::string> servers;
  for (const batch::DocumentInput& document : documents) {
    if (!document.job) continue;
    there.insert(fs::path(document.job->path).lexically_relative(root).string());
    servers.insert(document.job->server.name);
  }
  const auto has_server = [&](const fs::path& file) {
    return std::ranges::any_of(registry.candidates(file),
                               [&](const auto* server) { return servers.contains(server->name); });
  };
  std::vector<std::string> gone;
  for (const auto& [path, file] : indexed) {
    const fs::path full = root / path;
    std::error_code failure;
    if (there.contains(path) || !files::contains(folder, full)) continue;
    if (!fs::exists(full, failure) || has_server(full)) gone.push_back(path);
  }
  return gone;
}

// The index, and what it had at the start.
struct OpenIndex {
  index::IndexStore store;
  std::map<std::string, index::SourceState> sources;
  std::map<std::string, index::IndexedFile> files;
};

Result<OpenIndex> open_index(const fs::path& file) {
  for (bool again = true;; again = false) {
    Result<index::IndexStore> store = index::IndexStore::open(file, index::IndexStore::Missing::create);
    if (!store) return store.error();
    auto sources = store->sources();
    auto files = store->files();
    if (sources && files) return OpenIndex{std::move(*store), std::move(*sources), std::move(*files)};
    // One that was damaged is gone now.
    std::error_code failure;
    if (!again || fs::exists(file, failure)) return sources ? files.error() : sources.error();
  }
}

// What is to be done, and what was kept.
struct IndexWork {
  std::optional<index::IndexStore> store;
  std::optional<index::IndexPlan> plan;
  std::vector<std::optional<index::FileState>> states;
  IndexCounts counts;
};

// Opens the index, takes what it still has out of `documents`, and removes what is gone.
Result<void> prepare_work(IndexWork& work, const fs::path& file, const fs::path& root, const fs::path& folder,
                          const servers::ServerRegistry& registry,
                          std::vector<batch::DocumentInput>& documents) {
  Result<OpenIndex> opened = open_index(file);
  if (!opened) return opened.error();
  const std::map<std::string, index::IndexedFile>& indexed = opened->files;
  work.store.emplace(std::move(opened->store));
  work.plan.emplace(root, registry, program_version(), std::move(opened->sources));
  const std::vector<std::string> gone = gone_files(indexed, documents, root, folder, registry);
  std::vector<batch::DocumentInput> asked;
  for (batch::DocumentInput& document : documents) {
    std::optional<index::FileState> state;
    if (document.job) {
      Result<index::FileState> found = work.plan->state_of(*document.job);
      if (!found) {
        document.job = found.error();
      } else if (const auto known = indexed.find(found->path);
                 known != indexed.end() && known->second.fingerprint == found->fingerprint) {
        ++work.counts.kept;
        work.counts.rows += known->second.rows;
        continue;
      } else {
        state = std::move(*found);
      }
    }
    work.states.push_back(std::move(state));
    asked.push_back(std::move(document));
  }
  documents = std::move(asked);
  work.counts.removed = gone.size();
  if (const Result<void> removed = work.store->remove(gone); !removed) return removed;
  return work.store->keep_sources(work.plan->sources().changed());
}

}  // namespace

int run_index(const IndexArguments& arguments) {
  const Clock::time_point start = Clock::now();
  const auto wrong = [](const Error& error, int status) {
    tell(error.text());
    return status;
  };
  const Result<servers::ServerRegistry> registry =
      servers::ServerRegistry::load(servers::user_servers_file());
  if (!registry) return wrong(registry.error(), 1);
  DumpArguments document = arguments.document;
  const fs::path given = arguments.folder.empty() ? "." : arguments.folder;
  const Result<fs::path> root = index::index_root(given, document.inputs.root, all_markers(*registry));
  if (!root) return wrong(root.error(), 2);
  const Result<fs::path> indexes = index::index_folder();
  if (!indexes) return wrong(indexes.error(), 1);
  std::error_code failure;
  const fs::path folder = arguments.folder.empty() ? *root : fs::canonical(given, failure);
  document.inputs.paths = {arguments.folder.empty() && !fs::equivalent(*root, ".", failure) ? root->string()
                                                                                            : given.string()};
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(document.inputs, *registry);
  if (!inputs) return wrong(inputs.error(), 2);

  const fs::path file = index::index_file(*indexes, *root);
  if (arguments.rebuild) index::IndexStore::discard(file);
  IndexWork work;
  if (const Result<void> prepared = prepare_work(work, file, *root, folder, *registry, inputs->documents);
      !prepared)
    return wrong(prepared.error(), 1);

  query::InquiryOptions inquiry;
  inquiry.document.selection.levels = {.rule = table::Levels::Rule::all};
  inquiry.document.hovers = false;
  return run_documents(
      document, std::move(inquiry), std::move(*inputs),
      [&](const batch::DocumentInputs& asked, AnswerSink::Write out, AnswerSink::Write tell) {
        std::vector<std::string> paths;
        for (const batch::DocumentInput& one : asked.documents) paths.push_back(one.display_path);
        return std::make_unique<IndexSink>(*work.store, *work.plan, std::move(work.states), std::move(paths),
                                           work.counts, start, std::move(out), std::move(tell));
      });
}

}  // namespace symbols::cli
