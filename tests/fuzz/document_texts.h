// The texts of open documents as one side of a session has been told of them, read by a full parser and kept
// in the plainest way: what the session target compares the proxy's account with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::fuzz {

// For texts of ASCII without carriage returns. A document whose change is not understood is not known until
// its whole text is told.
class DocumentTexts {
 public:
  // textDocument/didOpen, didChange, didClose; others do nothing. `params` begins with a JSON value, as
  // Envelope::rest does.
  void notified(std::string_view method, const std::string& params);

  // By URI; none where the text is not known.
  const std::map<std::string, std::optional<std::string>>& all() const { return texts_; }
  bool is_open(const std::string& uri) const { return texts_.contains(uri); }

 private:
  std::map<std::string, std::optional<std::string>> texts_;
};

}  // namespace symbols::fuzz
