#include "proxy/indexing/index_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "proxy/settings/version.h"

namespace symbols::indexing {
namespace {

namespace fs = std::filesystem;

// The indexed files below `folder` that are no documents of the project any more. One whose server is missing
// today still is. `registry` is null where `documents` are not all of the project's: those of other shards
// are, too.
std::vector<std::string> gone_files(const std::map<std::string, index::IndexedFile>& indexed,
                                    const std::vector<batch::DocumentInput>& documents,
                                    const IndexTarget& target, const servers::ServerRegistry* registry) {
  std::set<std::string> there;
  std::set<std::string> servers;
  for (const batch::DocumentInput& document : documents) {
    if (!document.job) continue;
    there.insert(fs::path(document.job->path).lexically_relative(target.root).string());
    servers.insert(document.job->server.name);
  }
  const auto has_server = [&](const fs::path& file) {
    return registry != nullptr && std::ranges::any_of(registry->candidates(file), [&](const auto* server) {
             return servers.contains(server->name);
           });
  };
  std::vector<std::string> gone;
  for (const auto& [path, file] : indexed) {
    const fs::path full = target.root / path;
    std::error_code failure;
    if (there.contains(path) || !files::contains(target.folder, full)) continue;
    if (!fs::exists(full, failure) || has_server(full)) gone.push_back(path);
  }
  return gone;
}

// Opens it again where it was damaged, and is gone now.
Result<std::pair<index::IndexStore, index::IndexContents>> open_index(const IndexTarget& target) {
  for (bool again = true;; again = false) {
    Result<index::IndexStore> store =
        index::IndexStore::open(target.database, index::IndexStore::Missing::create, target.owner);
    if (!store) return store.error();
    Result<index::IndexContents> contents = store->contents();
    if (contents) return std::pair{std::move(*store), std::move(*contents)};
    std::error_code failure;
    if (!again || fs::exists(target.database, failure)) return contents.error();
  }
}

}  // namespace

query::InquiryOptions index_inquiry() {
  query::InquiryOptions inquiry;
  inquiry.document.selection.levels = {.rule = table::Levels::Rule::all};
  inquiry.document.hovers = false;
  inquiry.tell_if_none_found = false;
  inquiry.tells_errors = false;  // the index keeps them, and tells those of all files
  return inquiry;
}

// Keeps the answers in the index.
class IndexPass::Sink : public runs::AnswerSink {
  using Clock = std::chrono::steady_clock;
  // Where many files are answered within a moment, they are written together: a write to the disk for each
  // took a tenth of the time of TypeScript 7. A run that is killed asks again for these.
  static constexpr std::size_t most_gathered = 64;
  static constexpr std::chrono::milliseconds longest_gathering{200};

 public:
  Sink(IndexPass& pass, std::vector<std::string> paths, Summary summary, runs::RunOutput& output)
      : pass_(pass), paths_(std::move(paths)), summary_(summary), output_(output) {}
  // A run that is interrupted keeps what it has.
  ~Sink() override { (void)pass_.store_.put(answers_); }

  void add(std::size_t index, batch::DocumentAnswer answer) override {
    for (const std::string& note : answer.notes) output_.tell("note: " + note);
    const std::optional<index::FileState>& asked = pass_.states_[index];
    if (answer.error) {
      if (asked) pass_.failed_[paths_[index]] = asked->fingerprint;
      return fail(index, *answer.error);
    }
    const index::FileState& state = *asked;
    Result<std::string> bytes = files::read_regular_file((pass_.root_ / state.path).string(),
                                                         files::max_source_bytes, files::Symlinks::refuse);
    if (!bytes || files::hash_of(*bytes) != state.content || !pass_.plan_.still_holds(state)) {
      return fail(index, {"it, or a file that it includes, changed while it was being indexed",
                          "run symbols index again"});
    }
    lsp::SymbolTree tree = table::tree_of(*std::move(answer.rows));
    const Result<files::SourceText> source = files::decode_source_text(std::move(*bytes), state.path);
    const std::string text = source ? source->text : std::string();
    std::vector<index::RowForm> forms = index::row_forms(state.path, tree, text);
    index::FileOutline outline = index::outline_of(state.path, tree, forms, text);
    ++pass_.counts_.asked;
    pass_.counts_.rows += tree.symbols.size();
    gathered_.push_back(index);
    answers_.push_back({state.path, state.content, state.fingerprint, std::move(tree), std::move(outline),
                        std::move(forms), std::move(answer.errors)});
    if (answers_.size() == most_gathered || Clock::now() - last_kept_ >= longest_gathering) keep_answers();
  }

  void finish(const std::vector<Error>& others) override {
    keep_answers();
    for (const Error& error : others) output_.tell(error.text());
    any_other_error_ = !others.empty();
    const std::chrono::duration<double> taken = Clock::now() - pass_.start_;
    if (summary_ == Summary::of_changes && !pass_.changed_anything()) return;
    output_.write(fmt::format("{} files, {} rows: {} asked, {} kept, {} failed, {} removed, {:.2f} s\n",
                              pass_.counts_.asked + pass_.counts_.kept + pass_.counts_.failed,
                              pass_.counts_.rows, pass_.counts_.asked, pass_.counts_.kept,
                              pass_.counts_.failed, pass_.counts_.removed, taken.count()));
    const Result<std::string> errors = pass_.store_.errors_note();
    if (errors && !errors->empty()) output_.tell("note: " + *errors);
  }

  bool any_failed() const override { return pass_.counts_.failed > 0 || any_other_error_; }

  std::string progress_text() const override {
    const std::size_t done = pass_.counts_.asked + pass_.counts_.newly_failed;
    std::string text = fmt::format("{} of {} files", done, pass_.states_.size());
    if (done == 0) return text;
    const std::chrono::duration<double> taken = Clock::now() - pass_.start_;
    const auto left =
        static_cast<double>(pass_.states_.size() - done) * taken.count() / static_cast<double>(done);
    return text + fmt::format(", {:.1f} a second, {}:{:02} left", static_cast<double>(done) / taken.count(),
                              static_cast<int>(left) / 60, static_cast<int>(left) % 60);
  }

 private:
  void keep_answers() {
    const Result<void> kept = pass_.store_.put(answers_);
    for (std::size_t i = 0; !kept && i < answers_.size(); ++i) {
      --pass_.counts_.asked;
      pass_.counts_.rows -= answers_[i].tree.symbols.size();
      fail(gathered_[i], kept.error());
    }
    gathered_.clear();
    answers_.clear();
    last_kept_ = Clock::now();
  }

  void fail(std::size_t index, const Error& error) {
    ++pass_.counts_.failed;
    ++pass_.counts_.newly_failed;
    const std::string& path = paths_[index];
    output_.tell((error.message.find(path) == std::string::npos ? path + ": " : std::string()) +
                 error.text());
  }

  IndexPass& pass_;
  std::vector<std::string> paths_;
  Summary summary_;
  runs::RunOutput& output_;
  std::vector<std::size_t> gathered_;  // the documents of answers_
  std::vector<index::AnsweredFile> answers_;
  Clock::time_point last_kept_{};
  bool any_other_error_ = false;
};

IndexPass::IndexPass(const IndexTarget& target, const servers::ServerRegistry& registry,
                     index::IndexStore store, std::map<std::string, index::SourceState> sources)
    : root_(target.root),
      store_(std::move(store)),
      plan_(root_, registry, settings::program_version(), std::move(sources)) {}

Result<std::unique_ptr<IndexPass>> IndexPass::prepare(const IndexTarget& target,
                                                      const servers::ServerRegistry& registry, bool is_shard,
                                                      batch::DocumentInputs& inputs,
                                                      std::chrono::steady_clock::time_point start,
                                                      FailedFiles failed_before) {
  Result<std::pair<index::IndexStore, index::IndexContents>> opened = open_index(target);
  if (!opened) return opened.error();
  const std::map<std::string, index::IndexedFile>& indexed = opened->second.files;
  std::unique_ptr<IndexPass> pass(
      new IndexPass(target, registry, std::move(opened->first), std::move(opened->second.sources)));
  pass->start_ = start;
  const std::vector<std::string> gone =
      gone_files(indexed, inputs.documents, target, is_shard ? nullptr : &registry);
  std::vector<batch::DocumentInput> asked;
  for (batch::DocumentInput& document : inputs.documents) {
    std::optional<index::FileState> state;
    if (document.job) {
      Result<index::FileState> found = pass->plan_.state_of(*document.job);
      if (!found) {
        document.job = found.error();
      } else if (const auto known = indexed.find(found->path);
                 known != indexed.end() && known->second.fingerprint == found->fingerprint) {
        ++pass->counts_.kept;
        pass->counts_.rows += known->second.rows;
        continue;
      } else if (const auto failed = failed_before.find(document.display_path);
                 failed != failed_before.end() && failed->second == found->fingerprint) {
        ++pass->counts_.failed;
        pass->failed_.insert(*failed);
        continue;
      } else {
        state = std::move(*found);
      }
    }
    pass->states_.push_back(std::move(state));
    asked.push_back(std::move(document));
  }
  inputs.documents = std::move(asked);
  pass->counts_.removed = gone.size();
  if (const Result<void> removed = pass->store_.remove(gone); !removed) return removed.error();
  if (const Result<void> kept = pass->store_.keep_sources(pass->plan_.sources().changed()); !kept)
    return kept.error();
  return pass;
}

std::unique_ptr<runs::AnswerSink> IndexPass::make_sink(const batch::DocumentInputs& inputs, Summary summary,
                                                       runs::RunOutput& output) {
  return std::make_unique<Sink>(*this, runs::display_paths(inputs), summary, output);
}

}  // namespace symbols::indexing
