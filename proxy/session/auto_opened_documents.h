// The documents that a server has open because we opened them: some clients never send didOpen, and then some
// servers answer `[]` or an error (`--auto-open`). Says what has to be sent before a request about a
// document, so that the server knows the text that is on disk now; sends nothing itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/files/content_hash.h"
#include "proxy/servers/server_registry.h"

namespace symbols::session {

// How much is kept open. An open document costs a server far more memory than its text (a syntax tree,
// clangd's preamble), and opening one again costs a parse: so many that a task of a few dozen files reopens
// none. TypeScript's checker.ts (3 MB), the largest of its kind, is a document; SQLite's amalgamation (9 MB),
// with which clangd is busy for half a minute, is not, as no one asked for it to be opened.
struct AutoOpenLimits {
  std::size_t documents = 32;
  std::size_t bytes = std::size_t{16} << 20;  // of their texts together
  std::size_t file_bytes = std::size_t{4} << 20;
};

// A document is named by its URI in the client's own spelling, which is the one that the server gets and
// the client's request has. A file has one document at a time: a request that spells it otherwise (`a%20b`,
// `a b`) has the former closed first, as many servers take both for one and would not understand a second
// didOpen.
//
// Only for `file:` URIs of this machine, regular files of a bounded size, text (source_text.h), whose
// language is known. To the rest nothing is said: the server answers as it would without us. Whether the
// client has a document open itself is for the caller to know (client_documents.h) and to ask first. Not
// thread safe.
class AutoOpenedDocuments {
 public:
  // What has to be sent to the server, in this order: whole bodies, pure ASCII.
  using Notifications = std::vector<std::string>;

  // `server` is the one that is talked to, null where it is not known which that is; its language ids come
  // first. It and `registry` must outlive this. `now` is the clock that files' times are from.
  AutoOpenedDocuments(const servers::ServerRegistry& registry, const servers::ServerSpec* server,
                      AutoOpenLimits limits = {}, std::function<std::int64_t()> now = files::file_clock_now);

  // What has to be sent before a request about `uri`; empty where the server is up to date. Compares what the
  // server was told with the disk: by the file's stamp, and by its content where the stamp is other or too
  // fresh to be trusted. Opens the document, tells the new text, or closes it where it is no such file any
  // more; closes the least recently prepared ones when over the limits.
  Notifications prepare(std::string_view uri);

  // Until as many let_go()s the document is not closed because of the limits: a request about it is out whose
  // answer will lead to others. Held documents may exceed the limits up to four times; beyond that prepare()
  // opens nothing more. False, and nothing, of a document that is not open.
  bool hold(std::string_view uri);
  void let_go(std::string_view uri);

  // Before the client's own didOpen is passed on: the didClose of the document that we have of that file, if
  // any, however it is spelled.
  Notifications release(std::string_view uri);

  // The client closes a document itself that we had opened, and what it sends is passed on.
  void forget(std::string_view uri);
  // The server is another one, which has none of them open.
  void forget_all();

  bool is_open(std::string_view uri) const { return documents_.contains(uri); }
  std::size_t size() const { return documents_.size(); }
  std::size_t bytes() const { return bytes_; }

  // The text that the server was told, read again as it is not kept. Null where the document is not open by
  // us or the file has another text by now.
  std::shared_ptr<const std::string> text(std::string_view uri) const;

 private:
  struct Document {
    std::string path;
    files::FileStamp stamp;
    bool trusted = false;  // an equal stamp will mean an equal text
    std::size_t size = 0;  // of the text, in bytes
    std::size_t hash = 0;
    std::int32_t version = 1;
    std::uint64_t used = 0;  // the number of the prepare() that it was last in
    std::size_t holds = 0;
  };
  using Documents = std::map<std::string, Document, std::less<>>;

  struct Text;
  Text read(const std::string& path) const;
  void open(std::string_view uri, const std::string& path, Notifications& notifications);
  void compare(Documents::iterator document, Notifications& notifications);
  void close(Documents::iterator document, Notifications& notifications);
  void close_file(const std::string& path, Notifications& notifications);
  void close_least_used(std::size_t documents, std::size_t bytes, std::string_view but,
                        Notifications& notifications);

  const servers::ServerRegistry& registry_;
  const servers::ServerSpec* server_;
  AutoOpenLimits limits_;
  std::function<std::int64_t()> now_;
  Documents documents_;
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace symbols::session
