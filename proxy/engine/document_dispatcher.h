// Many documents, several servers: which is asked what, when, and what happens to the others if one fails.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "proxy/engine/server_connection.h"
#include "proxy/engine/server_pool.h"
#include "proxy/files/source_text.h"
#include "proxy/io/timers.h"
#include "proxy/query/document_query.h"
#include "proxy/servers/mentions.h"
#include "table/rows.h"

namespace symbols::engine {

// One document to be asked about.
struct DocumentJob {
  std::string display_path;                            // as the user gave it
  std::string path;                                    // absolute
  files::Symlinks symlinks = files::Symlinks::follow;  // in the path, when it is read
  std::string language_id{};
  ServerLaunch server{};
  std::string settings{};                   // JSON, sent before it is opened; empty for none
  std::string root{};                       // the project's folder, absolute; empty for none
  std::optional<files::SourceText> text{};  // if it is not the file's: standard input
  query::SearchScope scope{};               // where the server looks for references and callers
  // Finds the files that mention the identifier; of a server that may not have loaded them all. May be empty.
  std::function<servers::Mentions(std::string_view identifier)> find_mentions{};
  std::function<servers::CompiledSources()> compiled_sources{};  // of clangd's index; may be empty
};

struct DocumentAnswer {
  std::optional<table::SymbolRows>
      rows{};  // may be set beside an error: the server was lost during the hovers
  std::optional<Error> error{};
  bool is_unread = false;            // the error: the file could not be read as a source
  std::size_t hovers_missing = 0;    // without those that the server refused, which have a note
  std::vector<std::string> notes{};  // for standard error
  table::Diagnostics diagnostics{};
  std::optional<query::ContextOutcome> context{};  // instead of rows, if one was requested
  std::string errors{};  // for which rows may be missing or wrong, SourceErrors' text; empty: none
};

// Whether answers may depend on what else a server has open or has published, as references and diagnostics
// do. With a pool that keeps servers such an inquiry is about one document.
inline bool depends_on_others(const query::InquiryOptions& inquiry) {
  return inquiry.context || inquiry.document.diagnostics > 0;
}

struct DispatchOptions {
  query::InquiryOptions inquiry;
  LeaseOptions lease{};
  std::string question{};  // equal for equal inquiries: the pool may have the answer
  // Bytes of a server, above which it is restarted for the documents to come: TypeScript 7 keeps 4 MB of each
  // file asked for hovers. Looked at every 32 documents, so that restarts cost them little.
  std::size_t server_memory = std::size_t{1} << 30;
  std::size_t servers_at_once = 8;    // processes; the longest idle one is stopped to make room
  std::size_t documents_at_once = 8;  // of all servers
  std::size_t documents_per_server = 2;
  std::size_t documents_ahead = 64;  // of the first unanswered one: bounds what waits to be printed
};

// Single-threaded. Callbacks run from the loop, or from abort(). Documents of one server are started in their
// order, those of several servers side by side. A server that dies is restarted for the rest. If it had
// several documents open, each of these is then asked about alone, so that a document that crashes the server
// costs only its own answer. A server that cannot be started, or dies three times in a row, is not started
// again: its error is the answer.
class DocumentDispatcher {
 public:
  struct Callbacks {
    std::function<void(std::size_t job, DocumentAnswer)> on_answer;  // once per job, in any order
    std::function<bool()> may_start;    // false while the output lags behind; then call resume() later
    std::function<void()> on_finished;  // every job is answered, or abort() was called; no server is leased
  };

  // `timers` and `pool` outlive it.
  DocumentDispatcher(io::Timers& timers, ServerPool& pool, std::vector<DocumentJob> jobs,
                     DispatchOptions options, Callbacks callbacks);
  ~DocumentDispatcher();

  // Starts the work, or continues it, from the loop.
  void resume();
  // Ends the work at once, and servers that are not kept; no more answers.
  void abort();

  // For a progress line: "symbols: 3 of 10 files answered; clangd: indexing: 12/40"; empty if all are.
  std::string progress_text() const;

 private:
  struct Server;
  struct Job;

  void offer_jobs();
  void offer(std::size_t index);
  bool answer_again(std::size_t index);
  bool lease(Server& server, const DocumentJob& job);
  void make_room(std::size_t index);
  void open(std::size_t index);
  void answered(std::size_t index, query::InquiryResult result);
  void give(std::size_t index, query::InquiryResult result);
  void answer(std::size_t index, DocumentAnswer answer);
  void server_failed(Server& server, const Error& error);
  void take_back_jobs(Server& server);
  void take_back(Job& job);
  LiveServer& let_go(Server& server);
  void finish_if_done();

  io::Timers& timers_;
  ServerPool& pool_;
  DispatchOptions options_;
  Callbacks callbacks_;
  std::vector<Job> jobs_;
  std::map<ServerKey, std::unique_ptr<Server>> servers_;
  std::size_t first_open_ = 0;  // the first unanswered job
  std::size_t answered_count_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t leases_ = 0;
  std::size_t clock_ = 0;  // counts uses, for the longest idle server
  bool has_given_texts_ = false;
  bool aborted_ = false;
  bool finished_ = false;
  io::Timer resume_timer_;
};

}  // namespace symbols::engine
