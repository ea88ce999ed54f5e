#include "proxy/index/index_runner.h"

#include <chrono>

#include "proxy/batch/document_inputs.h"
#include "proxy/index/index_place.h"
#include "proxy/options/configuration.h"

namespace symbols::index {

Result<void> add_index_settings(runs::DumpArguments& document, const std::filesystem::path& root) {
  Result<options::Configuration> configured = options::configuration_of(root.string());
  if (!configured) return configured.error();
  const options::AnswerOptions& all = configured->settings;
  document.answers = document.answers.over({.timeout = all.timeout,
                                            .color = all.color,
                                            .confine = all.confine,
                                            .server_memory = all.server_memory});
  if (!document.inputs.confine) document.inputs.confine = document.answers.confine;
  document.inputs.ignored = std::move(configured->ignored);
  // In MiB. In 1 GiB, the limit elsewhere, TypeScript 7 is restarted for the 927 files of Effect, and loads
  // the project anew each time: up to a third more processor time.
  constexpr std::uint64_t server_memory = 2048;
  if (!document.answers.server_memory) document.answers.server_memory = server_memory;
  return {};
}

Result<IndexTarget> user_index(const std::filesystem::path& root) {
  const Result<std::filesystem::path> indexes = index_folder();
  if (!indexes) return indexes.error();
  return IndexTarget{.root = root, .folder = root, .database = index_file(*indexes, root)};
}

IndexRunner::IndexRunner(relay::EventLoop& loop, batch::ServerPool& servers,
                         const servers::ServerRegistry& registry, runs::RunOutput& output,
                         runs::DumpArguments document, IndexTarget target)
    : loop_(loop),
      servers_(servers),
      registry_(registry),
      output_(output),
      document_(std::move(document)),
      target_(std::move(target)) {}

Result<void> IndexRunner::start(IndexPass::Summary summary, std::function<void(Ended)> on_end) {
  const auto start = std::chrono::steady_clock::now();
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(document_.inputs, registry_);
  if (!inputs) return inputs.error();
  Result<std::unique_ptr<IndexPass>> prepared = IndexPass::prepare(
      target_, registry_, document_.inputs.shard.has_value(), *inputs, start, std::move(failed_));
  if (!prepared) return prepared.error();
  pass_ = prepared->get();
  if (std::exchange(notes_told_, true)) inputs->notes.clear();
  runs::Dump dump{document_, index_inquiry(), [&](const batch::DocumentInputs&, runs::RunOutput& output) {
                    pass_->write_to(output, summary);
                    return *std::move(prepared);
                  }};
  run_.emplace(loop_, &servers_, output_, runs::PreparedRun{std::move(dump), std::move(*inputs)},
               [this, on_end = std::move(on_end)] {
                 const Ended ended{.changed_anything = pass_->changed_anything(),
                                   .stopped_by = run_->stopped_by()};
                 failed_ = pass_->failed_files();
                 run_.reset();  // closes the database
                 on_end(ended);
               });
  run_->start();
  return {};
}

void IndexRunner::stop(int signal_number) {
  if (run_) run_->stop(signal_number);
}

}  // namespace symbols::index
