// What a server's answers about the documents of one run have in common, as notes for the user.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "proxy/query/document_query.h"

namespace symbols::batch {

class ServerReport {
 public:
  // `server`: its name. `root`: of the project, may be empty.
  ServerReport(std::string server, std::string root) : server_(std::move(server)), root_(std::move(root)) {}

  // Counts the answer about the document `path`, the one at `index` in the order asked; appends notes that
  // are about it alone.
  void add(std::size_t index, const std::string& path, const query::InquiryResult& result,
           std::vector<std::string>& notes);
  // Appends a note, once, that this many of the project's compile flags were left out, if any were.
  void add_flags_left_out(const std::string& path, std::size_t count, std::vector<std::string>& notes);
  // After the last answer: appends the notes that `options` want about all of them.
  void close(const query::InquiryOptions& options, std::vector<std::string>& notes) const;

 private:
  std::string server_;
  std::string root_;
  bool found_any_ = false;      // it has named a symbol, or failed, which is an error of its own
  std::size_t found_none_ = 0;  // documents that are not blank and have no symbol
  std::string none_in_;         // the first of them
  std::size_t answered_ = 0;
  std::size_t with_errors_ = 0;        // of them, those with errors for which answers are wrong
  std::size_t first_with_errors_ = 0;  // of them, the first in the order asked
  std::string first_errors_;           // its path and errors
  bool noted_flags_ = false;
};

}  // namespace symbols::batch
