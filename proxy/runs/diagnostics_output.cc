#include "proxy/runs/diagnostics_output.h"

#include <fmt/format.h>

#include "table/escape.h"
#include "table/formats/pretty_format.h"

namespace symbols::runs {

void DiagnosticsOutput::add(std::size_t index, batch::DocumentAnswer answer) {
  for (const std::string& note : answer.notes) output_.tell("note: " + note);
  const std::string& path = paths_[index];
  if (answer.error) {
    failed_ = true;
    const bool named = answer.error->message.find(path) != std::string::npos;
    output_.tell((named ? std::string() : path + ": ") + answer.error->text());
  } else if (answer.diagnostics.value && answer.diagnostics.value->total == 0) {
    ++clean_;
  } else {
    texts_[index] =
        table::escaped(path) + ": " + table::write_pretty_diagnostics(answer.diagnostics, {}) + '\n';
  }
}

void DiagnosticsOutput::finish(const std::vector<Error>& others) {
  for (const auto& [index, text] : texts_) output_.write(text);
  if (clean_ > 0) output_.write(fmt::format("no diagnostics in {} file{}\n", clean_, clean_ == 1 ? "" : "s"));
  for (const Error& error : others) {
    failed_ = true;
    output_.tell(error.text());
  }
}

}  // namespace symbols::runs
