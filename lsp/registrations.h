// The capabilities that a server has registered at its client (client/registerCapability), so that they can
// be taken back in its name when it is gone.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace symbols::lsp {

class Registrations {
 public:
  // Bounds our memory; what is beyond stays registered. Real servers have some dozens.
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t longest_id = 256;  // and method

  // The params of client/registerCapability and of client/unregisterCapability, raw JSON.
  void add(std::string_view params);
  void remove(std::string_view params);

  // The params of a client/unregisterCapability for all of them, which are forgotten; empty if there are
  // none.
  std::string take_unregistration();

 private:
  std::map<std::string, std::string, std::less<>> methods_;  // by id
};

}  // namespace symbols::lsp
