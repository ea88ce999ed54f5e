// `--answer LIST`: requests of the server that this client is known not to answer, answered in its place, for
// a server that waits for the answer would hang.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lsp/messages.h"

namespace symbols::session {

class ServerAnswers {
 public:
  // What `list` can name besides `all`.
  static std::vector<std::string> known_names();

  // `list`: names joined by commas, such as "configuration,registerCapability"; `all` for every one that
  // there is. Error: a name that is none, with those that are.
  static Result<ServerAnswers> parse(std::string_view option, std::string_view list);

  // Whether requests of this method are answered here.
  bool covers(std::string_view method) const { return methods_.contains(method); }

  // The params of the client's initialize, raw JSON: workspace/workspaceFolders is answered with its folders,
  // or else its root.
  void set_root(std::string_view initialize_params);
  // The whole body of the answer.
  std::string answer(const lsp::Envelope& request) const;

 private:
  std::set<std::string, std::less<>> methods_;
  std::string root_uri_;
  std::string root_name_;
  std::string folders_;  // raw JSON; empty where the client named none
};

}  // namespace symbols::session
