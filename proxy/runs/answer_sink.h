// Receives the answers about documents, in any order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "proxy/batch/document_inputs.h"

namespace symbols::runs {

class AnswerSink {
 public:
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

// What a sink calls its documents.
inline std::vector<std::string> display_paths(const batch::DocumentInputs& inputs) {
  std::vector<std::string> paths;
  for (const batch::DocumentInput& document : inputs.documents) paths.push_back(document.display_path);
  return paths;
}

}  // namespace symbols::runs
