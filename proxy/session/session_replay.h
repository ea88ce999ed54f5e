// What the client has told its server, apart from documents, that a server started in its place has to be
// told again (--restart).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::session {

// Bodies are kept as the server got them. Documents are SessionDocuments' business.
class SessionReplay {
 public:
  // Beyond it the oldest changes of workspace folders are forgotten.
  static constexpr std::size_t most_folder_bytes = std::size_t{1} << 20;

  void initialize(std::string_view id, std::string_view body);
  // A notification of the client: `initialized`, the last workspace/didChangeConfiguration, every
  // workspace/didChangeWorkspaceFolders, the last $/setTrace; others are not kept.
  static bool keeps(std::string_view method);
  void notified(std::string_view method, std::string_view body);

  // The request; empty until it was sent. The id, raw.
  const std::string& initialize_body() const { return initialize_; }
  const std::string& initialize_id() const { return id_; }
  // What follows its reply, in this order.
  std::vector<std::string_view> notifications() const;

 private:
  std::string id_;
  std::string initialize_;
  std::string initialized_;
  std::string trace_;
  std::string configuration_;
  std::vector<std::string> folders_;
  std::size_t folder_bytes_ = 0;
};

}  // namespace symbols::session
