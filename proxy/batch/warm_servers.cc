#include "proxy/batch/warm_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "lsp/document_notifications.h"
#include "lsp/uri.h"
#include "proxy/batch/stop_limits.h"
#include "proxy/files/source_text.h"
#include "table/escape.h"

namespace symbols::batch {
namespace {

using std::chrono::milliseconds;

// Of projects that cannot be watched it is kept in mind that they cannot.
constexpr std::size_t most_unwatched = 64;

// clangd parses a file anew when it is opened, headers included, and reads the configuration of compile flags
// when it starts (and then every few seconds).
bool parses_when_opened(const ServerLaunch& launch) {
  return launch.name.starts_with("clangd");
}

bool configures_clangd(const std::string& path) {
  constexpr std::array<std::string_view, 3> names = {"compile_commands.json", "compile_flags.txt", ".clangd"};
  const std::string name = std::filesystem::path(path).filename().string();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t size_of(const query::InquiryResult& result) {
  constexpr std::size_t row = 200;  // the symbol itself, and its hover's
  std::size_t size = sizeof(result);
  if (!result.document.rows) return size;
  for (const lsp::DocumentSymbol& symbol : result.document.rows->tree.symbols)
    size += row + symbol.name.size() + symbol.detail.size();
  for (const std::string& hover : result.document.rows->hovers) size += hover.size();
  for (const table::HoverText& parts : result.document.rows->hover_parts)
    size += parts.signature.size() + parts.prose.size();
  return size;
}

}  // namespace

WarmServers::WarmServers(relay::Timers& timers, WarmLimits limits) : timers_(timers), limits_(limits) {}

WarmServers::~WarmServers() {
  for (const auto& [key, idle] : idle_) timers_.cancel(idle.timer);
}

WarmServers::Project& WarmServers::project(const std::string& root) {
  const auto [found, is_new] = projects_.try_emplace(root);
  Project& project = found->second;
  if (is_new) {
    std::erase_if(projects_, [&](const auto& entry) {
      return projects_.size() > most_unwatched && !entry.second.watch && entry.first != root;
    });
    if (root.empty()) {
      project.why_not = "it has no folder";
    } else if (Result<std::unique_ptr<files::ProjectWatch>> watch = files::ProjectWatch::start(root)) {
      project.watch = std::move(*watch);
    } else {
      project.why_not = watch.error().message;
    }
  }
  return project;
}

void WarmServers::look(const std::string& root) {
  Project& looked = project(root);
  if (!looked.watch) return;
  const files::ProjectChanges changes = looked.watch->take();
  if (!changes.any()) return;
  ++looked.generation;
  forget_answers(root);
  std::vector<ServerKey> keys;
  for (const auto& [key, idle] : idle_) {
    if (key.second == root) keys.push_back(key);
  }
  for (const ServerKey& key : keys) apply(key, idle_.at(key).server, changes);
  for (const ServerKey& key : lent_) {
    if (key.second != root) continue;
    files::ProjectChanges& missed = missed_[key];
    missed.unknown = missed.unknown || changes.unknown;
    missed.paths.insert(changes.paths.begin(), changes.paths.end());
  }
}

// Makes an idle server one whose answers are those of a new one, or ends it.
void WarmServers::apply(const ServerKey& key, LiveServer& server, const files::ProjectChanges& changes) {
  bool holds = !changes.unknown;
  for (const std::string& path : changes.paths) {
    if (!holds) break;
    const auto open = server.documents.find(path);
    if (parses_when_opened(key.first)) {
      holds = !configures_clangd(path);
      for (auto& [other, document] : server.documents) document.stale = document.stale || other != path;
    } else if (open == server.documents.end()) {
      holds = false;
    } else {
      Result<files::SourceText> text = files::read_source_file(path);
      holds = text.has_value();
      if (holds && text->text != open->second.text) {
        server.connection->session().change(lsp::file_uri(path), ++open->second.version, text->text);
        open->second.text = std::move(text->text);
      }
    }
  }
  if (!holds) retire(key);
}

WarmServers::State WarmServers::state(const ServerKey& key) {
  look(key.second);
  if (lent_.contains(key)) return State::lent;
  if (!project(key.second).watch) return State::cold;
  return idle_.contains(key) ? State::present : State::absent;
}

LiveServer WarmServers::borrow(const ServerKey& key) {
  const auto found = idle_.find(key);
  if (found == idle_.end()) return {};
  timers_.cancel(found->second.timer);
  LiveServer server = std::move(found->second.server);
  idle_.erase(found);
  lent_.insert(key);
  return server;
}

bool WarmServers::start_apart() {
  if (apart_ >= limits_.servers) return false;
  ++apart_;
  return true;
}

void WarmServers::lost(const ServerKey& key) {
  lent_.erase(key);
  missed_.erase(key);
  tell_waiting();
}

void WarmServers::give_back(const ServerKey& key, LiveServer server) {
  lent_.erase(key);
  Idle idle{.server = std::move(server), .since = timers_.now(), .order = ++clock_};
  idle.server.connection->set_callbacks({.on_ready = [](const lsp::ServerCapabilities&) {},
                                         .on_failure =
                                             [this, key](const Error&) {
                                               // It ends by itself; on_stopped follows.
                                               const auto failed = idle_.find(key);
                                               if (failed == idle_.end()) return;
                                               timers_.cancel(failed->second.timer);
                                               LiveServer lost_server = std::move(failed->second.server);
                                               idle_.erase(failed);
                                               end(std::move(lost_server));
                                             },
                                         .on_stopped = [] {},
                                         .waits_for_symbols = [] { return false; }});
  idle.timer = timers_.later(limits_.server_idle, [this, key] {
    retire(key);
    forget_project(key.second);
  });
  idle_.insert_or_assign(key, std::move(idle));
  look(key.second);
  if (const auto missed = missed_.find(key); missed != missed_.end()) {
    const files::ProjectChanges changes = std::move(missed->second);
    missed_.erase(missed);
    if (const auto kept = idle_.find(key); kept != idle_.end()) apply(key, kept->second.server, changes);
  }
  if (stopped_) retire(key);
  while (idle_.size() > limits_.servers) {
    const auto longest = std::min_element(idle_.begin(), idle_.end(), [](const auto& a, const auto& b) {
      return a.second.order < b.second.order;
    });
    const ServerKey goes = longest->first;
    retire(goes);
    forget_project(goes.second);
  }
  tell_waiting();
}

void WarmServers::open(LiveServer& server, const std::string& path, const std::string& uri,
                       const std::string& language_id, const std::string& settings, const std::string& text) {
  lsp::ClientSession& session = server.connection->session();
  const auto known = server.documents.find(path);
  if (known != server.documents.end()) {
    LiveServer::Document& document = known->second;
    document.last_used = ++clock_;
    if (!document.stale && document.settings == settings) {
      if (document.text != text) session.change(uri, ++document.version, text);
      document.text = text;
      return;
    }
    session.close(uri);
    server.documents.erase(known);
  }
  if (server.documents.size() >= limits_.documents) {
    const auto oldest = std::min_element(
        server.documents.begin(), server.documents.end(),
        [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; });
    session.close(lsp::file_uri(oldest->first));
    server.documents.erase(oldest);
  }
  if (!settings.empty()) {
    session.notify("workspace/didChangeConfiguration", R"({"settings":)" + settings + '}');
  }
  session.open(uri, language_id, text);
  server.documents.emplace(path,
                           LiveServer::Document{.text = text, .settings = settings, .last_used = ++clock_});
}

const query::InquiryResult* WarmServers::answer(const ServerKey& key, const std::string& path,
                                                const std::string& question, std::string_view text) {
  look(key.second);
  const auto found = answers_.find({key, path, question});
  if (found == answers_.end() || found->second.text != text) return nullptr;
  found->second.last_used = ++clock_;
  return &found->second.result;
}

void WarmServers::keep_answer(const ServerKey& key, const std::string& path, const std::string& question,
                              std::string text, std::uint64_t generation,
                              const query::InquiryResult& result) {
  if (!result.document.rows || result.document.error || result.document.hovers_missing > 0) return;
  look(key.second);
  if (!project(key.second).watch || project(key.second).generation != generation) return;
  Answer answer{.text = std::move(text), .generation = generation, .result = result, .last_used = ++clock_};
  answer.bytes = answer.text.size() + size_of(result);
  if (answer.bytes > limits_.answer_bytes / 4) return;
  const auto [place, is_new] = answers_.try_emplace(AnswerKey{key, path, question});
  if (!is_new) answer_bytes_ -= place->second.bytes;
  answer_bytes_ += answer.bytes;
  place->second = std::move(answer);
  while (answer_bytes_ > limits_.answer_bytes) {
    const auto oldest = std::min_element(answers_.begin(), answers_.end(), [](const auto& a, const auto& b) {
      return a.second.last_used < b.second.last_used;
    });
    answer_bytes_ -= oldest->second.bytes;
    answers_.erase(oldest);
  }
}

std::uint64_t WarmServers::generation(const ServerKey& key) {
  look(key.second);
  return project(key.second).generation;
}

void WarmServers::forget_answers(const std::string& root) {
  std::erase_if(answers_, [&](const auto& entry) {
    const bool goes = std::get<0>(entry.first).second == root;
    if (goes) answer_bytes_ -= entry.second.bytes;
    return goes;
  });
}

// Ends its watch and its answers, if no server of it is left.
void WarmServers::forget_project(const std::string& root) {
  const auto is_of_root = [&](const ServerKey& key) { return key.second == root; };
  if (std::ranges::any_of(lent_, is_of_root)) return;
  if (std::ranges::any_of(idle_, [&](const auto& entry) { return is_of_root(entry.first); })) return;
  forget_answers(root);
  projects_.erase(root);
}

void WarmServers::retire(const ServerKey& key) {
  const auto found = idle_.find(key);
  if (found == idle_.end()) return;
  timers_.cancel(found->second.timer);
  LiveServer server = std::move(found->second.server);
  idle_.erase(found);
  ServerConnection& connection = *server.connection;
  end(std::move(server));
  connection.stop(stop_limits::shutdown, stop_limits::exit_grace);
}

// The server is in ending_ until its process has ended.
void WarmServers::end(LiveServer server) {
  const auto place = ending_.insert(ending_.end(), std::move(server));
  place->connection->set_callbacks({.on_ready = [](const lsp::ServerCapabilities&) {},
                                    .on_failure = [](const Error&) {},
                                    .on_stopped =
                                        [this, place] {
                                          ending_.erase(place);
                                          if (stopped_ && empty()) stopped_();
                                        },
                                    .waits_for_symbols = [] { return false; }});
}

void WarmServers::tell_waiting() {
  std::vector<std::weak_ptr<std::function<void()>>> waiting;
  waiting.swap(waiting_);
  for (const auto& one : waiting) {
    // From the loop: the dispatcher that gives back is in the middle of its work.
    timers_.later(milliseconds(0), [one] {
      if (const auto again = one.lock()) (*again)();
    });
  }
}

void WarmServers::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  while (!idle_.empty()) retire(ServerKey(idle_.begin()->first));
  if (empty()) stopped_();
}

std::vector<std::string> WarmServers::description() const {
  std::vector<std::string> lines;
  for (const auto& [key, idle] : idle_) {
    const auto left = idle.since + limits_.server_idle - timers_.now();
    lines.push_back(fmt::format(
        "{} for {}: {} documents open; stops in {} s", key.first.name, table::escaped(key.second),
        idle.server.documents.size(),
        std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(left).count(), 0)));
  }
  for (const ServerKey& key : lent_) {
    lines.push_back(fmt::format("{} for {}: answering", key.first.name, table::escaped(key.second)));
  }
  for (const auto& [root, project] : projects_) {
    if (!project.watch) {
      lines.push_back(fmt::format("nothing is kept for {}: {}", root.empty() ? "-" : table::escaped(root),
                                  table::escaped(project.why_not)));
    }
  }
  return lines;
}

}  // namespace symbols::batch
