// What a run over documents gives its answers to, and where that writes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/batch/document_inputs.h"
#include "proxy/relay/byte_writer.h"
#include "proxy/relay/event_loop.h"
#include "proxy/terminal/terminal.h"

namespace symbols::runs {

// Our standard streams, or those of a call that another process passes on.
class RunOutput {
 public:
  virtual ~RunOutput() = default;

  virtual void write(std::string_view text) = 0;    // to standard output
  virtual void tell(std::string_view message) = 0;  // to standard error, in one line; not escaped yet
  // The progress line of a terminal: replaced, and gone where the text is empty.
  virtual bool shows_progress() const { return false; }
  virtual void show_progress(std::string_view) {}
  // Bytes that wait for a slow reader, of standard output and in all.
  virtual std::size_t unwritten_answers() const { return 0; }
  virtual std::size_t unwritten() const { return 0; }

  std::function<void()> on_written = [] {};         // what waited has been read
  std::function<void(int)> on_broken = [](int) {};  // with errno: nobody reads standard output any more
};

// For runs whose answers are kept elsewhere.
class NoOutput : public RunOutput {
 public:
  void write(std::string_view) override {}
  void tell(std::string_view) override {}
};

struct OutputStreams {
  int out;  // descriptors, open for as long as the output
  int error;
  bool colour = false;  // of messages
  bool shows_progress = false;

  // Those of this process.
  static OutputStreams own(terminal::ColourUse colour);
};

// The standard streams of a process, this one or one that has passed them to us, as the output of a run.
class StandardOutput : public RunOutput {
 public:
  // `loop` outlives it.
  StandardOutput(relay::EventLoop& loop, const OutputStreams& streams);

  void write(std::string_view text) override;
  void tell(std::string_view message) override;
  bool shows_progress() const override { return progress_.enabled(); }
  void show_progress(std::string_view text) override;
  std::size_t unwritten_answers() const override { return out_.unwritten(); }
  std::size_t unwritten() const override { return out_.unwritten() + errors_.unwritten(); }

 private:
  relay::StandardStream error_stream_;
  relay::StandardStream out_stream_;
  relay::ByteWriter errors_;
  relay::ByteWriter out_;
  terminal::ProgressLine progress_;
  bool colour_;
};

// Receives the answers about documents, in any order.
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
