#include "proxy/batch/server_report.h"

#include <fmt/format.h>

#include <utility>

#include "proxy/query/source_errors.h"

namespace symbols::batch {

void ServerReport::add(std::size_t index, const std::string& path, const query::InquiryResult& result,
                       std::vector<std::string>& notes) {
  if (result.document.found_any == false && found_none_++ == 0) none_in_ = path;
  if (result.document.found_any == true || result.document.error) found_any_ = true;
  ++answered_;
  if (const auto& errors = result.document.source_errors;
      errors && (with_errors_++ == 0 || index < first_with_errors_)) {
    first_with_errors_ = index;
    first_errors_ = path + ": " + errors->text;
  }
  if (result.no_hovers) notes.push_back(fmt::format("{}: {} has no hovers", path, server_));
  if (const std::size_t refused = result.document.hovers.refused; refused > 0 && result.document.rows) {
    notes.push_back(fmt::format("{}: {} refused {} of {} hovers; see why with --log FILE", path, server_,
                                refused, result.document.rows->size()));
  }
  if (result.still_loading) {
    notes.push_back(fmt::format("{}: {} is still loading ({}); references and callers may be missing", path,
                                server_, *result.still_loading));
  }
}

void ServerReport::add_flags_left_out(const std::string& path, std::size_t count,
                                      std::vector<std::string>& notes) {
  if (count == 0 || std::exchange(noted_flags_, true)) return;
  notes.push_back(fmt::format(
      "{}: {} compile flag{} of the project left out, as the kernel does not keep {} from writing "
      "files that they name; pass --trust-project if you trust it",
      path, count, count == 1 ? "" : "s", server_));
}

// A server that lacks a part of itself, or of its project, as pylsp without its plugins and rust-analyzer
// without cargo, answers all documents like empty ones.
void ServerReport::close(const query::InquiryOptions& options, std::vector<std::string>& notes) const {
  if (!found_any_ && found_none_ > 0 && options.tell_if_none_found) {
    const std::string where = found_none_ == 1 ? none_in_
                                               : fmt::format("any of {} files{}{}", found_none_,
                                                             root_.empty() ? "" : " of ", root_);
    notes.push_back(
        fmt::format("{} found no symbols in {}; see what it says with --log FILE", server_, where));
  }
  if (with_errors_ > 0 && options.tells_errors)
    notes.push_back(query::errors_note(with_errors_, answered_, first_errors_));
}

}  // namespace symbols::batch
