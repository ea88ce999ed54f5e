// Whether the server is loading: some work-done progress of it has begun and not ended. Its hovers mean
// little then, and are not remembered.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace symbols::session {

class ServerProgress {
 public:
  // The params of a $/progress notification, raw JSON.
  void receive(std::string_view params);
  bool loading() const { return !tokens_.empty(); }

 private:
  // A server that begins and never ends must not fill our memory.
  static constexpr std::size_t most_tokens = 1024;
  static constexpr std::size_t longest_token = 256;  // one that is longer is not looked at

  std::set<std::string, std::less<>> tokens_;  // raw JSON
};

}  // namespace symbols::session
