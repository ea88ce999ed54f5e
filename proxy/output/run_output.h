// What a run over documents gives its answers to, and where that writes. Answers arrive in any order and are
// printed in the order asked, each as soon as all before it are printed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/engine/document_inputs.h"
#include "proxy/io/byte_writer.h"
#include "proxy/io/event_loop.h"
#include "proxy/terminal/terminal.h"
#include "table/formats/format.h"

namespace symbols::output {

// Our standard streams, or those of a call that another process passes on. This one drops all: for runs whose
// answers are kept elsewhere.
class RunOutput {
 public:
  virtual ~RunOutput() = default;

  virtual void write(std::string_view) {}  // to standard output
  virtual void tell(std::string_view) {}   // to standard error, in one line; not escaped yet
  // The progress line of a terminal: replaced, and gone where the text is empty.
  virtual void show_progress(std::string_view) {}
  // Bytes that wait for a slow reader, of standard output and in all.
  virtual std::size_t unwritten_answers() const { return 0; }
  virtual std::size_t unwritten() const { return 0; }

  std::function<void()> on_written = [] {};         // what waited has been read
  std::function<void(int)> on_broken = [](int) {};  // with errno: nobody reads standard output any more
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
  // `loop` outlives it. `may_write` is asked before anything but progress is written: false drops it.
  StandardOutput(
      io::EventLoop& loop, const OutputStreams& streams,
      std::function<bool()> may_write = [] { return true; });

  void write(std::string_view text) override;
  void tell(std::string_view message) override;
  void show_progress(std::string_view text) override;
  std::size_t unwritten_answers() const override { return out_.unwritten(); }
  std::size_t unwritten() const override { return out_.unwritten() + errors_.unwritten(); }

 private:
  io::StandardStream error_stream_;
  io::StandardStream out_stream_;
  io::ByteWriter errors_;
  io::ByteWriter out_;
  terminal::ProgressLine progress_;
  bool colour_;
  std::function<bool()> may_write_;
};

// Receives the answers about documents, in any order.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;

  // `index`: of the document among the inputs.
  virtual void add(std::size_t index, engine::DocumentAnswer answer) = 0;
  // After the last answer. The others are errors that belong to no document.
  virtual void finish(const std::vector<Error>&) {}
  // Whether any input could not be answered.
  virtual bool any_failed() const { return false; }
  // How far it is, for the progress line, in place of "N of M files answered"; empty: that.
  virtual std::string progress_text() const { return {}; }
  // What to say when all of the output has been read; may be empty.
  virtual std::string closing_note() const { return {}; }
};

// What a sink calls its documents.
inline std::vector<std::string> display_paths(const engine::DocumentInputs& inputs) {
  std::vector<std::string> paths;
  for (const engine::DocumentInput& document : inputs.documents) paths.push_back(document.display_path);
  return paths;
}

struct OutputOptions {
  table::Rendering rendering{};  // its budget is for all files together
  bool several = false;  // more than one file or a folder was given: each answer has a heading with its path
  // Diagnostics were requested. In JSON, the answer for a single file is then an object too, with a place for
  // them.
  bool diagnostics = false;
  bool only_diagnostics = false;  // no symbols, and one line for all documents without diagnostics
  bool filtered = false;  // rows were selected by kind or name: a file without any has no text, as with grep
  bool colour = false;    // of the header and the paths
  bool counted = false;   // a line above the rows of a large file tells how many there are of each kind
  // Where more rows than this are printed, a note at the end says how to get fewer; 0: never.
  std::size_t note_above = 0;
};

// Writes standard output and standard error for each file (docs/spec.md, section 6).
class OrderedOutput : public AnswerSink {
 public:
  // `paths`: as the user gave them, in the order asked. `output` outlives it.
  OrderedOutput(std::vector<std::string> paths, OutputOptions options, RunOutput& output)
      : paths_(std::move(paths)), options_(options), output_(output) {}

  void add(std::size_t index, engine::DocumentAnswer answer) override;
  void finish(const std::vector<Error>& others) override;

  bool any_failed() const override { return failed_; }
  std::string closing_note() const override;

 private:
  void print(std::size_t index, engine::DocumentAnswer answer);
  void fail(const std::string& path, const Error& error);
  std::string json_object(const std::string& path, const std::string& symbols,
                          const table::Diagnostics& diagnostics) const;
  std::string ndjson_lines(const std::string& path, const table::SymbolRows& rows,
                           const table::Diagnostics& diagnostics) const;
  // The whole output for the document. Removes diagnostics that do not fit the budget.
  std::string document(std::size_t index, const table::SymbolRows& rows, table::Diagnostics& diagnostics);
  bool is_json() const;
  bool has_nothing_to_show(const engine::DocumentAnswer& answer) const;

  std::vector<std::string> paths_;
  OutputOptions options_;
  RunOutput& output_;
  std::size_t next_ = 0;
  std::map<std::size_t, engine::DocumentAnswer> waiting_;
  bool any_result_ = false;
  std::string json_errors_;
  bool failed_ = false;
  std::size_t clean_ = 0;     // documents without diagnostics; counted only where those are all
  std::size_t left_out_ = 0;  // files left out by the budget
  std::size_t rows_ = 0;      // printed so far
  std::size_t tokens_ = 0;    // of the output so far, estimated; counted only with a budget
};

}  // namespace symbols::output
