// The documents that a server has open because we opened them (`--auto-open`): some clients never send
// didOpen, and then some servers answer `[]` or an error. Sends nothing itself: returns what is to be sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/servers/server_registry.h"

namespace symbols::session {

// How much is kept open. An open document costs a server far more memory than its text (a syntax tree,
// clangd's preamble), and opening one again costs a parse: so many that a task of a few dozen files reopens
// none. TypeScript's checker.ts (3 MB), the largest of its kind, is a document; SQLite's amalgamation (9 MB),
// with which clangd is busy for half a minute, is not, as no one asked for it to be opened.
struct AutoOpenLimits {
  std::size_t documents = 32;  // those that are held may be four times as many
  std::size_t file_bytes = std::size_t{4} << 20;
};

// A document is identified by its URI in the client's spelling. A file has one document at a time: a request
// that spells it otherwise (`a%20b`, `a b`) closes the former first, as many servers take both for one.
//
// Only for `file:` URIs of this machine, regular files of a bounded size, text (source_text.h), whose
// language is known; others are left to the server. Callers first check that the client has not opened the
// document itself (ClientDocuments). Single-threaded.
class AutoOpenedDocuments {
 public:
  // To be sent to the server, in this order: whole bodies, pure ASCII.
  using Notifications = std::vector<std::string>;

  // `server` may be null; its language ids come first. It and `registry` outlive this.
  AutoOpenedDocuments(const servers::ServerRegistry& registry, const servers::ServerSpec* server,
                      AutoOpenLimits limits = {});

  // Before a request about `uri`: opens the document, sends its text if the server got another, or closes it
  // if it cannot be a document any more. Over the limits the least recently prepared ones are closed.
  Notifications prepare(std::string_view uri);

  // While the result lives the document is not closed because of the limits: a request about it is in flight.
  // Null if the document is not open.
  std::shared_ptr<void> hold(std::string_view uri) const;

  // Before the client's own didOpen passes: the didClose of our document of that file, however it is spelled.
  Notifications release(std::string_view uri);
  // The client's didClose of a document of ours passes.
  void forget(std::string_view uri);
  // Another server has none of them open.
  void forget_all() { documents_.clear(); }

  bool is_open(std::string_view uri) const { return find(uri) != documents_.end(); }

  // The text at the server, read again, as it is not kept. Null if not open by us, or the file has changed.
  std::shared_ptr<const std::string> text(std::string_view uri) const;

 private:
  struct Document {
    std::string uri;
    std::size_t hash = 0;  // of the text at the server
    std::int32_t version = 1;
    std::uint64_t used = 0;                                 // the number of the prepare() that it was last in
    std::shared_ptr<void> held = std::make_shared<char>();  // has other owners while the document is held
  };
  using Documents = std::map<std::string, Document>;  // by path

  std::optional<std::string> read(const std::string& path) const;
  Documents::const_iterator find(std::string_view uri) const;
  void close(Documents::const_iterator document, Notifications& notifications);
  void make_room(Notifications& notifications);

  const servers::ServerRegistry& registry_;
  const servers::ServerSpec* server_;
  AutoOpenLimits limits_;
  Documents documents_;
  std::uint64_t uses_ = 0;
};

}  // namespace symbols::session
