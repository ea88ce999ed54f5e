// What a server has registered at its client, and how it is taken back.
#include <doctest/doctest.h>

#include "lsp/server_capabilities.h"

namespace symbols::lsp {
namespace {

TEST_CASE("registrations: what is registered and not unregistered is taken back, once") {
  Registrations registrations;
  CHECK(registrations.take_unregistration().empty());
  registrations.add(
      R"({"registrations":[{"id":"1","method":"a/b","registerOptions":{}},{"id":"2","method":"c"}]} )");
  registrations.add(
      R"({"registrations":[{"id":"\"é","method":"d"},{"id":"2","method":"c2"},{"id":"no method"}]})");
  registrations.add(R"({"registrations":[{"id":"4","method":"e"},{"id":"5","method":"f"}]})");
  registrations.remove(R"({"unregisterations":[{"id":"1","method":"a/b"},{"id":"unknown","method":"x"}]})");
  registrations.remove(R"({"unregistrations":[{"id":"5","method":"f"}]})");
  CHECK(
      registrations.take_unregistration() ==
      R"({"unregisterations":[{"id":"\"\u00e9","method":"d"},{"id":"2","method":"c2"},{"id":"4","method":"e"}]})");
  CHECK(registrations.take_unregistration().empty());
}

TEST_CASE("registrations: what is none of the protocol's is passed over") {
  Registrations registrations;
  for (const char* const params :
       {"", "null", "[]", R"({"registrations":5})", R"({"registrations":[5,null]})", "{"}) {
    registrations.add(params);
    registrations.remove(params);
  }
  CHECK(registrations.take_unregistration().empty());
}

TEST_CASE("registrations: no more are kept than the limit allows") {
  Registrations registrations;
  for (std::size_t i = 0; i < Registrations::most + 10; ++i)
    registrations.add(R"({"registrations":[{"id":")" + std::to_string(i) + R"(","method":"m"}]})");
  const std::string params = registrations.take_unregistration();
  std::size_t count = 0;
  for (std::size_t at = params.find("\"id\""); at != std::string::npos; at = params.find("\"id\"", at + 1))
    ++count;
  CHECK(count == Registrations::most);
}

}  // namespace
}  // namespace symbols::lsp
