#include "proxy/indexing/index_runner.h"

#include <chrono>

#include "proxy/batch/document_inputs.h"
#include "proxy/index/index_place.h"
#include "proxy/settings/configuration.h"

namespace symbols::indexing {

Result<void> add_index_settings(settings::DumpArguments& document, const std::filesystem::path& root) {
  Result<settings::Configuration> configured = settings::configuration_of(root.string());
  if (!configured) return configured.error();
  document.settings = configured->settings;
  if (!document.inputs.confine) document.inputs.confine = configured->settings.confine;
  document.answers = document.answers.over({.timeout = configured->settings.answers.timeout});
  document.inputs.ignored = std::move(configured->ignored);
  // In MiB. In 1 GiB, the limit elsewhere, TypeScript 7 is restarted for the 927 files of Effect, and loads
  // the project anew each time: up to a third more processor time.
  constexpr std::uint64_t server_memory = 2048;
  if (!document.settings.server_memory) document.settings.server_memory = server_memory;
  return {};
}

Result<IndexTarget> user_index(const std::filesystem::path& root) {
  const Result<std::filesystem::path> indexes = index::index_folder();
  if (!indexes) return indexes.error();
  return IndexTarget{.root = root, .folder = root, .database = index::index_file(*indexes, root)};
}

IndexRunner::IndexRunner(relay::EventLoop& loop, batch::ServerPool& servers,
                         const servers::ServerRegistry& registry, runs::RunOutput& output,
                         settings::DumpArguments document, IndexTarget target)
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
  pass_ = std::move(*prepared);
  if (std::exchange(notes_told_, true)) inputs->notes.clear();
  runs::Dump dump{document_, index_inquiry(),
                  [&](const batch::DocumentInputs& asked, runs::RunOutput& output) {
                    return pass_->make_sink(asked, summary, output);
                  }};
  run_.emplace(loop_, &servers_, output_, runs::PreparedRun{std::move(dump), std::move(*inputs)},
               [this, on_end = std::move(on_end)] {
                 const Ended ended{.changed_anything = pass_->changed_anything(),
                                   .stopped_by = run_->stopped_by()};
                 run_.reset();
                 failed_ = pass_->failed_files();
                 pass_.reset();  // closes the database
                 on_end(ended);
               });
  run_->start();
  return {};
}

void IndexRunner::stop(int signal_number) {
  if (run_) run_->stop(signal_number);
}

}  // namespace symbols::indexing
