// Answers come in any order and are printed in the order asked, each as soon as all before it are out.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "proxy/cli/answer_sink.h"
#include "table/formats/format.h"

namespace symbols::cli {

struct OutputOptions {
  table::Rendering rendering;  // its budget is that of all files together
  bool several = false;  // more than one file was asked for, or a folder: each answer is told by its path
  // They were asked for: as JSON also the answer of a single file is then an object, with a place for them.
  bool diagnostics = false;
  bool colour = false;  // of the header and the paths
};

// What goes to standard output and standard error for each file; docs/spec.md, section 6.
class OrderedOutput : public AnswerSink {
 public:
  // `paths`: as the user gave them, in the order asked. `out` takes what goes to standard output, `tell` a
  // message for standard error, not escaped.
  OrderedOutput(std::vector<std::string> paths, OutputOptions options, Write out, Write tell);

  void add(std::size_t index, batch::DocumentAnswer answer) override;
  // After the last answer; `json` of several files needs its end. Errors that belong to no file go in too.
  void finish(const std::vector<Error>& others) override;

  bool any_failed() const override { return failed_; }

 private:
  void print(std::size_t index, batch::DocumentAnswer answer);
  void fail(const std::string& path, const Error& error);
  std::string heading(const std::string& path) const;
  std::string json_object(const std::string& path, const std::string& symbols,
                          const table::Diagnostics& diagnostics) const;
  // All that is printed of it. Takes from the diagnostics what a budget does not allow.
  std::string document(std::size_t index, const table::SymbolRows& rows, table::Diagnostics& diagnostics);
  bool is_json() const;
  bool budget_is_spent() const;

  std::vector<std::string> paths_;
  OutputOptions options_;
  Write out_;
  Write tell_;
  std::size_t next_ = 0;
  std::map<std::size_t, batch::DocumentAnswer> waiting_;
  bool any_result_ = false;
  std::string json_errors_;
  bool failed_ = false;
  std::size_t left_out_ = 0;  // files that the budget had no room for
  std::size_t tokens_ = 0;    // of what was printed so far, estimated; counted where there is a budget
};

}  // namespace symbols::cli
