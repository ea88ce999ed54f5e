#include "proxy/engine/document_dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "lsp/uri.h"
#include "proxy/query/source_errors.h"

namespace symbols::engine {
namespace {

constexpr int max_failures_in_row = 3;
constexpr std::size_t documents_between_looks = 32;  // at the memory of a server
// Until a server that is lent, or one that has to end first, is asked for again.
constexpr milliseconds lease_interval{20};
// Most calls are about one file, and over by then.
constexpr milliseconds max_wait_for_return{1500};

// A kept gopls that reads a project anew while files come and go may lose track of a file's package: from
// then on it has no hover for that file.
bool has_lost_the_file(const LiveServer& server, const query::InquiryResult& result) {
  const bool asked =
      result.document.rows && result.document.rows->with_hover && !result.document.rows->all.empty();
  return result.document.error || (server.gave_hovers && asked && result.document.hovers.given == 0);
}

// What a server's answers about the documents of one run have in common, as notes for the user.
class ServerReport {
 public:
  // `server`: its name. `root`: of the project, may be empty.
  ServerReport(std::string server, std::string root) : server_(std::move(server)), root_(std::move(root)) {}

  // Counts the answer about the document `path`, the `index`th asked about; appends notes about it alone.
  void add(std::size_t index, const std::string& path, const query::InquiryResult& result,
           std::vector<std::string>& notes) {
    const query::DocumentOutcome& document = result.document;
    if (document.found_any == false && found_none_++ == 0) none_in_ = path;
    if (document.found_any == true || document.error) found_any_ = true;
    ++answered_;
    if (document.source_errors && (with_errors_++ == 0 || index < first_with_errors_)) {
      first_with_errors_ = index;
      first_errors_ = path + ": " + document.source_errors->text;
    }
    if (result.no_hovers) notes.push_back(fmt::format("{}: {} has no hovers", path, server_));
    if (document.hovers.refused > 0 && document.rows) {
      notes.push_back(fmt::format("{}: {} refused {} of {} hovers; see why with --log FILE", path, server_,
                                  document.hovers.refused, document.rows->size()));
    }
    if (!document.errors_unknown.empty()) {
      notes.push_back(fmt::format("{}: {} does not say whether there are errors: {}", path, server_,
                                  document.errors_unknown));
    }
    if (result.still_loading) {
      notes.push_back(fmt::format("{}: {} is still loading ({}); references and callers may be missing", path,
                                  server_, *result.still_loading));
    }
  }

  // Appends a note, once, that this many of the project's compile flags were left out, if any were.
  void add_flags_left_out(const std::string& path, std::size_t count, std::vector<std::string>& notes) {
    if (count == 0 || std::exchange(noted_flags_, true)) return;
    notes.push_back(
        fmt::format("{}: {} of the project left out, as the kernel does not keep {} from writing "
                    "files that they name; pass --trust-project if you trust it",
                    path, counted(count, "compile flag"), server_));
  }

  // After the last answer: appends the notes that `options` want about all of them. A server that lacks a
  // part of itself, or of its project, as pylsp without its plugins and rust-analyzer without cargo, answers
  // all documents like empty ones.
  void close(const query::InquiryOptions& options, std::vector<std::string>& notes) const {
    if (!found_any_ && found_none_ > 0 && options.tell_if_none_found) {
      const std::string where = found_none_ == 1 ? none_in_
                                                 : fmt::format("any of {} files{}{}", found_none_,
                                                               root_.empty() ? "" : " of ", root_);
      notes.push_back(
          fmt::format("{} found no symbols in {}; see what it says with --log FILE", server_, where));
    }
    if (with_errors_ > 0 && options.tells_errors)
      notes.push_back(query::errors_note(with_errors_, answered_, first_errors_));
  }

 private:
  std::string server_;
  std::string root_;
  bool found_any_ = false;      // it has named a symbol, or failed, which is an error of its own
  std::size_t found_none_ = 0;  // documents that are not blank and have no symbol
  std::string none_in_;         // the first of them
  std::size_t answered_ = 0;
  std::size_t with_errors_ = 0;        // of them, those with errors for which answers are wrong
  std::size_t first_with_errors_ = 0;  // of them, the first in the order asked
  std::string first_errors_;           // its path and errors
  bool noted_flags_ = false;
};

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
  std::unique_ptr<query::DocumentInquiry> inquiry;
};

struct DocumentDispatcher::Server {
  explicit Server(const ServerKey& its_key) : key(its_key), report(key.first.name, key.second) {}

  const ServerKey& key;  // in servers_
  const ServerLaunch& launch = key.first;
  LiveServer* live = nullptr;  // while it is leased
  bool is_ready = false;
  std::vector<std::size_t> open{};  // jobs in flight
  std::size_t left = 0;             // jobs not answered
  std::size_t answered = 0;         // during this lease
  bool is_full = false;             // it takes too much memory, and no further document
  bool has_given_texts = false;     // all that jobs of servers of its name have in place of files
  int failures_in_row = 0;
  std::optional<Error> given_up{};
  std::size_t last_used = 0;
  ServerReport report;
  std::optional<io::Timers::Clock::time_point> waits_since{};  // for a lease
};

DocumentDispatcher::DocumentDispatcher(io::Timers& timers, ServerPool& pool, std::vector<DocumentJob> jobs,
                                       DispatchOptions options, Callbacks callbacks)
    : timers_(timers),
      pool_(pool),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      resume_timer_(timers) {
  jobs_.reserve(jobs.size());
  for (DocumentJob& document : jobs) {
    const auto [place, is_new] = servers_.try_emplace({document.server, document.root});
    std::unique_ptr<Server>& server = place->second;
    if (is_new) server = std::make_unique<Server>(place->first);
    ++server->left;
    Job& job = jobs_.emplace_back();
    job.server = server.get();
    job.document = std::move(document);
    has_given_texts_ = has_given_texts_ || job.document.text;
  }
}

DocumentDispatcher::~DocumentDispatcher() {
  for (Job& job : jobs_) job.inquiry.reset();  // before the sessions that they send through
  for (const auto& [key, server] : servers_) {
    if (server->live) pool_.end(let_go(*server), true);
  }
}

void DocumentDispatcher::offer_jobs() {
  const std::size_t end = std::min(jobs_.size(), first_open_ + options_.documents_ahead);
  for (std::size_t i = first_open_;
       i < end && in_flight_ < options_.documents_at_once && !aborted_;  // from within an answer
       ++i) {
    if (jobs_[i].state != Job::State::waiting) continue;
    if (!callbacks_.may_start()) break;
    offer(i);
  }
  finish_if_done();
}

void DocumentDispatcher::resume() {
  resume_timer_.start(milliseconds(0), [this] { offer_jobs(); });
}

// Opens the document if its server can take it, else leases the server or makes room for it.
void DocumentDispatcher::offer(std::size_t index) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (server.given_up) return answer(index, {.error = server.given_up});
  if (answer_again(index)) return;
  if (server.live && server.is_full) {
    if (!server.open.empty()) return;
    pool_.end(let_go(server));
  }
  if (!server.live) {
    if (leases_ >= options_.servers_at_once) make_room(index);
    if (leases_ >= options_.servers_at_once || !lease(server, job.document)) return;
  }
  if (!server.is_ready) return;
  const bool alone = job.alone || std::any_of(server.open.begin(), server.open.end(), [&](std::size_t other) {
                       // A document cannot be open twice.
                       return jobs_[other].alone || jobs_[other].document.path == job.document.path;
                     });
  if (server.open.size() < (alone ? 1 : options_.documents_per_server)) open(index);
}

// Answers as before, if nothing has changed since.
bool DocumentDispatcher::answer_again(std::size_t index) {
  Job& job = jobs_[index];
  if (!pool_.keeps_answers() || job.is_new_question) return false;
  job.is_new_question = true;  // the cache is looked into once
  const Result<files::SourceText> text =
      files::read_source_file(job.document.path, job.document.display_path, job.document.symlinks);
  if (!text) return false;  // as it is asked about, that is told
  const query::InquiryResult* const kept =
      pool_.answer(job.server->key, job.document.path, options_.question, text->text);
  if (kept == nullptr) return false;
  job.notes = text->notes;
  give(index, *kept);
  return true;
}

// False: jobs are offered again after a while.
bool DocumentDispatcher::lease(Server& server, const DocumentJob& job) {
  if (const query::InquiryOptions& inquiry = options_.inquiry; depends_on_others(inquiry)) {
    const bool wants_diagnostics =
        inquiry.document.diagnostics > 0 || (inquiry.context && inquiry.context->limits.diagnostics > 0);
    pool_.prepare_alone(server.key, jobs_.front().document.path, wants_diagnostics,
                        inquiry.context.has_value());
  }
  const io::Timers::Clock::time_point now = timers_.now();
  if (!server.waits_since) server.waits_since = now;
  server.live = pool_.lease(server.key, options_.lease, now - *server.waits_since >= max_wait_for_return);
  if (!server.live) {
    if (!resume_timer_.is_running()) resume_timer_.start(lease_interval, [this] { offer_jobs(); });
    return false;
  }
  ++leases_;
  server.waits_since.reset();
  server.is_ready = server.live->was_kept;
  server.is_full = server.has_given_texts = false;
  server.answered = 0;
  server.last_used = ++clock_;
  const auto is_without_symbols = [this](std::size_t i) { return !jobs_[i].inquiry->has_symbols(); };
  server.live->connection.set_callbacks(
      {.on_ready =
           [this, &server] {
             server.is_ready = true;
             resume();
           },
       .on_failure = [this, &server](const Error& error) { server_failed(server, error); },
       .waits_for_symbols =
           [&server, is_without_symbols] { return std::ranges::any_of(server.open, is_without_symbols); }});
  const bool is_current = server.live->read_outdated(job.compiled_sources, [this](const std::string& path) {
    return std::ranges::any_of(jobs_, [&](const Job& one) { return one.document.path == path; });
  });
  if (!server.live->was_kept) server.live->connection.start();
  if (is_current) return true;
  pool_.end(let_go(server));
  resume();
  return false;
}

// Releases the longest idle server, so that the one of `index` may be leased. A server with documents to come
// soon is released only for the document that all others wait for: restarting it costs more than waiting.
void DocumentDispatcher::make_room(std::size_t index) {
  Server* longest = nullptr;
  const std::size_t left = jobs_.size() - first_open_;
  const auto soon = std::span(jobs_).subspan(first_open_, std::min(left, options_.documents_ahead));
  for (const auto& entry : servers_) {
    Server* const server = entry.second.get();
    if (!server->is_ready || !server->open.empty()) continue;
    const bool has_work = std::ranges::any_of(
        soon, [&](const Job& job) { return job.server == server && job.state == Job::State::waiting; });
    if (has_work && index != first_open_) continue;
    if (longest == nullptr || server->last_used < longest->last_used) longest = server;
  }
  if (longest != nullptr) pool_.release(let_go(*longest));
}

void DocumentDispatcher::open(std::size_t index) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  LiveServer& live = *server.live;
  if (!live.connection.session().capabilities().document_symbol)
    return answer(index, {.error = Error{fmt::format("{} does not answer documentSymbol", server.launch.name),
                                         "choose another server with --server"}});
  Result<files::SourceText> text =
      job.document.text
          ? Result<files::SourceText>(std::move(*job.document.text))
          : files::read_source_file(job.document.path, job.document.display_path, job.document.symlinks);
  if (!text) return answer(index, {.error = text.error(), .is_unread = true});
  job.notes = text->notes;
  if (job.document.text) job.document.text = *text;  // for another attempt
  job.state = Job::State::in_flight;
  ++in_flight_;
  server.open.push_back(index);
  server.last_used = ++clock_;
  if (!std::exchange(server.has_given_texts, true) && depends_on_others(options_.inquiry)) {
    for (const Job& other : jobs_) {
      if (other.server->launch.name == server.launch.name && other.document.text && &other != &job)
        pool_.open(live, other.document.path, other.document.language_id, other.document.settings,
                   other.document.text->text);
    }
  }
  job.generation =
      pool_.open(live, job.document.path, job.document.language_id, job.document.settings, text->text);
  query::InquiryOptions inquiry = options_.inquiry;
  inquiry.document.retry.doubt_empty = !server.launch.command.answers_at_once;
  inquiry.await_index = server.launch.search == ServerLaunch::Search::of_index;
  inquiry.scope = job.document.scope;
  inquiry.is_files_text = !has_given_texts_;
  if (inquiry.context && !inquiry.context->positions.empty())
    inquiry.context->position = inquiry.context->positions.at(index);
  if (job.document.find_mentions) {
    inquiry.open_mentions = [this, &job, &live](std::string_view identifier) {
      return live.open_mentions(job.document.find_mentions(identifier), [this](const std::string& path) {
        return std::ranges::any_of(jobs_, [&path](const Job& other) {
          return other.state == Job::State::in_flight && other.document.path == path;
        });
      });
    };
  }
  inquiry.is_reading = [&live] { return live.is_reading(); };
  inquiry.open_file = [&job, &live](std::string_view uri) {
    const std::optional<std::string> path = lsp::file_path(uri);
    const bool is_in_project =
        path && !job.document.root.empty() && path->starts_with(job.document.root + '/');
    return is_in_project ? live.open_file(*path) : nullptr;
  };
  job.inquiry = std::make_unique<query::DocumentInquiry>(
      live.connection.session(), live.hovers, timers_, lsp::file_uri(job.document.path),
      std::move(text->text), inquiry,
      [this, index](query::InquiryResult result) { answered(index, std::move(result)); });
}

void DocumentDispatcher::answered(std::size_t index, query::InquiryResult result) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (server.live && server.live->was_kept &&
      (has_lost_the_file(*server.live, result) || server.live->has_read_errors())) {
    take_back_jobs(server);
    pool_.end(let_go(server));
    return resume();
  }
  std::erase(server.open, index);
  --in_flight_;
  if (server.live) {
    LiveServer& live = *server.live;
    if (result.document.error) {
      result.document.error =
          Error{fmt::format("{}: {}", live.connection.description(), result.document.error->message),
                "see what it says with --log FILE"};
    }
    if (live.to_keep) {
      pool_.keep_answer(live, job.document.path, options_.question, job.generation, result);
    } else if ((options_.inquiry.context && !server.open.empty()) ||
               (job.document.text && depends_on_others(options_.inquiry))) {
      live.documents.erase(job.document.path);  // stays open for the others
      live.mentions.insert(job.document.path);
    } else {
      live.close(job.document.path);
    }
    server.failures_in_row = 0;
    if (result.document.hovers.given > 0) live.gave_hovers = true;
    if (++server.answered % documents_between_looks == 0)
      server.is_full = live.connection.memory() > options_.server_memory;
    server.report.add_flags_left_out(job.document.display_path, live.connection.flags_left_out(), job.notes);
  }
  give(index, std::move(result));
}

void DocumentDispatcher::give(std::size_t index, query::InquiryResult result) {
  Job& job = jobs_[index];
  job.server->report.add(index, job.document.display_path, result, job.notes);
  const auto& errors = result.document.source_errors;
  answer(index, {.rows = std::move(result.document.rows),
                 .error = std::move(result.document.error),
                 .hovers_missing = result.document.hovers.missing - result.document.hovers.refused,
                 .diagnostics = std::move(result.document.diagnostics),
                 .context = std::move(result.context),
                 .errors = errors && errors->are_clangs ? errors->text : std::string()});
}

void DocumentDispatcher::answer(std::size_t index, DocumentAnswer answer) {
  Job& job = jobs_[index];
  Server& server = *job.server;
  if (--server.left == 0) server.report.close(options_.inquiry, job.notes);
  answer.notes = std::move(job.notes);
  job.state = Job::State::answered;
  job.inquiry.reset();
  if (!depends_on_others(options_.inquiry)) job.document.text.reset();
  while (first_open_ < jobs_.size() && jobs_[first_open_].state == Job::State::answered) ++first_open_;
  if (server.left == 0 && server.live) pool_.release(let_go(server));
  resume();
  ++answered_count_;
  if (!aborted_) callbacks_.on_answer(index, std::move(answer));
  finish_if_done();
}

void DocumentDispatcher::server_failed(Server& server, const Error& error) {
  const bool was_ready = server.is_ready;
  const bool was_kept = server.live->was_kept;
  pool_.end(let_go(server));
  // What was kept may have been lost before it was asked: that is not an answer.
  if (was_kept) {
    take_back_jobs(server);
    return resume();
  }
  if (++server.failures_in_row >= max_failures_in_row || !was_ready) server.given_up = error;
  const std::vector<std::size_t> lost = std::exchange(server.open, {});
  for (const std::size_t index : lost) {
    if (aborted_) break;  // from within an answer
    Job& job = jobs_[index];
    if (lost.size() == 1 || server.given_up) {
      answered(index, job.inquiry->take(error));
      continue;
    }
    job.alone = true;
    take_back(job);
  }
  resume();
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

LiveServer& DocumentDispatcher::let_go(Server& server) {
  --leases_;
  server.is_ready = false;
  return *std::exchange(server.live, nullptr);
}

void DocumentDispatcher::abort() {
  if (std::exchange(aborted_, true)) return;
  for (Job& job : jobs_) job.inquiry.reset();
  for (const auto& [key, server] : servers_) {
    server->open.clear();
    if (!server->live) continue;
    if (server->is_ready && server->live->to_keep) {
      pool_.release(let_go(*server));
    } else {
      pool_.end(let_go(*server), true);
    }
  }
  finish_if_done();
}

void DocumentDispatcher::finish_if_done() {
  if (leases_ > 0 || (!aborted_ && answered_count_ < jobs_.size())) return;
  if (!std::exchange(finished_, true)) callbacks_.on_finished();
}

std::string DocumentDispatcher::progress_text() const {
  if (answered_count_ == jobs_.size()) return {};
  std::string text = fmt::format("symbols: {} of {} files answered", answered_count_, jobs_.size());
  for (const auto& [key, server] : servers_) {
    if (!server->live) continue;
    text += "; " + server->launch.name;
    std::size_t done = 0;
    std::size_t wanted = 0;
    for (const std::size_t index : server->open) {
      done += jobs_[index].inquiry->hovers_done();
      wanted += jobs_[index].inquiry->hovers_wanted();
    }
    if (const std::string doing = server->live->connection.progress_text(); !doing.empty()) {
      text += ": " + doing;
    } else if (!server->is_ready) {
      text += ": starting";
    } else if (wanted > 0) {
      text += fmt::format(": {} of {} hovers", done, wanted);
    } else {
      text += ": reading";
    }
  }
  return text;
}

}  // namespace symbols::engine
