#include "lsp/server_capabilities.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace symbols::lsp {
namespace server_capabilities_test {

TEST_CASE("what a server offers, at first and later") {
  ServerCapabilities server = *ServerCapabilities::of_initialize(
      R"({"capabilities":{"referencesProvider":{"workDoneProgress":true},"callHierarchyProvider":false,"diagnosticProvider":null}})");
  CHECK(server.references);
  CHECK(!server.call_hierarchy);
  CHECK(!server.diagnostics);
  server.add_registrations(
      R"({"registrations":[{"id":"1","method":"textDocument/prepareCallHierarchy"},{"id":"2","method":"other"}]})");
  CHECK(server.call_hierarchy);
  CHECK(!server.diagnostics);
  CHECK(!server.hover);
  server.add_registrations(
      R"({"registrations":[{"id":"1","registerOptions":{"method":"textDocument\/hover"}}]})");
  CHECK(!server.hover);
  server.add_registrations(R"({"registrations":[{"id":"1","method":"textDocument\/hover"}]} behind)");
  CHECK(server.hover);
  for (const char* const other :
       {"null", R"({"registrations":{}})", R"({"registrations":[1,{"method":1}]})", "["}) {
    server.add_registrations(other);
  }
  CHECK(!server.document_symbol);
  CHECK(ServerCapabilities::of_initialize("null").has_error());
  CHECK(ServerCapabilities::of_initialize(R"({"capabilities":true})").has_error());
}

TEST_CASE("the position encoding that was agreed on") {
  const std::pair<const char*, PositionEncoding> cases[] = {
      {R"({"capabilities":{}})", PositionEncoding::utf16},
      {R"({"capabilities":{"positionEncoding":"utf-16"}})", PositionEncoding::utf16},
      {R"({"capabilities":{"positionEncoding":"utf-8"}},"id":1})", PositionEncoding::utf8},
      {R"({"capabilities":{"positionEncoding":"utf-32"}})", PositionEncoding::utf32},
      {R"({"capabilities":{"positionEncoding":"koi-8"}})", PositionEncoding::utf16},
      {R"({"capabilities":{},"offsetEncoding":"utf-8"})", PositionEncoding::utf8},
      {R"({"capabilities":{"offsetEncoding":"utf-8"}})", PositionEncoding::utf16},
      {R"({"capabilities":{"positionEncoding":"utf-16"},"offsetEncoding":"utf-8"})", PositionEncoding::utf16},
      {R"({"positionEncoding":"utf-8"})", PositionEncoding::utf16},
      {"null", PositionEncoding::utf16},
      {"", PositionEncoding::utf16},
  };
  for (const auto& [result, expected] : cases) {
    CAPTURE(result);
    const Result<ServerCapabilities> server = ServerCapabilities::of_initialize(result);
    CHECK((server ? server->position_encoding : PositionEncoding::utf16) == expected);
  }
}

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
  for (std::size_t i = 0; i < Registrations::max_count + 10; ++i)
    registrations.add(R"({"registrations":[{"id":")" + std::to_string(i) + R"(","method":"m"}]})");
  const std::string params = registrations.take_unregistration();
  std::size_t count = 0;
  for (std::size_t at = params.find("\"id\""); at != std::string::npos; at = params.find("\"id\"", at + 1))
    ++count;
  CHECK(count == Registrations::max_count);
}

}  // namespace server_capabilities_test
}  // namespace symbols::lsp
