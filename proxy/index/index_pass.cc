#include "proxy/index/index_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"

namespace symbols::index {
namespace {

// Where many files are answered within a moment, they are written together: a write to the disk for each
// took a tenth of the time of TypeScript 7. A run that is killed asks again for these.
constexpr std::size_t max_gathered = 64;
constexpr milliseconds max_gathering{200};

// The indexed files in `target.folder` that are not documents of the project any more. A file whose server is
// missing today still is. `registry` is null for a shard: then only files that do not exist are gone.
std::vector<std::string> gone_files(const std::map<std::string, IndexedFile>& indexed,
                                    const std::vector<engine::DocumentInput>& documents,
                                    const IndexTarget& target, const servers::ServerRegistry* registry) {
  std::set<std::string> there;
  std::set<std::string> servers;
  for (const engine::DocumentInput& document : documents) {
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
    if (there.contains(path) || !files::contains(target.folder, full)) continue;
    if (!files::is_there(full) || has_server(full)) gone.push_back(path);
  }
  return gone;
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

IndexPass::~IndexPass() {
  (void)store_.put(answers_);
}

void IndexPass::write_to(output::RunOutput& output, Summary summary) {
  output_ = &output;
  summary_ = summary;
}

void IndexPass::add(std::size_t index, engine::DocumentAnswer answer) {
  for (const std::string& note : answer.notes) output_->tell("note: " + note);
  const std::optional<FileState>& asked = states_[index];
  Result<std::string> bytes = Error{};
  if (asked && (!answer.error || answer.is_unread))
    bytes = files::read_regular_file((root_ / asked->path).string(), files::max_source_bytes,
                                     files::Symlinks::refuse);
  const bool is_same = bytes && files::hash_of(*bytes) == asked->content;
  if (answer.error) {
    std::string message = fail(index, *answer.error);
    // A file that was replaced meanwhile may be the same again at the next pass.
    const auto is_explained = [&] {
      return answer.is_unread ? is_same && !files::decode_source_text(*bytes, {}) : plan_.still_holds(*asked);
    };
    if (asked && is_explained()) failed_[paths_[index]] = {asked->fingerprint, std::move(message)};
    return;
  }
  const FileState& state = *asked;
  if (!is_same || !plan_.still_holds(state)) {
    fail(index,
         {"it, or a file that it includes, changed while it was being indexed", "run symbols index again"});
    return;
  }
  lsp::SymbolTree tree = table::tree_of(*std::move(answer.rows));
  const Result<files::SourceText> source = files::decode_source_text(std::move(*bytes), state.path);
  const std::string text = source ? source->text : std::string();
  std::vector<RowForm> forms = row_forms(state.path, tree, text);
  FileOutline outline = outline_of(state.path, tree, forms, text);
  ++counts_.asked;
  counts_.rows += tree.symbols.size();
  gathered_.push_back(index);
  answers_.push_back({state.path, state.content, state.fingerprint, std::move(tree), std::move(outline),
                      std::move(forms), std::move(answer.errors)});
  if (answers_.size() == max_gathered || Clock::now() - last_kept_ >= max_gathering) keep_answers();
}

void IndexPass::finish(const std::vector<Error>& others) {
  keep_answers();
  for (const Error& error : others) output_->tell(error.text());
  any_other_error_ = !others.empty();
  const std::chrono::duration<double> taken = Clock::now() - start_;
  if (summary_ == Summary::none) {
    for (const std::string& message : failed_before_) output_->tell(message);
  }
  if (summary_ == Summary::none || (summary_ == Summary::of_changes && !changed_anything())) return;
  output_->write(fmt::format("{} files, {} rows: {} asked, {} kept, {} failed, {} removed, {:.2f} s\n",
                             counts_.asked + counts_.kept + counts_.failed, counts_.rows, counts_.asked,
                             counts_.kept, counts_.failed, counts_.removed, taken.count()));
  const Result<std::string> errors = store_.errors_note();
  if (errors && !errors->empty()) output_->tell("note: " + *errors);
}

std::string IndexPass::progress_text() const {
  const std::size_t done = counts_.asked + counts_.newly_failed;
  std::string text = fmt::format("{} of {} files", done, states_.size());
  if (done == 0) return text;
  const std::chrono::duration<double> taken = Clock::now() - start_;
  const auto left = static_cast<double>(states_.size() - done) * taken.count() / static_cast<double>(done);
  return text + fmt::format(", {:.1f} a second, {}:{:02} left", static_cast<double>(done) / taken.count(),
                            static_cast<int>(left) / 60, static_cast<int>(left) % 60);
}

void IndexPass::keep_answers() {
  const Result<void> kept = store_.put(answers_);
  for (std::size_t i = 0; !kept && i < answers_.size(); ++i) {
    --counts_.asked;
    counts_.rows -= answers_[i].tree.symbols.size();
    fail(gathered_[i], kept.error());
  }
  gathered_.clear();
  answers_.clear();
  last_kept_ = Clock::now();
}

std::string IndexPass::fail(std::size_t index, const Error& error) {
  ++counts_.failed;
  ++counts_.newly_failed;
  const std::string& path = paths_[index];
  std::string message =
      (error.message.find(path) == std::string::npos ? path + ": " : std::string()) + error.text();
  output_->tell(message);
  return message;
}

IndexPass::IndexPass(const IndexTarget& target, const servers::ServerRegistry& registry, IndexStore store,
                     std::map<std::string, SourceState> sources)
    : root_(target.root),
      store_(std::move(store)),
      plan_(root_, registry, SYMBOLS_VERSION, std::move(sources)) {}

Result<std::unique_ptr<IndexPass>> IndexPass::prepare(const IndexTarget& target,
                                                      const servers::ServerRegistry& registry, bool is_shard,
                                                      engine::DocumentInputs& inputs,
                                                      steady_clock::time_point start,
                                                      FailedFiles failed_before) {
  Result<IndexStore> store = IndexStore::open(target.database, IndexStore::Missing::create, target.owner);
  if (!store) return store.error();
  Result<IndexContents> contents = store->contents();
  if (!contents) return contents.error();
  const std::map<std::string, IndexedFile>& indexed = contents->files;
  std::unique_ptr<IndexPass> pass(
      new IndexPass(target, registry, std::move(*store), std::move(contents->sources)));
  pass->start_ = start;
  const std::vector<std::string> gone =
      gone_files(indexed, inputs.documents, target, is_shard ? nullptr : &registry);
  std::vector<engine::DocumentInput> asked;
  for (engine::DocumentInput& document : inputs.documents) {
    std::optional<FileState> state;
    if (document.job) {
      Result<FileState> found = pass->plan_.state_of(*document.job);
      if (!found) {
        document.job = found.error();
      } else if (const auto known = indexed.find(found->path);
                 known != indexed.end() && known->second.fingerprint == found->fingerprint) {
        ++pass->counts_.kept;
        pass->counts_.rows += known->second.rows;
        continue;
      } else if (const auto failed = failed_before.find(document.display_path);
                 failed != failed_before.end() && failed->second.fingerprint == found->fingerprint) {
        ++pass->counts_.failed;
        pass->failed_.insert(*failed);
        pass->failed_before_.push_back(failed->second.message);
        continue;
      } else {
        state = std::move(*found);
      }
    }
    pass->states_.push_back(std::move(state));
    asked.push_back(std::move(document));
  }
  inputs.documents = std::move(asked);
  pass->paths_ = output::display_paths(inputs);
  pass->counts_.removed = gone.size();
  if (const Result<void> removed = pass->store_.remove(gone); !removed) return removed.error();
  if (const Result<void> kept = pass->store_.keep_sources(pass->plan_.sources().changed()); !kept)
    return kept.error();
  return pass;
}

}  // namespace symbols::index
