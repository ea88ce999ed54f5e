// Answers arrive in any order and are printed in the order asked, each as soon as all before it are printed.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "proxy/runs/run_output.h"
#include "table/formats/format.h"

namespace symbols::runs {

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

  void add(std::size_t index, batch::DocumentAnswer answer) override;
  // After the last answer; closes the `json` of several files. Also takes errors that belong to no file.
  void finish(const std::vector<Error>& others) override;

  bool any_failed() const override { return failed_; }
  std::string closing_note() const override;

 private:
  void print(std::size_t index, batch::DocumentAnswer answer);
  void print_diagnostics(const std::string& path, const table::Diagnostics& diagnostics);
  void fail(const std::string& path, const Error& error);
  std::string heading(const std::string& path) const;
  std::string json_object(const std::string& path, const std::string& symbols,
                          const table::Diagnostics& diagnostics) const;
  std::string ndjson_lines(const std::string& path, const table::SymbolRows& rows,
                           const table::Diagnostics& diagnostics) const;
  // The whole output for the document. Removes diagnostics that do not fit the budget.
  std::string document(std::size_t index, const table::SymbolRows& rows, table::Diagnostics& diagnostics);
  bool is_json() const;
  bool has_nothing_to_show(const batch::DocumentAnswer& answer) const;
  bool budget_is_spent() const;

  std::vector<std::string> paths_;
  OutputOptions options_;
  RunOutput& output_;
  std::size_t next_ = 0;
  std::map<std::size_t, batch::DocumentAnswer> waiting_;
  bool any_result_ = false;
  std::string json_errors_;
  bool failed_ = false;
  std::size_t clean_ = 0;     // documents without diagnostics; counted only where those are all
  std::size_t left_out_ = 0;  // files left out by the budget
  std::size_t rows_ = 0;      // printed so far
  std::size_t tokens_ = 0;    // of the output so far, estimated; counted only with a budget
};

}  // namespace symbols::runs
