// Where the answers about documents go, in whatever order they come.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/batch/document_dispatcher.h"

namespace symbols::cli {

class AnswerSink {
 public:
  using Write = std::function<void(std::string text)>;

  virtual ~AnswerSink() = default;

  // `index`: of the document among those asked about.
  virtual void add(std::size_t index, batch::DocumentAnswer answer) = 0;
  // After the last answer. `others`: errors that belong to no document.
  virtual void finish(const std::vector<Error>& others) = 0;
  // Whether something could not be answered.
  virtual bool any_failed() const = 0;
};

}  // namespace symbols::cli
