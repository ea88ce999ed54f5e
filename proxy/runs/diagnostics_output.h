// The diagnostics of documents without their symbols, for people and models.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proxy/runs/answer_sink.h"
#include "proxy/runs/run_output.h"

namespace symbols::runs {

// Prints at the end, in the order of the documents, those that have any:
//
//   src/app.ts: 1 diagnostic:
//   5:12  error  Cannot find name 'x'.  ts 2304
//   no diagnostics in 3 files
class DiagnosticsOutput final : public AnswerSink {
 public:
  // `paths`: of all documents.
  DiagnosticsOutput(std::vector<std::string> paths, RunOutput& output)
      : paths_(std::move(paths)), output_(output) {}

  void add(std::size_t index, batch::DocumentAnswer answer) override;
  void finish(const std::vector<Error>& others) override;
  bool any_failed() const override { return failed_; }

 private:
  std::vector<std::string> paths_;
  RunOutput& output_;
  std::map<std::size_t, std::string> texts_;
  std::size_t clean_ = 0;  // documents without diagnostics
  bool failed_ = false;
};

}  // namespace symbols::runs
