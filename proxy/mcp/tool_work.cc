#include "proxy/mcp/tool_work.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lsp/unicode.h"
#include "table/escape.h"
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

}  // namespace

void ToolWork::next() {
  if (begun_ == plan_.indexes.size()) {
    if (plan_.documents) return ask_servers();
    return end(index_failed_ && text_.empty() ? 1 : 0);
  }
  index::ProjectIndex& index = *plan_.indexes[begun_++];
  index.refresh(
      this, index_limit / static_cast<int>(plan_.indexes.size()),
      [this](const std::string& text) { show_progress(text); },
      [this, &index](const std::string& note, bool is_complete) {
        if (plan_.ask) {
          ask(index.place());
          add_note(note);
        } else if (!is_complete) {
          index_note_ = note;
        }
        next();
      });
}

void ToolWork::ask(const index::FoundIndex& place) {
  const Result<index::IndexAnswer> answer = plan_.ask(place);
  if (answer) {
    write(answer->text);
    for (const std::string& note : answer->notes) tell(note);
  } else {
    index_failed_ = true;
    tell(answer.error().text());
  }
}

void ToolWork::ask_servers() {
  PlannedRun planned = plan_.documents();
  if (const auto* const refused = std::get_if<runs::ContextRefusal>(&planned)) {
    add_note(index_note_);
    for (const std::string& line : refused->lines) tell(line);
    return end(1);
  }
  run_ = std::make_unique<runs::DocumentRun>(shared_.loop, &shared_.servers, *this,
                                             std::move(std::get<runs::PreparedRun>(planned)),
                                             [this] { end(run_->status().value_or(1)); });
  run_->start();
}

void ToolWork::cancel() {
  if (std::exchange(is_cancelled_, true) || is_ended_) return;
  if (run_) return run_->stop(SIGTERM);
  if (begun_ > 0) plan_.indexes[begun_ - 1]->forget(this);
  end(1);
}

void ToolWork::tell(std::string_view message) {
  notes_ += table::terminal_text(message) + '\n';
}

void ToolWork::show_progress(std::string_view text) {
  if (text.starts_with("symbols: ")) text.remove_prefix(9);
  std::string shown = table::terminal_text(text);
  if (!is_cancelled_ && shown != progress_) events_.progress(progress_ = std::move(shown));
}

// Once: what is left out of an index mostly stays so.
void ToolWork::add_note(const std::string& note) {
  if (!note.empty() && std::exchange(shared_.last_note, note) != note) notes_ += "note: " + note + '\n';
}

// From the loop: this may be called from within what it removes.
void ToolWork::end(int status) {
  if (std::exchange(is_ended_, true)) return;
  ending_.start(milliseconds(0), [this, status] {
    if (!is_cancelled_) events_.done(result(status));
    shared_.on_end(*this);
  });
}

ToolResult ToolWork::result(int status) {
  if (text_.empty() && notes_.empty()) notes_ = status == 0 ? "nothing found\n" : "no answer\n";
  if (text_.empty()) return {.text = trimmed(std::move(notes_)), .is_error = status != 0};
  const bool is_cut = text_.find(table::truncated_start) != std::string::npos;
  std::string text = within(std::move(text_), plan_.tokens + plan_.tokens / 8, plan_.hint);
  if (is_cut) text += "# to see more: " + plan_.hint + '\n';
  text += within(std::move(notes_), std::max(plan_.tokens / 4, least_note_tokens), "ask about fewer files");
  return {.text = trimmed(std::move(text)), .is_error = false};
}

}  // namespace symbols::mcp
