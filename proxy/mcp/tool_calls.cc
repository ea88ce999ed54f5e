// Calls of the tools of `symbols mcp`, answered by servers that stay and by indexes that are kept up to date.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "lsp/unicode.h"
#include "proxy/files/project_root.h"
#include "proxy/mcp/mcp_tools.h"
#include "table/escape.h"
#include "table/token_estimate.h"

namespace symbols::mcp {
namespace {

// Many clients wait for a minute.
constexpr milliseconds index_limit{40'000};

constexpr std::uint64_t least_note_tokens = 100;

// Cuts a text that no option bounds, such as the hover of one symbol or the diagnostics of a folder.
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

const char* const tools_instructions =
    "Facts about source code from its language servers, in few tokens. Start with `map` in a project that "
    "you do not know, `find` for a name, `outline` for what is in a file: read it before the file, then only "
    "the lines that matter. `context` has everything about one symbol: its source, who uses and who calls "
    "it. `diagnostics` after an edit. Paths are relative to the project's root; lines count from 1.";

// One call, from its start to the end of its servers' work.
class ToolCalls::Work final : public output::RunOutput {
 public:
  Work(ToolCalls& tools, ToolPlan plan, ToolEvents events)
      : tools_(tools), plan_(std::move(plan)), events_(std::move(events)) {}

  // Brings the next index up to date, or asks the servers.
  void next() {
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
            const std::string& doubts = index.doubts();
            if (std::exchange(tools_.doubts_[&index], doubts) != doubts) add_note(doubts);
          } else if (!is_complete) {
            index_note_ = note;
          }
          next();
        });
  }

  // Nobody waits any more. It is removed, also later.
  void cancel() {
    if (std::exchange(is_cancelled_, true) || is_ended_) return;
    if (run_) return run_->stop(SIGTERM);
    if (begun_ > 0) plan_.indexes[begun_ - 1]->forget(this);
    end(1);
  }

  void write(std::string_view text) override { text_ += text; }

  void tell(std::string_view message) override { notes_ += table::terminal_text(message) + '\n'; }

  void show_progress(std::string_view text) override {
    if (text.starts_with("symbols: ")) text.remove_prefix(9);
    std::string shown = table::terminal_text(text);
    if (!is_cancelled_ && shown != progress_) events_.progress(progress_ = std::move(shown));
  }

 private:
  void ask(const index::FoundIndex& place) {
    const Result<index::IndexAnswer> answer = plan_.ask(place);
    if (answer) return take(*answer);
    index_failed_ = true;
    tell(answer.error().text());
  }

  void take(const index::IndexAnswer& answer) {
    write(answer.text);
    for (const std::string& note : answer.notes) tell(note);
  }

  void ask_servers() {
    PlannedRun planned = plan_.documents();
    if (const auto* const refused = std::get_if<output::ContextRefusal>(&planned)) {
      add_note(index_note_);
      for (const std::string& line : refused->lines) tell(line);
      return end(1);
    }
    if (const auto* const answer = std::get_if<index::IndexAnswer>(&planned)) {
      take(*answer);
      return end(0);
    }
    run_.reset();  // it lets go of this only then
    run_ = std::make_unique<output::DocumentRun>(tools_.loop_, &tools_.servers_, *this,
                                                 std::move(std::get<output::PreparedRun>(planned)),
                                                 [this] { run_ended(run_->status()); });
  }

  void run_ended(std::optional<int> status) {
    if (plan_.is_in_steps && status && !is_cancelled_) return ask_servers();
    end(status.value_or(1));
  }

  void add_note(std::string_view note) {
    while (!note.empty()) {
      const std::string line = fmt::format("note: {}\n", take_part(note, '\n'));
      if (notes_.find(line) == notes_.npos) notes_ += line;  // the answer's own notes may have it
    }
  }

  // From the loop: this may be called from within what it removes.
  void end(int status) {
    if (std::exchange(is_ended_, true)) return;
    ending_.start(milliseconds(0), [this, status] {
      if (!is_cancelled_) events_.done(result(status));
      ToolCalls& tools = tools_;
      std::erase_if(tools.work_, [this](const auto& one) { return one.get() == this; });
      tools.end_if_stopped();
    });
  }

  ToolResult result(int status) {
    if (text_.empty() && notes_.empty()) notes_ = status == 0 ? "nothing found\n" : "no answer\n";
    if (text_.empty()) return {.text = trimmed(std::move(notes_)), .is_error = status != 0};
    const bool is_cut = text_.find(table::truncated_start) != std::string::npos;
    std::string text = within(std::move(text_), plan_.tokens + plan_.tokens / 8, plan_.hint);
    if (is_cut) text += "# to see more: " + plan_.hint + '\n';
    text += within(std::move(notes_), std::max(plan_.tokens / 4, least_note_tokens), "ask about fewer files");
    return {.text = trimmed(std::move(text)), .is_error = false};
  }

  ToolCalls& tools_;
  ToolPlan plan_;
  ToolEvents events_;
  std::size_t begun_ = 0;  // of the indexes
  bool index_failed_ = false;
  std::string index_note_;  // what the last index does not have yet
  std::string text_;
  std::string notes_;
  std::string progress_;
  io::Timer ending_{tools_.loop_};
  bool is_cancelled_ = false;
  bool is_ended_ = false;
  std::unique_ptr<output::DocumentRun> run_;  // which writes to this
};

ToolCalls::ToolCalls(io::EventLoop& loop, engine::PoolLimits limits, McpArguments arguments)
    : loop_(loop),
      arguments_(std::move(arguments)),
      started_in_(files::working_folder().string()),
      servers_(loop, limits, [](const std::string&) {}) {}

ToolCalls::~ToolCalls() = default;

std::function<void()> ToolCalls::start(ToolCall call, ToolEvents events) {
  servers_.call_begins();
  Result<ToolPlan> plan = make_plan(call);
  if (!plan) plan = ToolPlan{.documents = [error = plan.error()] { return refusal(error); }};
  Work& work = *work_.emplace_back(std::make_unique<Work>(*this, std::move(*plan), std::move(events)));
  work.next();
  return [&work] { work.cancel(); };
}

void ToolCalls::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  for (const auto& work : work_) work->cancel();
  end_if_stopped();
}

void ToolCalls::end_if_stopped() {
  if (!stopped_ || !work_.empty()) return;
  if (!indexes_.empty()) {
    const auto index = indexes_.begin();
    return index->second->stop([this, index] {
      // From the loop, and from within it.
      loop_.later(milliseconds(0), [this, index] {
        indexes_.erase(index);
        end_if_stopped();
      });
    });
  }
  servers_.stop(std::exchange(stopped_, {}));
}

Result<index::ProjectIndex*> ToolCalls::index_of(const fs::path& root) {
  const auto known = indexes_.find(root);
  if (known != indexes_.end()) return known->second.get();
  Result<std::unique_ptr<index::ProjectIndex>> index =
      index::ProjectIndex::open(loop_, servers_, root, arguments_.trust_project, arguments_.confine);
  if (!index) return index.error();
  return indexes_.emplace(root, std::move(*index)).first->second.get();
}

Result<ToolPlan> ToolCalls::make_plan(const ToolCall& call) {
  const Result<AllowedRoots> roots = AllowedRoots::of(!arguments_.roots.empty() ? arguments_.roots
                                                      : call.roots              ? *call.roots
                                                                                : std::vector{started_in_});
  if (!roots) return roots.error();
  // Relative paths start from the first root, in questions and in answers.
  if (const Result<void> entered = roots->enter(); !entered) return entered.error();
  return plan_of(call,
                 {.roots = *roots,
                  .trust = arguments_,
                  .index_of = [this](const fs::path& root) { return index_of(root); },
                  .kept_flags = [this](const std::string& root) { return servers_.guessed_flags(root); }});
}

}  // namespace symbols::mcp
