#include "proxy/batch/document_dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lsp/uri.h"

namespace symbols::batch {
namespace {

using std::chrono::milliseconds;

constexpr int max_failures_in_row = 3;
constexpr std::size_t documents_between_looks = 32;  // at the memory of a server
// Most calls are about one file, and over by then.
constexpr milliseconds longest_wait_for_return{1500};

// A kept gopls that reads a project anew while files come and go may lose track of a file's package: from
// then on it has no hover for that file.
bool has_lost_the_file(const LiveServer& server, const query::InquiryResult& result) {
  const bool asked =
      result.document.rows && result.document.rows->with_hover && !result.document.rows->all.empty();
  return result.document.error || (server.gave_hovers && asked && result.document.hovers.given == 0);
}

}  // namespace

struct DocumentDispatcher::Job {
  enum class State { waiting, in_flight, answered };
  DocumentJob document;
  Server* server = nullptr;
  State state = State::waiting;
  bool alone = false;            // its server died while it had several open
  bool is_new_question = false;  // no kept answer holds for it
  std::uint64_t generation = 0;  // of the project, when it was asked
  std::vector<std::string> notes;
  std::shared_ptr<query::DocumentInquiry> inquiry;
};

struct DocumentDispatcher::Server {
  enum class State {
    absent,  // it has no connection
    starting,
    ready,
    ending,  // stopped or failed; on_stopped follows
  };
  explicit Server(const ServerKey& its_key) : key(its_key) {}

  const ServerKey& key;  // in servers_
  const ServerLaunch& launch = key.first;
  const std::string& root = key.second;
  LiveServer live;  // while its process runs
  State state = State::absent;
  std::vector<std::size_t> open;  // jobs in flight
  std::size_t left = 0;           // jobs not answered
  std::size_t answered = 0;       // by this process
  bool is_full = false;           // it takes too much memory, and no further document
  int failures_in_row = 0;
  std::optional<Error> given_up;
  std::size_t last_used = 0;
  bool may_be_sound = false;           // it has named a symbol, or failed, which is told anyway
  std::size_t found_none = 0;          // documents that are not blank and have no symbol
  std::string none_in{};               // the first of them
  std::size_t given = 0;               // documents that it has answered
  std::size_t with_errors = 0;         // of them, those with errors for which answers are wrong
  std::size_t first_with_errors = 0;   // of them, the first in the order asked
  std::string first_errors{};          // its path and errors
  bool told_of_flags = false;          // the note that some compile flags were left out has been given
  bool borrowed = false;               // of options_.warm, which wants it back
  bool was_kept = false;               // by options_.warm, not started for this dispatcher
  std::set<std::string> companions{};  // that it has open
  bool apart = false;                  // started besides the one that options_.warm has lent to somebody else
  std::optional<relay::Timers::Clock::time_point> waits_since{};  // for that one
};

DocumentDispatcher::DocumentDispatcher(relay::Timers& timers, process::StartServer start_server,
                                       std::vector<DocumentJob> jobs, DispatchOptions options,
                                       Callbacks callbacks)
    : timers_(timers),
      start_server_(std::move(start_server)),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      wait_timer_(timers) {
  jobs_.reserve(jobs.size());
  for (DocumentJob& document : jobs) {
    const auto [place, is_new] = servers_.try_emplace({document.server, document.root});
    std::unique_ptr<Server>& server = place->second;
    if (is_new) server = std::make_unique<Server>(place->first);
    ++server->left;
    Job& job = jobs_.emplace_back();
    job.server = server.get();
    job.document = std::move(document);
  }
}

DocumentDispatcher::~DocumentDispatcher() {
  for (Job& job : jobs_) job.inquiry.reset();  // before the sessions that they send through
  for (const auto& [key, server] : servers_) {
    if (server->borrowed && server->state == Server::State::ready) release(*server);
    // Its process ends with its connection: nobody may wait for it.
    if (server->borrowed) options_.warm->lost(server->key);
    if (server->apart) options_.warm->ended_apart();
  }
  if (options_.warm != nullptr) options_.warm->forget(this);
}

void DocumentDispatcher::resume() {
  pump();
  tell_finished();
}

void DocumentDispatcher::pump() {
  // An immediate answer (for an unreadable file) calls pump() again: it makes another round instead of
  // recursing.
  pump_again_ = true;
  if (pumping_) return;
  pumping_ = true;
  while (std::exchange(pump_again_, false) && !aborted_) {
    const std::size_t end = std::min(jobs_.size(), first_open_ + options_.documents_ahead);
    for (std::size_t i = first_open_;
         i < end && in_flight_ < options_.documents_at_once && !aborted_;  // from within an answer
         ++i) {
      if (jobs_[i].state != Job::State::waiting) continue;
      if (!callbacks_.may_start()) break;
      offer(i);
    }
  }
  pumping_ = false;
}

// Opens the document if its server can take it, else starts the server or makes room for it.
void DocumentDispatcher::offer(std::size_t index) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (server.given_up) {
    answer(index, {.error = server.given_up});
    return;
  }
  if (options_.warm != nullptr && answer_again(index)) return;
  if (server.state == Server::State::absent) {
    // A server that is stopped makes room once it has: this job is offered again then.
    if (running_ >= options_.servers_at_once) make_room(index);
    if (running_ >= options_.servers_at_once) return;
    if (options_.warm == nullptr || !borrow_server(server)) return start_server(server);
  }
  if (server.state != Server::State::ready) return;
  if (server.is_full) {
    if (server.open.empty()) stop(server);
    return;
  }
  const bool alone = job.alone || std::any_of(server.open.begin(), server.open.end(), [&](std::size_t other) {
                       // A document cannot be open twice.
                       return jobs_[other].alone || jobs_[other].document.path == job.document.path;
                     });
  if (server.open.size() < (alone ? 1 : options_.documents_per_server)) open(index);
}

// Answers as before, if nothing has changed since.
bool DocumentDispatcher::answer_again(std::size_t index) {
  Job& job = jobs_[index];
  if (job.is_new_question) return false;
  job.is_new_question = true;  // the cache is looked into once
  const Result<files::SourceText> text =
      files::read_source_file(job.document.path, job.document.display_path, job.document.symlinks);
  if (!text) return false;  // as it is asked about, that is told
  const query::InquiryResult* const kept =
      options_.warm->answer(job.server->key, job.document.path, options_.question, text->text);
  if (kept == nullptr) return false;
  job.notes = text->notes;
  give(index, *kept);
  return true;
}

// Takes a server that is kept, or waits for one that another dispatcher has: jobs are offered again when it
// is back. False: there is none, and the caller starts one.
bool DocumentDispatcher::borrow_server(Server& server) {
  if (options_.depends_on_others) {
    const query::InquiryOptions& inquiry = options_.inquiry;
    const bool wants_diagnostics =
        inquiry.document.diagnostics > 0 || (inquiry.context && inquiry.context->limits.diagnostics > 0);
    options_.warm->prepare_alone(server.key, jobs_.front().document.path, wants_diagnostics);
  }
  switch (options_.warm->state(server.key)) {
    case WarmServers::State::cold:
      return false;
    case WarmServers::State::absent:
      options_.warm->started(server.key);
      server.borrowed = true;
      return false;
    case WarmServers::State::lent:
      if (server.waits_since && timers_.now() - *server.waits_since >= longest_wait_for_return &&
          options_.warm->start_apart()) {
        server.apart = true;
        return false;
      }
      if (!server.waits_since) server.waits_since = timers_.now();
      wait_for_return();
      return true;
    case WarmServers::State::present:
      break;
  }
  server.live = options_.warm->borrow(server.key);
  server.borrowed = true;
  server.was_kept = true;
  server.answered = 0;
  server.live.connection->set_callbacks(callbacks_of(server));
  server.live.connection->set_silence(options_.silence_before_symbols, options_.silence_after_symbols);
  server.state = Server::State::ready;
  server.last_used = ++clock_;
  ++running_;
  return true;
}

// Tries again when a server is back, and once when the wait has been long.
void DocumentDispatcher::wait_for_return() {
  options_.warm->when_returned(this, [this] { resume(); });
  if (!wait_timer_.is_running()) wait_timer_.start(longest_wait_for_return, [this] { resume(); });
}

ServerConnection::Callbacks DocumentDispatcher::callbacks_of(Server& server) {
  return {.on_ready =
              [this, &server](const lsp::ServerCapabilities& capabilities) {
                server.state = Server::State::ready;
                server.live.capabilities = capabilities;
                resume();
              },
          .on_failure = [this, &server](const Error& error) { server_failed(server, error); },
          .on_stopped = [this, &server] { server_stopped(server); },
          .waits_for_symbols =
              [this, &server] {
                return std::ranges::any_of(
                    server.open, [this](std::size_t i) { return !jobs_[i].inquiry->has_symbols(); });
              }};
}

void DocumentDispatcher::start_server(Server& server) {
  ++running_;
  server.state = Server::State::starting;
  server.last_used = ++clock_;
  server.live.connection = std::make_unique<ServerConnection>(
      timers_, start_server_,
      ConnectionOptions{.server = server.launch,
                        .root = server.root,
                        .silence_before_symbols = options_.silence_before_symbols,
                        .silence_after_symbols = options_.silence_after_symbols,
                        .log = options_.log,
                        .version = options_.version},
      callbacks_of(server));
  server.live.hovers =
      std::make_unique<query::HoverScheduler>(server.live.connection->session(), timers_, options_.hovers);
  server.live.connection->start();
}

// Stops the longest idle server, so that the one of `index` may start. A server with documents to come soon
// is stopped only for the document that all others wait for: restarting it costs more than waiting.
void DocumentDispatcher::make_room(std::size_t index) {
  Server* longest = nullptr;
  for (const auto& [key, server] : servers_) {
    if (server->state == Server::State::ending) return;  // one is about to end
    if (server->state != Server::State::ready || !server->open.empty()) continue;
    if (index != first_open_ && has_work_soon(*server)) continue;
    if (longest == nullptr || server->last_used < longest->last_used) longest = server.get();
  }
  if (longest != nullptr) release(*longest);
}

bool DocumentDispatcher::has_work_soon(const Server& server) const {
  const std::size_t end = std::min(jobs_.size(), first_open_ + options_.documents_ahead);
  for (std::size_t i = first_open_; i < end; ++i) {
    if (jobs_[i].server == &server && jobs_[i].state == Job::State::waiting) return true;
  }
  return false;
}

void DocumentDispatcher::open(std::size_t index) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (!server.live.capabilities.document_symbol) {
    answer(index, {.error = Error{fmt::format("{} does not answer documentSymbol", server.launch.name),
                                  "choose another server with --server"}});
    return;
  }
  Result<files::SourceText> text =
      job.document.text
          ? Result<files::SourceText>(std::move(*job.document.text))
          : files::read_source_file(job.document.path, job.document.display_path, job.document.symlinks);
  if (!text) {
    answer(index, {.error = text.error()});
    return;
  }
  job.notes = text->notes;
  if (job.document.text) job.document.text = *text;  // for another attempt
  job.state = Job::State::in_flight;
  ++in_flight_;
  server.open.push_back(index);
  server.last_used = ++clock_;
  const std::string uri = lsp::file_uri(job.document.path);
  if (server.borrowed) {
    job.generation = options_.warm->generation(server.key);
    options_.warm->open(server.key, server.live, job.document.path, uri, job.document.language_id,
                        job.document.settings, text->text);
  } else {
    if (!job.document.settings.empty()) {
      server.live.connection->session().notify("workspace/didChangeConfiguration",
                                               R"({"settings":)" + job.document.settings + '}');
    }
    server.live.connection->session().open(uri, job.document.language_id, text->text);
  }
  query::InquiryOptions inquiry = options_.inquiry;
  inquiry.document.retry.doubt_empty = !server.launch.command.answers_at_once;
  inquiry.await_index = server.launch.search == ServerLaunch::Search::of_index;
  inquiry.scope = job.document.scope;
  if (job.document.find_mentions) {
    inquiry.open_mentions = [this, index](std::string_view name) { return open_mentions(index, name); };
  }
  job.inquiry = std::make_shared<query::DocumentInquiry>(
      server.live.connection->session(), *server.live.hovers, timers_, uri, std::move(text->text), inquiry,
      [this, index](query::InquiryResult result) { answered(index, std::move(result)); });
  job.inquiry->start();
}

// InquiryOptions'.
std::optional<std::vector<std::string>> DocumentDispatcher::open_mentions(std::size_t index,
                                                                          std::string_view identifier) {
  const Job& job = jobs_[index];
  Server& server = *job.server;
  servers::Mentions mentions = job.document.find_mentions(identifier);
  for (const std::string& path : mentions.to_open) {
    const auto is_asked_about = [&path](const Job& other) { return other.document.path == path; };
    if (server.live.documents.contains(path) || std::ranges::any_of(jobs_, is_asked_about) ||
        server.companions.contains(path)) {
      continue;
    }
    if (const auto text = files::read_source_file(path, path, files::Symlinks::refuse)) {
      server.companions.insert(path);
      server.live.connection->session().open(lsp::file_uri(path), servers::language_of(path), text->text);
    } else {
      mentions.to_find.push_back(path);
    }
  }
  if (!mentions.are_all) return {};
  return std::move(mentions.to_find);
}

void DocumentDispatcher::close_companions(Server& server) {
  for (const std::string& path : std::exchange(server.companions, {}))
    server.live.connection->session().close(lsp::file_uri(path));
}

void DocumentDispatcher::answered(std::size_t index, query::InquiryResult result) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (server.state == Server::State::ready && server.was_kept && has_lost_the_file(server.live, result)) {
    take_back_jobs(server);
    stop(server);
    return;
  }
  std::erase(server.open, index);
  --in_flight_;
  if (server.state != Server::State::ending) {
    if (result.document.error) {
      result.document.error =
          Error{fmt::format("{}: {}", server.live.connection->description(), result.document.error->message),
                "see what it says with --log FILE"};
    }
    if (server.borrowed && server.live.connection->flags_left_out() == 0) {
      options_.warm->keep_answer(server.key, server.live, job.document.path, options_.question,
                                 job.generation, result);
    }
    if (!server.borrowed) server.live.connection->session().close(lsp::file_uri(job.document.path));
    server.failures_in_row = 0;
    if (result.document.hovers.given > 0) server.live.gave_hovers = true;
    if (++server.answered % documents_between_looks == 0)
      server.is_full = server.live.connection->memory() > options_.server_memory;
  }
  if (const std::size_t count = server.live.connection ? server.live.connection->flags_left_out() : 0;
      count > 0 && !std::exchange(server.told_of_flags, true)) {
    job.notes.push_back(fmt::format(
        "{}: {} compile flag{} of the project left out, as the kernel does not keep {} from writing "
        "files that they name; pass --trust-project if you trust it",
        job.document.display_path, count, count == 1 ? "" : "s", server.launch.name));
  }
  give(index, std::move(result));
}

void DocumentDispatcher::give(std::size_t index, query::InquiryResult result) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  using Found = query::DocumentOutcome::Found;
  if (result.document.found == Found::none && server.found_none++ == 0)
    server.none_in = job.document.display_path;
  if (result.document.found == Found::some || result.document.error) server.may_be_sound = true;
  ++server.given;
  const auto& errors = result.document.source_errors;
  const std::string errors_text = errors ? query::text_of(*errors) : std::string();
  if (errors && (server.with_errors++ == 0 || index < server.first_with_errors)) {
    server.first_with_errors = index;
    server.first_errors = job.document.display_path + ": " + errors_text;
  }
  if (result.no_hovers) {
    job.notes.push_back(fmt::format("{}: {} has no hovers", job.document.display_path, server.launch.name));
  }
  if (const std::size_t refused = result.document.hovers.refused; refused > 0 && result.document.rows) {
    job.notes.push_back(fmt::format("{}: {} refused {} of {} hovers; see why with --log FILE",
                                    job.document.display_path, server.launch.name, refused,
                                    result.document.rows->size()));
  }
  if (result.still_loading) {
    job.notes.push_back(fmt::format("{}: {} is still loading ({}); references and callers may be missing",
                                    job.document.display_path, server.launch.name, *result.still_loading));
  }
  answer(index, {.rows = std::move(result.document.rows),
                 .error = std::move(result.document.error),
                 .hovers_missing = result.document.hovers.missing - result.document.hovers.refused,
                 .diagnostics = std::move(result.document.diagnostics),
                 .context = std::move(result.context),
                 .errors = errors && errors->are_clangs ? errors_text : std::string()});
}

// To be called for the last document of a server. One that lacks a part of itself, or of its project, as
// pylsp without its plugins and rust-analyzer without cargo, answers all of them like empty ones.
void DocumentDispatcher::note_that_none_were_found(std::size_t index) {
  Job& job = jobs_[index];
  const Server& server = *job.server;
  if (server.may_be_sound || server.found_none == 0 || !options_.inquiry.tell_if_none_found) return;
  job.notes.push_back(
      fmt::format("{} found no symbols in {}; see what it says with --log FILE", server.launch.name,
                  server.found_none == 1 ? server.none_in
                                         : fmt::format("any of {} files{}{}", server.found_none,
                                                       server.root.empty() ? "" : " of ", server.root)));
}

void DocumentDispatcher::answer(std::size_t index, DocumentAnswer answer) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (server.left == 1) {
    note_that_none_were_found(index);
    if (server.with_errors > 0 && options_.inquiry.tells_errors)
      job.notes.push_back(query::errors_note(server.with_errors, server.given, server.first_errors));
  }
  answer.notes = std::move(job.notes);
  job.state = Job::State::answered;
  job.inquiry.reset();
  job.document.text.reset();
  --server.left;
  while (first_open_ < jobs_.size() && jobs_[first_open_].state == Job::State::answered) ++first_open_;
  const bool runs = server.state == Server::State::starting || server.state == Server::State::ready;
  if (server.left == 0 && runs) release(server);
  pump();  // first, so that the server works on the next one while this answer is printed or kept
  ++answered_count_;
  if (!aborted_) callbacks_.on_answer(index, std::move(answer));
  if (options_.warm != nullptr) tell_finished();
}

void DocumentDispatcher::server_failed(Server& server, const Error& error) {
  const bool was_ready = std::exchange(server.state, Server::State::ending) == Server::State::ready;
  // What was kept may have been lost before it was asked: that is no answer.
  if (server.was_kept) {
    take_back_jobs(server);
    pump();
    return;
  }
  if (++server.failures_in_row >= max_failures_in_row || !was_ready) server.given_up = error;
  const std::vector<std::size_t> lost = server.open;
  for (const std::size_t index : lost) {
    Job& job = jobs_[index];
    if (lost.size() == 1 || server.given_up) {
      const std::shared_ptr<query::DocumentInquiry> inquiry = job.inquiry;
      inquiry->stop(error);
      continue;
    }
    job.alone = true;
    take_back(job);
  }
  server.open.clear();
  pump();
}

// They are asked of another process.
void DocumentDispatcher::take_back_jobs(Server& server) {
  for (const std::size_t index : std::exchange(server.open, {})) take_back(jobs_[index]);
}

void DocumentDispatcher::take_back(Job& job) {
  job.state = Job::State::waiting;
  job.inquiry.reset();
  --in_flight_;
}

void DocumentDispatcher::server_stopped(Server& server) {
  server.live = {};
  server.answered = 0;
  server.is_full = false;
  server.companions.clear();
  server.was_kept = false;
  if (std::exchange(server.borrowed, false)) options_.warm->lost(server.key);
  if (std::exchange(server.apart, false)) options_.warm->ended_apart();
  server.state = Server::State::absent;
  --running_;
  pump();
  tell_finished();
}

// Lets an idle server go: to those that are kept, or to its end.
void DocumentDispatcher::release(Server& server) {
  if (server.borrowed && server.state == Server::State::ready) {
    close_companions(server);
    server.state = Server::State::absent;
    server.borrowed = server.was_kept = false;
    --running_;
    options_.warm->give_back(server.key, std::move(server.live));
    server.live = {};
    return;
  }
  stop(server);
}

void DocumentDispatcher::stop(Server& server) {
  server.state = Server::State::ending;
  server.live.connection->stop();
}

void DocumentDispatcher::abort() {
  if (std::exchange(aborted_, true)) return;
  for (Job& job : jobs_) job.inquiry.reset();
  for (const auto& [key, server] : servers_) {
    server->open.clear();
    if (server->state == Server::State::absent) continue;
    if (server->borrowed && server->state == Server::State::ready) {
      release(*server);
      continue;
    }
    server->state = Server::State::ending;
    server->live.connection->abort();
  }
  tell_finished();
}

void DocumentDispatcher::tell_finished() {
  if (running_ > 0 || (!aborted_ && answered_count_ < jobs_.size())) return;
  if (!std::exchange(finished_, true)) callbacks_.on_finished();
}

std::string DocumentDispatcher::progress_text() const {
  if (answered_count_ == jobs_.size()) return {};
  std::string text = fmt::format("symbols: {} of {} files answered", answered_count_, jobs_.size());
  for (const auto& [key, server] : servers_) {
    if (server->state == Server::State::absent) continue;
    text += "; " + server->launch.name;
    std::size_t done = 0;
    std::size_t wanted = 0;
    for (const std::size_t index : server->open) {
      done += jobs_[index].inquiry->hovers_done();
      wanted += jobs_[index].inquiry->hovers_wanted();
    }
    if (const std::string doing = server->live.connection->progress_text(); !doing.empty()) {
      text += ": " + doing;
    } else if (server->state == Server::State::ending) {
      text += ": stopping";
    } else if (server->state == Server::State::starting) {
      text += ": starting";
    } else if (wanted > 0) {
      text += fmt::format(": {} of {} hovers", done, wanted);
    } else {
      text += ": reading";
    }
  }
  return text;
}

}  // namespace symbols::batch
