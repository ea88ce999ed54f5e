#include "proxy/index/project_index.h"

#include <fmt/format.h>
#include <signal.h>

#include <set>
#include <utility>
#include <vector>

#include "table/escape.h"

namespace symbols::index {

// Collects the messages of a pass, each as one line, whatever the names in it.
class ProjectIndex::Output final : public output::RunOutput {
 public:
  void tell(std::string_view message) override {
    if (message.starts_with("note: ")) {
      notes_.insert(table::terminal_text(message.substr(6)));
    } else if (failures_++ < max_failures_told) {
      told_.push_back(table::terminal_text(message));
    }
  }
  void show_progress(std::string_view text) override {
    if (text.starts_with("symbols: ")) text.remove_prefix(9);
    std::string shown = table::terminal_text(text);
    if (shown == progress_) return;
    progress_ = std::move(shown);
    on_progress(progress_);
  }

  const std::string& progress() const { return progress_; }
  const std::set<std::string>& notes() const { return notes_; }
  // For the model, a line each.
  std::string take_failures() {
    std::string text;
    for (const std::string& failure : std::exchange(told_, {})) text += failure + '\n';
    const std::size_t failures = std::exchange(failures_, 0);
    if (failures > max_failures_told) text += fmt::format("… and {} more\n", failures - max_failures_told);
    return text;
  }

  std::function<void(const std::string&)> on_progress = [](const std::string&) {};

 private:
  static constexpr std::size_t max_failures_told = 3;

  std::string progress_;
  std::set<std::string> notes_;
  std::vector<std::string> told_;
  std::size_t failures_ = 0;
};

Result<std::unique_ptr<ProjectIndex>> ProjectIndex::open(io::EventLoop& loop, engine::ServerPool& servers,
                                                         const fs::path& root, bool trust_project,
                                                         std::optional<bool> confine) {
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return registry.error();
  Result<IndexTarget> target = user_index(root);
  if (!target) return target.error();
  output::DumpArguments document;
  document.inputs.paths = {root.string()};
  document.inputs.paths_are_resolved = true;
  document.inputs.trust_project = trust_project;
  document.inputs.confine = confine;
  return std::unique_ptr<ProjectIndex>(
      new ProjectIndex(loop, servers, std::move(*registry), std::move(document), std::move(*target)));
}

ProjectIndex::ProjectIndex(io::EventLoop& loop, engine::ServerPool& servers, servers::ServerRegistry registry,
                           output::DumpArguments document, IndexTarget target)
    : loop_(loop),
      registry_(std::move(registry)),
      document_(std::move(document)),
      output_(std::make_unique<Output>()),
      runner_(loop, servers, registry_, *output_, document_, std::move(target)) {
  output_->on_progress = [this](const std::string& text) {
    for (const auto& [who, waiter] : waiting_) waiter.progress("indexing: " + text);
  };
}

ProjectIndex::~ProjectIndex() = default;

void ProjectIndex::refresh(const void* waiter, milliseconds limit, Progress progress, Ready ready) {
  Waiter& entry = waiting_.try_emplace(waiter, loop_).first->second;
  entry.progress = std::move(progress);
  entry.ready = std::move(ready);
  entry.joined = runner_.is_running();
  entry.timer.start(limit, [this, waiter] {
    const Ready late = std::move(waiting_.at(waiter).ready);
    waiting_.erase(waiter);
    late(fmt::format("the project is still being indexed ({}): ask again for the rest", output_->progress()),
         false);
  });
  if (!runner_.is_running()) pass();
}

void ProjectIndex::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  if (runner_.is_running()) return runner_.stop(SIGTERM);
  loop_.later(milliseconds(0), stopped_);
}

// Looks for changes made before this question.
bool ProjectIndex::is_current() {
  if (!watch_) {
    // Before the pass: what changes during it is then known.
    Result<std::unique_ptr<files::ProjectWatch>> watch =
        files::ProjectWatch::start(runner_.target().root.string());
    if (watch) watch_ = std::move(*watch);
    return false;
  }
  const bool changed = watch_->take(files::ProjectWatch::Look::at_everything).any();
  if (watch_->failure()) watch_.reset();
  if (changed) is_complete_ = false;
  return is_complete_;
}

void ProjectIndex::pass() {
  const auto tell_later = [this](const std::string& note) {
    telling_.start(milliseconds(0), [this, note] { tell_waiting(note, true); });
  };
  if (is_current()) return tell_later(failures_);
  // With the settings as they are now.
  output::DumpArguments document = document_;
  if (const Result<void> added = add_index_settings(document, runner_.target().root); !added)
    return tell_later(table::terminal_text(added.error().text()));
  runner_.ask(std::move(document));
  const Result<void> started =
      runner_.start(IndexPass::Summary::none, [this](IndexRunner::Ended ended) { passed(ended); });
  if (!started) tell_later(table::terminal_text(started.error().text()));
}

void ProjectIndex::passed(IndexRunner::Ended ended) {
  if (stopped_) return stopped_();
  if (ended.stopped_by != 0) return tell_waiting("the index was not finished", false);
  failures_ = output_->take_failures();
  collect_doubts();
  // Changes before a question but after the start of this pass may be missing from it.
  is_complete_ = !watch_ || !watch_->take().any();
  tell_waiting(failures_, true, !is_complete_);
  if (!waiting_.empty() && !runner_.is_running()) pass();
}

// After each pass: an answer need not look into the index for it.
void ProjectIndex::collect_doubts() {
  doubts_.clear();
  for (const std::string& note : output_->notes()) doubts_ += note + '\n';
  Result<IndexStore> store = IndexStore::open(runner_.target().database, IndexStore::Missing::is_error);
  if (!store) return;
  const Result<std::string> errors = store->errors_note();
  if (errors && !errors->empty()) doubts_ += table::terminal_text(*errors) + '\n';
}

// With `but_joined` those that have joined a pass wait for one more.
void ProjectIndex::tell_waiting(const std::string& note, bool is_complete, bool but_joined) {
  std::vector<const void*> told;
  for (auto& [who, waiter] : waiting_) {
    if (!but_joined || !std::exchange(waiter.joined, false)) told.push_back(who);
  }
  for (const void* const who : told) {
    // Hazard: `ready` of one may forget another.
    if (auto waiter = waiting_.extract(who)) waiter.mapped().ready(note, is_complete);
  }
}

}  // namespace symbols::index
