#include "proxy/mcp/tool_work.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lsp/unicode.h"
#include "table/formats/line_start.h"
#include "table/terminal_text.h"
#include "table/token_estimate.h"

namespace symbols::mcp {
namespace {

using std::chrono::milliseconds;

// Many clients wait for a minute.
constexpr milliseconds index_limit{40'000};

constexpr std::uint64_t least_note_tokens = 100;

// What no option bounds, such as the hover of one symbol or the diagnostics of a folder.
std::string within(std::string text, std::uint64_t tokens, std::string_view hint) {
  if (table::estimate_tokens(text, table::Tokenizer::o200k) <= tokens) return text;
  // At the end of a line, or where a single line is too long, of a character.
  const auto cut_to = [&text](std::size_t size) {
    while (size > 0 && size < text.size() && lsp::is_utf8_continuation(text[size])) --size;
    text.resize(std::min(size, text.size()));
    if (const std::size_t line_end = text.rfind('\n'); line_end != std::string::npos)
      text.resize(line_end + 1);
  };
  // A token is rarely longer than this many bytes, so that the first cut is near.
  constexpr std::size_t bytes_per_token = 6;
  cut_to(static_cast<std::size_t>(tokens) * bytes_per_token);
  while (!text.empty() && table::estimate_tokens(text, table::Tokenizer::o200k) > tokens)
    cut_to(text.size() * 9 / 10);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text + fmt::format("{}the rest; {}\n", table::truncated_start, hint);
}

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

class DocumentWork final : public ToolWork {
 public:
  DocumentWork(ToolCalls& calls, runs::KeptRun run, AnswerBudget budget)
      : ToolWork(calls, std::move(budget)),
        run_(runs::make_kept_run(calls.loop, calls.servers, std::move(run), *this,
                                 [this] { end(run_->status()); })) {}

  void start() override { run_->start(); }

 private:
  void cancel() override { run_->stop(SIGTERM); }

  std::unique_ptr<runs::DocumentRun> run_;
};

class IndexWork final : public ToolWork {
 public:
  IndexWork(ToolCalls& calls, std::vector<indexing::ProjectIndex*> indexes, AskIndex ask, AnswerBudget budget)
      : ToolWork(calls, std::move(budget)), indexes_(std::move(indexes)), ask_(std::move(ask)) {}

  void start() override { next(); }

 private:
  void cancel() override {
    if (asked_ > 0) indexes_[asked_ - 1]->forget(this);
    end(1);
  }

  void next() {
    if (asked_ == indexes_.size()) return end(failed_ && !has_answer() ? 1 : 0);
    indexing::ProjectIndex& index = *indexes_[asked_++];
    index.refresh(
        this, index_limit / static_cast<int>(indexes_.size()),
        [this](const std::string& text) { show_progress(text); },
        [this, &index](const std::string& note, bool) {
          const Result<index::IndexAnswer> answer = ask_(index.place());
          if (answer) {
            write(answer->text);
            for (const std::string& one : answer->notes) tell(one);
          } else {
            failed_ = true;
            tell(answer.error().text());
          }
          add_note(note);
          next();
        });
  }

  std::vector<indexing::ProjectIndex*> indexes_;
  AskIndex ask_;
  std::size_t asked_ = 0;
  bool failed_ = false;
};

class IndexedDocumentWork final : public ToolWork {
 public:
  IndexedDocumentWork(ToolCalls& calls, indexing::ProjectIndex& index, PrepareRun prepare,
                      AnswerBudget budget)
      : ToolWork(calls, std::move(budget)), index_(index), prepare_(std::move(prepare)) {}

  void start() override {
    index_.refresh(
        this, index_limit, [this](const std::string& text) { show_progress(text); },
        [this](const std::string& note, bool is_complete) { ask(is_complete ? std::string() : note); });
  }

 private:
  void cancel() override {
    if (run_) return run_->stop(SIGTERM);
    index_.forget(this);
    end(1);
  }

  void ask(const std::string& index_note) {
    Result<runs::KeptRun> run = prepare_();
    if (!run) {
      add_note(index_note);
      return fail(run.error());
    }
    run_ = runs::make_kept_run(calls_.loop, calls_.servers, std::move(*run), *this,
                               [this] { end(run_->status()); });
    run_->start();
  }

  indexing::ProjectIndex& index_;
  PrepareRun prepare_;
  std::unique_ptr<runs::DocumentRun> run_;
};

class FailedWork final : public ToolWork {
 public:
  FailedWork(ToolCalls& calls, Error error)
      : ToolWork(calls, {}), error_(std::move(error)) {}
  void start() override { fail(error_); }

 private:
  void cancel() override {}

  Error error_;
};

}  // namespace

void ToolWork::tell(std::string_view message) {
  notes_ += table::terminal_text(message) + '\n';
}

void ToolWork::show_progress(std::string_view text) {
  if (text.starts_with("symbols: ")) text.remove_prefix(9);
  if (!is_cancelled_ && text != progress_) events_.progress(progress_ = text);
}

void ToolWork::abandon() {
  if (std::exchange(is_cancelled_, true) || is_ended_) return;
  cancel();
}

void ToolWork::end(int status) {
  if (std::exchange(is_ended_, true)) return;
  ending_ = calls_.loop.later(milliseconds(0), [this, status] {
    if (!is_cancelled_) events_.done(result(status));
    calls_.on_end(*this);
  });
}

void ToolWork::fail(const Error& error) {
  const std::string text = error.text();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    tell(std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
  end(1);
}

void ToolWork::add_note(const std::string& note) {
  if (!note.empty() && std::exchange(calls_.last_note, note) != note) notes_ += "note: " + note + '\n';
}

ToolResult ToolWork::result(int status) {
  if (text_.empty() && notes_.empty()) notes_ = status == 0 ? "nothing found\n" : "no answer\n";
  if (text_.empty()) return {.text = trimmed(std::move(notes_)), .is_error = status != 0};
  const auto& [tokens, hint] = budget_;
  const bool is_cut = text_.find(table::truncated_start) != std::string::npos;
  std::string text = within(std::move(text_), tokens + tokens / 8, hint);
  if (is_cut) text += "# to see more: " + hint + '\n';
  text += within(std::move(notes_), std::max(tokens / 4, least_note_tokens), "ask about fewer files");
  return {.text = trimmed(std::move(text)), .is_error = false};
}

std::unique_ptr<ToolWork> document_work(ToolCalls& calls, runs::KeptRun run, AnswerBudget budget) {
  return std::make_unique<DocumentWork>(calls, std::move(run), std::move(budget));
}

std::unique_ptr<ToolWork> index_work(ToolCalls& calls, std::vector<indexing::ProjectIndex*> indexes,
                                     AskIndex ask, AnswerBudget budget) {
  return std::make_unique<IndexWork>(calls, std::move(indexes), std::move(ask), std::move(budget));
}

std::unique_ptr<ToolWork> indexed_document_work(ToolCalls& calls, indexing::ProjectIndex& index,
                                                PrepareRun prepare, AnswerBudget budget) {
  return std::make_unique<IndexedDocumentWork>(calls, index, std::move(prepare), std::move(budget));
}

std::unique_ptr<ToolWork> failed_work(ToolCalls& calls, Error error) {
  return std::make_unique<FailedWork>(calls, std::move(error));
}

}  // namespace symbols::mcp
