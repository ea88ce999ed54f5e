#include "proxy/output/run_steps.h"

#include <memory>

namespace symbols::output {
namespace {

// Keeps the answers, in the order of the documents.
class Collected : public AnswerSink {
 public:
  Collected(std::vector<engine::DocumentAnswer>& answers, std::size_t documents) : answers_(answers) {
    answers_ = std::vector<engine::DocumentAnswer>(documents);
  }

  void add(std::size_t index, engine::DocumentAnswer answer) override { answers_[index] = std::move(answer); }

 private:
  std::vector<engine::DocumentAnswer>& answers_;
};

}  // namespace

void collect(Dump& dump, std::vector<engine::DocumentAnswer>& answers) {
  dump.make_sink = [&answers](const engine::DocumentInputs& inputs, RunOutput&) {
    return std::make_unique<Collected>(answers, inputs.documents.size());
  };
}

Result<std::vector<engine::DocumentAnswer>> answers_of(Dump dump) {
  std::vector<engine::DocumentAnswer> answers;
  collect(dump, answers);
  Result<PreparedRun> run = find_documents(std::move(dump));
  if (!run) return run.error();
  if (run_documents(run->dump, std::move(run->inputs)) != 0)
    return Error{"the servers could not be asked", {}};
  return answers;
}

}  // namespace symbols::output
