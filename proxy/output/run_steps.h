// A question that takes several runs over documents, each chosen by the answers to those before.
#pragma once

#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "proxy/engine/document_dispatcher.h"
#include "proxy/output/document_run.h"

namespace symbols::output {

// The next run, or the answer.
template <class Answer>
using Step = std::variant<Dump, Answer>;

// To be called with the answers to the run that the call before returned, in the order of its paths; first
// with none. After an Answer or an error it is not called again.
template <class Answer>
using Steps = std::function<Result<Step<Answer>>(const std::vector<engine::DocumentAnswer>& answers)>;

// Has the answers of a run of `dump` put into `answers`, which outlives the run.
void collect(Dump& dump, std::vector<engine::DocumentAnswer>& answers);

// Runs `dump` with servers of its own. A signal ends the process. Errors: its documents are not to be had.
Result<std::vector<engine::DocumentAnswer>> answers_of(Dump dump);

// Takes all steps. Errors: theirs, answers_of()'s.
template <class Answer>
Result<Answer> take_steps(const Steps<Answer>& next) {
  Result<std::vector<engine::DocumentAnswer>> answers{boost::system::in_place_value};
  for (;;) {
    Result<Step<Answer>> step = next(*answers);
    if (!step) return step.error();
    if (Answer* const answer = std::get_if<Answer>(&*step)) return std::move(*answer);
    answers = answers_of(std::get<Dump>(std::move(*step)));
    if (!answers) return answers.error();
  }
}

}  // namespace symbols::output
