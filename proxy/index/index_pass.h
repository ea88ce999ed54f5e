// One pass over a project for its index: changed files are asked about and kept, missing ones removed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/filesystem.h"
#include "proxy/engine/document_inputs.h"
#include "proxy/index/index_plan.h"
#include "proxy/index/index_store.h"
#include "proxy/output/run_output.h"
#include "proxy/query/document_query.h"
#include "proxy/servers/server_registry.h"

namespace symbols::index {

// The project, and the file that its index is kept in.
struct IndexTarget {
  fs::path root;    // canonical
  fs::path folder;  // in the root: only its files are asked for
  fs::path database;
  IndexStore::Owner owner = IndexStore::Owner::cache;
};

// The requests to the servers.
query::InquiryOptions index_inquiry();

// A file that fails again as long as its fingerprint is the same.
struct FailedFile {
  files::ContentHash fingerprint;
  std::string message;
};

// By the path that messages have.
using FailedFiles = std::map<std::string, FailedFile>;

// Keeps the answers about the documents of a run in the index.
class IndexPass final : public output::AnswerSink {
 public:
  // none: without the line of sums, but what failed before and was not asked for again is told.
  enum class Summary { always, of_changes, none };

  // Opens the index, takes what it still has out of `inputs`, and removes what is gone. `is_shard`: `inputs`
  // are some of the project's documents. `registry` outlives it. `failed_before`: asked for only if changed.
  static Result<std::unique_ptr<IndexPass>> prepare(const IndexTarget& target,
                                                    const servers::ServerRegistry& registry, bool is_shard,
                                                    engine::DocumentInputs& inputs,
                                                    steady_clock::time_point start,
                                                    FailedFiles failed_before = {});
  // Keeps the answers so far if the run was interrupted.
  ~IndexPass() override;

  // Must be called before the first answer. `output` outlives it; the last line says what was done.
  void write_to(output::RunOutput& output, Summary summary);

  void add(std::size_t index, engine::DocumentAnswer answer) override;
  void finish(const std::vector<Error>& others) override;
  bool any_failed() const override { return counts_.failed > 0 || any_other_error_; }
  std::string progress_text() const override;

  // For the next pass.
  FailedFiles failed_files() const { return failed_; }
  bool changed_anything() const { return counts_.asked + counts_.removed + counts_.newly_failed > 0; }

 private:
  using Clock = steady_clock;

  IndexPass(const IndexTarget& target, const servers::ServerRegistry& registry, IndexStore store,
            std::map<std::string, SourceState> sources);
  void keep_answers();
  // Tells it; returns the message.
  std::string fail(std::size_t index, const Error& error);

  fs::path root_;
  IndexStore store_;
  IndexPlan plan_;
  // States of the documents that are asked for, in their order. None for one that cannot be asked.
  std::vector<std::optional<FileState>> states_;
  std::vector<std::string> paths_;     // of these, as messages have them
  std::vector<std::size_t> gathered_;  // the documents of answers_
  std::vector<AnsweredFile> answers_;
  Clock::time_point last_kept_{};
  struct {
    std::size_t asked = 0;
    std::size_t kept = 0;
    std::size_t failed = 0;
    std::size_t removed = 0;
    std::size_t rows = 0;
    std::size_t newly_failed = 0;  // of `failed`, those that were asked for
  } counts_;
  FailedFiles failed_;
  std::vector<std::string> failed_before_;  // messages of those that are not asked for again
  bool any_other_error_ = false;
  Clock::time_point start_{};
  Summary summary_ = Summary::always;
  output::RunOutput* output_ = nullptr;
};

}  // namespace symbols::index
