// `--answer LIST`: requests of the server that are answered in the client's place: without a reply it would
// hang.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/client_session.h"
#include "lsp/messages.h"

namespace symbols::session {

class ServerAnswers {
 public:
  // What `list` can name besides `all`.
  static std::vector<std::string> known_names();

  // `list`: names joined by commas, or `all`. Error: an unknown name; it lists the known ones.
  static Result<ServerAnswers> parse(std::string_view option, std::string_view list);

  bool covers(std::string_view method) const { return methods_.contains(method); }

  // The params of the client's initialize, raw JSON: workspace/workspaceFolders is answered with its folders
  // or its root.
  void set_root(std::string_view initialize_params);
  // The whole body of the reply.
  std::string answer(const lsp::Envelope& request) const {
    return lsp::answer_server_request(request, folders_);
  }

 private:
  std::set<std::string, std::less<>> methods_;
  std::string folders_ = "null";  // WorkspaceFolder[], raw JSON
};

}  // namespace symbols::session
