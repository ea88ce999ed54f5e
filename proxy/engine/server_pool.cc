#include "proxy/engine/server_pool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/filesystem.h"
#include "lsp/messages.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::engine {
namespace {

// When a call is over: looking takes a millisecond or two.
constexpr milliseconds look_at_memory_after{1000};

// A save, a checkout, a build: many events, one look.
constexpr milliseconds gather_changes_for{50};

// To watch a project that could not be, such as one whose folder was replaced by another.
constexpr std::chrono::seconds try_again_after{60};

// Sources, above which a new server reads an index as quickly.
constexpr std::size_t max_outdated = 12;

// Projects that cannot be watched, which are remembered.
constexpr std::size_t max_unwatched = 64;

std::size_t size_of(const query::InquiryResult& result) {
  constexpr std::size_t row = 300;  // a symbol itself, and its hover's; a diagnostic
  std::size_t size = sizeof(result);
  if (result.document.diagnostics.value) {
    for (const lsp::Diagnostic& diagnostic : result.document.diagnostics.value->first)
      size += row + diagnostic.message.size();
  }
  if (result.context) {
    size += result.context->text.size();
    for (const lsp::DocumentSymbol& other : result.context->others)
      size += row + other.name.size() + other.detail.size();
  }
  if (!result.document.rows) return size;
  for (const table::Row& symbol : result.document.rows->all) {
    size += row + symbol.name.size() + symbol.detail.size() + symbol.hover.size() +
            symbol.hover_parts.signature.size() + symbol.hover_parts.prose.size();
  }
  return size;
}

// Whether the same question about the same files would be answered the same.
bool is_repeatable(const query::InquiryResult& result) {
  if (result.document.error || result.document.hovers.missing > 0 || result.still_loading) return false;
  if (result.context) return result.context->is_repeatable;
  return result.document.rows && result.document.diagnostics.failure.empty() &&
         result.document.errors_unknown.empty();
}

}  // namespace

ServerPool::ServerPool(io::Timers& timers, process::StartServer start_server, std::size_t processes)
    : timers_(timers), start_server_(std::move(start_server)), processes_(processes) {
  limits_.documents = std::numeric_limits<std::size_t>::max();
}

ServerPool::ServerPool(io::EventLoop& loop, PoolLimits limits,
                       std::function<void(const std::string&)> on_change)
    : timers_(loop),
      loop_(&loop),
      start_server_(
          [&loop](const process::ProcessOptions& options, process::ServerProcess::Callbacks callbacks) {
            return process::start_server(loop, options, std::move(callbacks));
          }),
      limits_(limits),
      on_change_(std::move(on_change)) {}

ServerPool::~ServerPool() {
  for (const auto& [root, project] : projects_) {
    if (project.watch) loop_->unwatch(project.watch->descriptor());
  }
}

ServerPool::Project& ServerPool::project(const std::string& root) {
  const auto [found, is_new] = projects_.try_emplace(root, timers_);
  Project& project = found->second;
  if (is_new || (!project.watch && timers_.now() - project.tried >= try_again_after)) {
    project.tried = timers_.now();
    std::erase_if(projects_, [&](const auto& entry) {
      return projects_.size() > max_unwatched && !entry.second.watch && entry.first != root;
    });
    if (root.empty()) {
      project.why_not = "it has no folder";
    } else if (Result<std::unique_ptr<files::ProjectWatch>> watch = files::ProjectWatch::start(
                   root, files::find_marked_root(fs::path(root) / "file", {}, files::home_folder()))) {
      project.watch = std::move(*watch);
      look_when_changed(root);
    } else {
      project.why_not = watch.error().message;
    }
  }
  return project;
}

// Without waiting for a call: changes are reported to the servers, and on_change_ may prepare answers.
void ServerPool::look_when_changed(const std::string& root) {
  Project& watched = projects_.at(root);
  const auto look_after = [this, root, &watched](milliseconds delay) {
    watched.gathering.start(delay, [this, root] {
      look_when_changed(root);
      look(root);
    });
  };
  if (watched.watch->descriptor() < 0) return look_after(files::ProjectWatch::look_interval);
  loop_->watch(watched.watch->descriptor(), io::EventLoop::Wanted::input, [this, &watched, look_after] {
    loop_->unwatch(watched.watch->descriptor());
    look_after(gather_changes_for);
  });
}

void ServerPool::look(const std::string& root) {
  // Ends idle servers whose answers may lack something that those of new ones have, now that there is room.
  for (LiveServer& server : servers_) {
    if (server.state == ServerState::idle && server.key.second == root &&
        server.connection.session().lacked_disk_space())
      end(server);
  }
  Project& looked = project(root);
  if (!looked.watch) return;
  using Look = files::ProjectWatch::Look;
  const files::ProjectChanges changes =
      looked.watch->take(std::exchange(looked.call_has_begun, false) ? Look::at_everything : Look::at_events);
  if (!changes.any()) return;
  ++looked.generation;
  looked.answers.clear();
  looked.answer_bytes = 0;
  // The walk for headers leaves out what .gitignore says.
  const auto chooses_files = [](const std::string& path) { return path.ends_with("/.gitignore"); };
  if (changes.unknown || !changes.new_or_gone.empty() || std::ranges::any_of(changes.paths, chooses_files))
    looked.guessed_flags.reset();
  if (looked.guessed_flags) {
    for (const std::string& path : changes.paths) looked.guessed_flags->changed(path);
  }
  if (looked.watch->failure()) {
    // From now on its calls are answered cold.
    looked.why_not = looked.watch->failure()->message;
    looked.tried = {};  // its folder may be there again by the next look
    looked.gathering.stop();
    loop_->unwatch(looked.watch->descriptor());
    looked.watch.reset();
  }
  for (LiveServer& server : servers_) {
    if (server.key.second != root) continue;
    if (server.state == ServerState::idle) apply(server, changes);
    if (server.state != ServerState::leased) continue;
    server.missed.unknown = server.missed.unknown || changes.unknown;
    server.missed.paths.insert(changes.paths.begin(), changes.paths.end());
    server.missed.new_or_gone.insert(changes.new_or_gone.begin(), changes.new_or_gone.end());
  }
  on_change_(root);
}

LiveServer* ServerPool::find(const ServerKey& key, ServerState state) {
  const auto found = std::ranges::find_if(servers_, [&](const LiveServer& server) {
    return server.to_keep && server.state == state && server.key == key;
  });
  return found == servers_.end() ? nullptr : &*found;
}

std::size_t ServerPool::count(ServerState state, bool to_keep) const {
  return static_cast<std::size_t>(std::ranges::count_if(servers_, [&](const LiveServer& server) {
    return server.state == state && server.to_keep == to_keep;
  }));
}

// Makes an idle server one whose answers are those of a new one, or ends it.
void ServerPool::apply(LiveServer& server, const files::ProjectChanges& changes) {
  bool holds = !changes.unknown;
  std::vector<lsp::FileEvent> events;
  for (const std::string& path : changes.paths) {
    if (!holds) break;
    const ChangeEffect effect = effect_of_change(server.key.first, path);
    if (effect == ChangeEffect::parsed_when_opened) {
      for (auto& [other, document] : server.documents) document.stale = document.stale || other != path;
      continue;
    }
    if (effect == ChangeEffect::outdates_index) {
      const bool is_source = files::language_of(path) == files::Language::c_source;
      if (!is_source || server.outdated.size() >= max_outdated || ::access(path.c_str(), F_OK) != 0)
        return end(server);
      server.outdated.insert(path);
      continue;
    }
    const std::string uri = lsp::file_uri(path);
    const auto open = server.documents.find(path);
    holds = effect == ChangeEffect::told;
    if (open != server.documents.end()) {
      // One that is a link is read when it is asked about.
      if (Result<files::SourceText> text = files::read_source_file(path, {}, files::Symlinks::refuse)) {
        holds = true;
        if (text->text != open->second.text)
          server.connection.session().change(uri, ++open->second.version, text->text);
        open->second.text = std::move(text->text);
      } else if (holds) {
        server.close(path);
      }
    }
    if (effect != ChangeEffect::told) continue;
    if (changes.new_or_gone.contains(path) && learns_of_files_late(server.key.first, path))
      server.lacks_files = true;
    if (::access(path.c_str(), F_OK) == 0) {
      // Whether it was there before is not known. pyright looks for a new file only if it was created,
      // TypeScript 7 reads one anew only if it was changed; both take both, in this order.
      events.push_back({uri, lsp::FileChange::changed});
      events.push_back({uri, lsp::FileChange::created});
    } else {
      events.push_back({uri, lsp::FileChange::deleted});
    }
  }
  if (!holds) return end(server);
  if (!events.empty()) server.connection.session().tell_changes(events);
}

void ServerPool::call_begins() {
  for (auto& [root, project] : projects_) project.call_has_begun = true;
}

LiveServer* ServerPool::lease(const ServerKey& key, const LeaseOptions& options, bool waited_long) {
  bool to_keep = false;
  if (loop_ == nullptr) {
    // It has to wait for the end of another one.
    const bool is_running = std::ranges::find(servers_, key, &LiveServer::key) != servers_.end();
    if (is_running || servers_.size() >= processes_) return nullptr;
  } else {
    look(key.second);
    if (find(key, ServerState::leased) != nullptr) {
      if (!waited_long || count(ServerState::leased, false) >= limits_.servers) return nullptr;
    } else if (project(key.second).watch) {
      to_keep = true;
      if (LiveServer* const kept = find(key, ServerState::idle)) {
        kept->state = ServerState::leased;
        kept->was_kept = true;
        kept->idle_timer.stop();
        kept->connection.set_silence(options.connection.silence_before_symbols,
                                     options.connection.silence_after_symbols);
        return kept;
      }
    }
  }
  ConnectionOptions connection = options.connection;
  connection.server = key.first;
  connection.root = key.second;
  return &servers_.emplace_back(timers_, start_server_, std::move(connection), options.hovers, to_keep);
}

void ServerPool::prepare_alone(const ServerKey& key, const std::string& path, bool published,
                               bool references) {
  if (loop_ == nullptr) return;
  look(key.second);
  LiveServer* const found = find(key, ServerState::idle);
  if (found == nullptr) return;
  LiveServer& server = *found;
  if (server.lacks_files) return end(server);
  const auto document = server.documents.find(path);
  const bool is_open = document != server.documents.end();
  const ServerLaunch::Search search = key.first.search;
  if (search == ServerLaunch::Search::of_index) {
    // What is open is in its index as well. It publishes an empty list for what is closed, at any time after.
    if (!is_open && server.documents.size() >= limits_.documents) end(server);
    return;
  }
  const bool is_current = is_open && document->second.generation == project(key.second).generation;
  // The order of pyright's references depends on which files it has opened before.
  const bool orders_by_use = references && !key.first.command.files_found_logs.empty();
  if (search == ServerLaunch::Search::of_open_files || orders_by_use ||
      (published && !server.connection.session().capabilities().diagnostics)) {
    // gopls publishes nothing for a document of which it has published the same before, clangd and others
    // publish late that a document was closed: which document or text a list belongs to is not known.
    if (!is_current || server.documents.size() > 1) end(server);
    return;
  }
  std::erase_if(server.documents, [&](const auto& entry) {
    const bool goes = entry.first != path || !is_current;
    if (goes) server.connection.session().close(lsp::file_uri(entry.first));
    return goes;
  });
}

void ServerPool::release(LiveServer& server) {
  // clangd does not index a file that is closed before it is parsed.
  if (!server.to_keep || server.is_reading() || server.has_read_errors()) return end(server);
  for (const std::string& path : std::exchange(server.mentions, {}))
    server.connection.session().close(lsp::file_uri(path));
  server.connection.set_callbacks({.on_failure = [this, &server](const Error&) { end(server); }});
  server.state = ServerState::idle;
  server.idle_since = timers_.now();
  server.idle_timer.start(limits_.server_idle, [this, &server] {
    end(server);
    forget_project(server.key.second);
  });
  const files::ProjectChanges missed = std::exchange(server.missed, {});
  look(server.key.second);
  if (server.state == ServerState::idle && missed.any()) apply(server, missed);
  if (server.state == ServerState::idle && stopped_) end(server);
  while (count(ServerState::idle, true) > limits_.servers) end_longest_idle();
  weighing_.start(look_at_memory_after, [this] { weigh(); });
}

void ServerPool::end(LiveServer& server, bool at_once) {
  server.state = ServerState::ending;
  server.idle_timer.stop();
  server.connection.set_callbacks({.on_stopped = [this, &server] {
    servers_.remove_if([&server](const LiveServer& other) { return &other == &server; });
    if (stopped_ && empty()) stopped_();
  }});
  if (at_once) return server.connection.abort();
  server.connection.stop();
}

void ServerPool::end_longest_idle() {
  LiveServer* longest = nullptr;
  for (LiveServer& server : servers_) {
    if (server.state == ServerState::idle && (!longest || server.idle_since < longest->idle_since))
      longest = &server;
  }
  end(*longest);
  forget_project(longest->key.second);
}

void ServerPool::weigh() {
  std::size_t memory = 0;
  for (const LiveServer& server : servers_) {
    if (server.state == ServerState::idle) memory += server.connection.memory();
  }
  if (memory <= limits_.server_memory) return;
  end_longest_idle();
  weigh();
}

std::uint64_t ServerPool::open(LiveServer& server, const std::string& path, const std::string& language_id,
                               const std::string& settings, const std::string& text) {
  if (server.to_keep) look(server.key.second);
  const bool is_new = server.open(path, language_id, settings, text, limits_.documents);
  if (!server.to_keep) return 0;
  Project& its_project = project(server.key.second);
  if (is_new) {
    if (its_project.watch) its_project.watch->look_at(path);
    if (!server.missed.any()) server.documents.at(path).generation = its_project.generation;
  }
  return its_project.generation;
}

const query::InquiryResult* ServerPool::answer(const ServerKey& key, const std::string& path,
                                               const std::string& question, std::string_view text) {
  look(key.second);
  const auto& answers = project(key.second).answers;
  const auto found = answers.find({key.first, path, question});
  if (found == answers.end() || found->second.text != text) return nullptr;
  return &found->second.result;
}

void ServerPool::keep_answer(LiveServer& server, const std::string& path, const std::string& question,
                             std::uint64_t generation, const query::InquiryResult& result) {
  const lsp::ClientSession& session = server.connection.session();
  if (!is_repeatable(result) || session.lacked_disk_space() || server.connection.flags_left_out() > 0 ||
      !session.progress().failure().empty())
    return;
  const ServerKey& key = server.key;
  look(key.second);
  Project& its_project = project(key.second);
  if (!its_project.watch || its_project.generation != generation) return;
  if (server.missed.any()) return;  // the project has changed since, and the server has not been told
  const auto document = server.documents.find(path);
  if (document == server.documents.end()) return;
  const std::string& text = document->second.text;
  const std::size_t bytes = text.size() + size_of(result);
  if (bytes > limits_.answer_bytes / 2) return;
  if (its_project.answer_bytes + bytes > limits_.answer_bytes) {
    its_project.answers.clear();
    its_project.answer_bytes = 0;
  }
  its_project.answers.insert_or_assign(AnswerKey{key.first, path, question}, Answer{text, result});
  its_project.answer_bytes += bytes;
}

servers::GuessedFlags* ServerPool::guessed_flags(const std::string& root) {
  if (!projects_.contains(root)) return nullptr;  // its first call
  look(root);
  Project& asked = project(root);
  if (!asked.watch) return nullptr;
  if (!asked.guessed_flags) asked.guessed_flags.emplace(root);
  return &*asked.guessed_flags;
}

// Ends its watch and its answers, if no server of it is left.
void ServerPool::forget_project(const std::string& root) {
  const bool is_used = std::ranges::any_of(servers_, [&root](const LiveServer& server) {
    return server.to_keep && server.state != ServerState::ending && server.key.second == root;
  });
  const auto project = projects_.find(root);
  if (is_used || project == projects_.end()) return;
  if (project->second.watch) loop_->unwatch(project->second.watch->descriptor());
  projects_.erase(project);
}

void ServerPool::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  for (LiveServer& server : servers_) {
    if (server.state == ServerState::idle) end(server);
  }
  if (empty()) stopped_();
}

void ServerPool::hurry() {
  for (LiveServer& server : servers_) {
    if (server.state == ServerState::ending) server.connection.abort();
  }
}

std::vector<std::string> ServerPool::description() {
  std::vector<std::string> roots;
  for (const auto& [root, project] : projects_) roots.push_back(root);
  for (const std::string& root : roots) look(root);
  std::vector<std::string> lines;
  for (const LiveServer& server : servers_) {
    if (!server.to_keep || server.state == ServerState::ending) continue;
    const std::string name =
        fmt::format("{} for {}", server.key.first.name, table::escaped(server.key.second));
    if (server.state == ServerState::leased) {
      lines.push_back(name + ": answering");
      continue;
    }
    const auto left = server.idle_since + limits_.server_idle - timers_.now();
    const auto answers = std::ranges::count_if(
        project(server.key.second).answers,
        [&server](const auto& answer) { return std::get<0>(answer.first) == server.key.first; });
    lines.push_back(fmt::format(
        "{}: documents open: {}, answers kept: {}, memory: {} MiB; stops in {} s", name,
        server.documents.size(), answers, server.connection.memory() >> 20,
        std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(left).count(), 0)));
  }
  for (const auto& [root, project] : projects_) {
    if (!project.watch) {
      lines.push_back(fmt::format("nothing is kept for {}: {}", root.empty() ? "-" : table::escaped(root),
                                  table::escaped(project.why_not)));
    }
  }
  return lines;
}

}  // namespace symbols::engine
