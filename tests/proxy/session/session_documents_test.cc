// What a message about a document changes, of those that the client has open and of those that we have
// opened.
#include "proxy/session/session_documents.h"

#include <doctest/doctest.h>

#include <string>

#include "lsp/uri.h"
#include "proxy/servers/server_registry.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::session {
namespace {

struct Stage {
  TemporaryFolder folder;
  servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  SessionDocuments documents{registry, nullptr};
  std::string uri = lsp::file_uri(folder.write("a.ts", "let a;"));

  SessionDocuments::Change notified(const std::string& method, const std::string& more = "") {
    return documents.notified(method,
                              R"({"textDocument":{"uri":")" + uri + R"(","text":"let b;"})" + more + "}");
  }
};

TEST_CASE("session documents: what a notification changes") {
  Stage stage;
  const SessionDocuments::Change opened = stage.notified("textDocument/didOpen");
  CHECK(opened.workspace);
  CHECK_FALSE(opened.document);  // nobody can have asked about it
  CHECK(opened.to_server.empty());
  CHECK(*stage.documents.text(stage.uri) == "let b;");
  const SessionDocuments::Change changed =
      stage.notified("textDocument/didChange", R"(,"contentChanges":[{"text":"let c;"}])");
  CHECK(changed.workspace);
  CHECK(changed.document == stage.uri);
  CHECK(*stage.documents.text(stage.uri) == "let c;");
  CHECK(stage.documents.notified("workspace/didChangeConfiguration", "{}").workspace);
  CHECK_FALSE(stage.documents.notified("initialized", "{}").workspace);
}

TEST_CASE(
    "session documents: one that the client has not opened is opened for a request, and given back to it") {
  Stage stage;
  CHECK_FALSE(stage.documents.hold(stage.uri));
  const SessionDocuments::Change for_us = stage.documents.open_for_request(stage.uri);
  CHECK(for_us.to_server.size() == 1);
  CHECK(for_us.workspace);
  CHECK(for_us.document == stage.uri);
  CHECK(stage.documents.hold(stage.uri));
  CHECK(*stage.documents.text(stage.uri) == "let a;");
  CHECK_FALSE(stage.documents.open_for_request(stage.uri).workspace);  // it is open by now
  // The client opens it: ours is closed first, and what was asked about it is of no use.
  const SessionDocuments::Change opened = stage.notified("textDocument/didOpen");
  REQUIRE(opened.to_server.size() == 1);
  CHECK(opened.to_server[0].find("didClose") != std::string::npos);
  CHECK(opened.document == stage.uri);
  CHECK(stage.documents.open_for_request(stage.uri).to_server.empty());
}

TEST_CASE("session documents: one that is nowhere is unknown") {
  Stage stage;
  CHECK(stage.documents.is_unknown("file:///nowhere/at/all.ts"));
  CHECK_FALSE(stage.documents.is_unknown(stage.uri));
  CHECK_FALSE(stage.documents.is_unknown("untitled:1"));
}

}  // namespace
}  // namespace symbols::session
