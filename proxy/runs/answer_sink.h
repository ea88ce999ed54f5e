// Receives the answers about documents, in any order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/batch/document_dispatcher.h"

namespace symbols::runs {

class AnswerSink {
 public:
  using Write = std::function<void(std::string text)>;

  virtual ~AnswerSink() = default;

  // `index`: of the document among the inputs.
  virtual void add(std::size_t index, batch::DocumentAnswer answer) = 0;
  // After the last answer. `others`: errors that belong to no document.
  virtual void finish(const std::vector<Error>& others) = 0;
  // Whether any input could not be answered.
  virtual bool any_failed() const = 0;
  // How far it is, for the progress line, in place of "N of M files answered"; empty: that.
  virtual std::string progress_text() const { return {}; }
  // What to say when all of the output has been read; may be empty.
  virtual std::string closing_note() const { return {}; }
};

}  // namespace symbols::runs
