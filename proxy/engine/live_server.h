// A running server of one project, what it has open, and what it needs when a file on disk changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/engine/server_connection.h"
#include "proxy/files/project_watch.h"
#include "proxy/query/hover_scheduler.h"
#include "proxy/servers/mentions.h"

namespace symbols::engine {

// What a server of a pool is for, at present.
enum class ServerState {
  leased,
  idle,    // kept for the next lease
  ending,  // until its process has ended
};

// One server for one project: how it is started, and the project's root.
using ServerKey = std::pair<ServerLaunch, std::string>;

struct LiveServer {
  struct Document {
    std::string text;  // as the server knows it
    std::string settings;
    std::uint64_t last_used = 0;
    std::int32_t version = 1;
    bool stale = false;  // something else changed, which this server takes into account only when it opens it
    // Of the project, when it was opened; none if the server had not been told of all changes.
    std::optional<std::uint64_t> generation{};
  };

  LiveServer(io::Timers& timers, process::StartServer start_server, ConnectionOptions options,
             query::HoverScheduler::Options hover_options, bool is_to_keep)
      : key(options.server, options.root),
        to_keep(is_to_keep),
        connection(timers, std::move(start_server), std::move(options), {}),
        hovers(connection.session(), timers, hover_options),
        idle_timer(timers) {}

  // Opens the document, or sends its new text. Above `max_documents` open ones the least recently used is
  // closed. Returns whether it was opened, and not only changed.
  bool open(const std::string& path, const std::string& language_id, const std::string& settings,
            const std::string& text, std::size_t max_documents);
  void close(const std::string& path);

  // Opens the files to be opened that are not open, except those for which `is_asked_about`. Returns the
  // paths that a list of the whole project names; none: it cannot be told which these are.
  std::optional<std::vector<std::string>> open_mentions(
      servers::Mentions mentions, const std::function<bool(const std::string& path)>& is_asked_about);

  // Opens the file if it is not; its text, or null if it cannot be read.
  std::shared_ptr<const std::string> open_file(const std::string& path);

  // At the start of a lease, of a new server before it is started: has clangd's index know the sources that
  // have changed, as it gets an open file's symbols and references from its text. Those that are asked about
  // are opened by the caller. False: the server has to end, as one of them is not among the sources, may have
  // other headers now, or cannot be read.
  bool read_outdated(const std::function<servers::CompiledSources()>& compiled_sources,
                     const std::function<bool(const std::string& path)>& is_asked_about);
  bool is_reading() const { return reading_ > 0; }
  // Whether there are errors in those files: an index of broken code depends on the order of reading.
  bool has_read_errors();

  const ServerKey key;
  const bool to_keep;  // by the pool when it is released, else it ends
  ServerState state = ServerState::leased;
  bool was_kept = false;  // not started for its present lease
  ServerConnection connection;
  query::HoverScheduler hovers;
  std::map<std::string, Document> documents{};  // by path
  std::set<std::string> mentions{};             // paths that these two have opened
  std::uint64_t uses = 0;                       // of documents, for Document::last_used
  // Files have come or gone of which it may not know yet where it answers about the whole project.
  bool lacks_files = false;
  bool gave_hovers = false;        // for any document
  files::ProjectChanges missed{};  // of which it was not told while it was leased
  io::Timer idle_timer;            // until it is ended
  io::Timers::Clock::time_point idle_since{};
  std::set<std::string> outdated{};  // sources in its index that have changed since it was told

 private:
  std::set<std::string> read_;  // of these, in this lease
  servers::CompiledSources compiled_;
  std::size_t reading_ = 0;
};

// What a change of a file on disk asks of a server that is kept running.
enum class ChangeEffect {
  parsed_when_opened,  // it sees the change in documents that it opens from then on
  told,                // it sees the change when it is told by workspace/didChangeWatchedFiles
  restart,             // only a new one is sure to see it, but for documents that it has open
  outdates_index,      // likewise, and for those too, but for a source that it can read for its index
};

// `path` is absolute; the file may be new, or be gone.
ChangeEffect effect_of_change(const ServerLaunch& server, std::string_view path);

// Whether the server, when told that the file at `path` came or went, answers for a while as if it did not
// know of it. pyright finds the project's files anew in the background.
bool learns_of_files_late(const ServerLaunch& server, std::string_view path);

// Whether a server takes the change of an open document by didChange alone, and answers at once as if it had
// opened the new text. clangd answers with the headers of before while it reads the new ones, so that symbols
// may be missing: it does so only if all is equal up to the first token that is no preprocessor directive.
bool takes_by_did_change(const ServerLaunch& server, std::string_view before, std::string_view after);

}  // namespace symbols::engine
