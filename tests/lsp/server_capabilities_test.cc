#include "lsp/server_capabilities.h"

#include <doctest/doctest.h>

namespace symbols::lsp {
namespace {

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
  struct Case {
    const char* result;
    PositionEncoding expected;
  };
  const Case cases[] = {
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
  for (const Case& c : cases) {
    CAPTURE(c.result);
    const Result<ServerCapabilities> server = ServerCapabilities::of_initialize(c.result);
    CHECK((server ? server->position_encoding : PositionEncoding::utf16) == c.expected);
  }
}

}  // namespace
}  // namespace symbols::lsp
