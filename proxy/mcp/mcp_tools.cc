#include "proxy/mcp/mcp_tools.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "lsp/unicode.h"
#include "proxy/batch/document_inputs.h"
#include "proxy/index/index_answers.h"
#include "proxy/mcp/mcp_schemas.h"
#include "proxy/options/answer_option_values.h"
#include "proxy/runs/context.h"
#include "proxy/runs/diagnostics_output.h"
#include "proxy/servers/servers_file.h"
#include "proxy/settings/configuration.h"
#include "table/escape.h"
#include "table/formats/line_start.h"
#include "table/terminal_text.h"
#include "table/token_estimate.h"

namespace symbols::mcp {
namespace {

namespace fs = std::filesystem;
using options::AnswerOptions;
using options::OptionValue;
using std::chrono::milliseconds;

// Many clients wait for a minute.
constexpr milliseconds index_limit{40'000};

// Budgets where the model gives none, in tokens. An answer of one file's symbols has some 700 rows in them.
constexpr std::uint64_t document_tokens = 5000;
constexpr std::uint64_t context_tokens = 4000;
constexpr std::uint64_t least_tokens = 50;
constexpr std::uint64_t most_tokens = 100'000;
constexpr std::uint64_t least_note_tokens = 100;
constexpr std::uint64_t found_symbols = 50;
constexpr std::uint64_t most_found_symbols = 1000;
constexpr std::uint64_t most_diagnostics = 20;

constexpr const char* context_hint = "give max_tokens, or limits for source, references and callers";

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

Result<void> set(AnswerOptions& options, std::string_view option, const ToolArguments& arguments,
                 std::string_view argument) {
  const std::optional<OptionValue> value = arguments.value(argument);
  return value ? options::set_answer_option(options, option, *value) : Result<void>();
}

}  // namespace

const char* const tools_instructions =
    "Facts about source code from its language servers, in few tokens. Start with `map` in a project that "
    "you do not "
    "know, `find` for a name, `outline` for what is in a file: read it before the file, then only the lines "
    "that "
    "matter. `context` has everything about one symbol: its source, who uses and who calls it. `diagnostics` "
    "after an "
    "edit. Paths are relative to the project's root; lines count from 1.";

// One call, from its start to the end of its servers' work.
class McpTools::Work : public runs::RunOutput {
 public:
  explicit Work(McpTools& tools) : tools_(tools) {}
  ~Work() override { tools_.loop_.cancel(ending_); }

  virtual void start() = 0;
  // Nobody waits any more. end() follows, also later.
  virtual void cancel() = 0;

  void write(std::string_view text) override { text_ += text; }
  void tell(std::string_view message) override { notes_ += table::terminal_text(message) + '\n'; }
  bool shows_progress() const override { return true; }
  void show_progress(std::string_view text) override {
    if (text.starts_with("symbols: ")) text.remove_prefix(9);
    if (!is_cancelled_ && text != progress_) events_.progress(progress_ = text);
  }
  std::size_t unwritten_answers() const override { return 0; }
  std::size_t unwritten() const override { return 0; }

  void give(Events events) { events_ = std::move(events); }
  void abandon() {
    if (std::exchange(is_cancelled_, true) || is_ended_) return;
    cancel();
  }

 protected:
  // From the loop: this may be called from within what it removes.
  void end(int status) {
    if (std::exchange(is_ended_, true)) return;
    ending_ = tools_.loop_.later(milliseconds(0), [this, status] {
      if (!is_cancelled_) events_.done(result(status));
      tools_.remove(*this);
    });
  }
  // Of an error with several lines each is one.
  void fail(const Error& error) {
    const std::string text = error.text();
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      tell(std::string_view(text).substr(start, end - start));
      start = end + 1;
    }
    end(1);
  }

  McpTools& tools_;
  std::string text_;
  std::string notes_;
  std::string hint_;                        // how to get what a budget leaves out
  std::uint64_t tokens_ = document_tokens;  // at most so many, about

 private:
  ToolResult result(int status) {
    if (text_.empty() && notes_.empty()) notes_ = status == 0 ? "nothing found\n" : "no answer\n";
    if (text_.empty()) return {.text = trimmed(std::move(notes_)), .is_error = status != 0};
    const bool is_cut = text_.find(table::truncated_start) != std::string::npos;
    std::string text = within(std::move(text_), tokens_ + tokens_ / 8, hint_);
    if (is_cut) text += "# to see more: " + hint_ + '\n';
    text += within(std::move(notes_), std::max(tokens_ / 4, least_note_tokens), "ask about fewer files");
    return {.text = trimmed(std::move(text)), .is_error = false};
  }

  Events events_;
  std::string progress_;
  relay::Timers::Timer ending_ = 0;
  bool is_cancelled_ = false;
  bool is_ended_ = false;
};

// Documents that servers are asked about.
class McpTools::DocumentWork final : public Work {
 public:
  DocumentWork(McpTools& tools, runs::KeptRun run, std::uint64_t tokens, std::string hint)
      : Work(tools), run_(runs::make_kept_run(tools.loop_, tools.servers_, std::move(run), *this, [this] {
          end(run_->status());
        })) {
    tokens_ = tokens;
    hint_ = std::move(hint);
  }

  void start() override { run_->start(); }
  void cancel() override { run_->stop(SIGTERM); }

 private:
  std::unique_ptr<runs::DocumentRun> run_;
};

// A question to the indexes of projects, each brought up to date before it is asked.
class McpTools::IndexWork : public Work {
 public:
  IndexWork(McpTools& tools, std::vector<indexing::ProjectIndex*> indexes, AskIndex ask, std::uint64_t tokens,
            std::string hint)
      : Work(tools), indexes_(std::move(indexes)), ask_(std::move(ask)) {
    tokens_ = tokens;
    hint_ = std::move(hint);
  }

  void start() override { next(); }
  void cancel() override {
    if (asked_ > 0) indexes_[asked_ - 1]->forget(this);
    end(1);
  }

 private:
  void next() {
    if (asked_ == indexes_.size()) return end(failed_ && text_.empty() ? 1 : 0);
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
          tools_.add_note(notes_, note);
          next();
        });
  }

  std::vector<indexing::ProjectIndex*> indexes_;
  AskIndex ask_;
  std::size_t asked_ = 0;
  bool failed_ = false;
};

// The client's hold on a call.
class McpTools::Handle final : public RunningTool {
 public:
  Handle(McpTools& tools, const Work* work) : tools_(tools), work_(work) {}
  ~Handle() override {
    const auto work = std::ranges::find(tools_.work_, work_, [](const auto& one) { return one.get(); });
    if (work != tools_.work_.end()) (*work)->abandon();
  }

 private:
  McpTools& tools_;
  const Work* work_;
};

// A call that was wrong.
class McpTools::FailedWork final : public Work {
 public:
  FailedWork(McpTools& tools, Error error) : Work(tools), error_(std::move(error)) {}
  void start() override { fail(error_); }
  void cancel() override {}

 private:
  Error error_;
};

// `symbols context NAME`: the index tells the file.
class McpTools::NamedContextWork final : public Work {
 public:
  NamedContextWork(McpTools& tools, AllowedRoots roots, indexing::ProjectIndex& index,
                   settings::ContextArguments arguments)
      : Work(tools), roots_(std::move(roots)), index_(index), arguments_(std::move(arguments)) {
    tokens_ = arguments_.document.answers.max_tokens.value_or(context_tokens);
    hint_ = context_hint;
  }

  void start() override {
    index_.refresh(
        this, index_limit, [this](const std::string& text) { show_progress(text); },
        [this](const std::string& note, bool is_complete) {
          if (!is_complete) index_note_ = note;
          found();
        });
  }
  void cancel() override {
    if (run_) return run_->stop(SIGTERM);
    index_.forget(this);
    end(1);
  }

 private:
  void found() {
    Result<runs::KeptRun> run = tools_.prepare_context_run(roots_, arguments_);
    if (!run) {
      tools_.add_note(notes_, index_note_);
      return fail(run.error());
    }
    run_ = runs::make_kept_run(tools_.loop_, tools_.servers_, std::move(*run), *this,
                               [this] { end(run_->status()); });
    run_->start();
  }

  AllowedRoots roots_;
  indexing::ProjectIndex& index_;
  settings::ContextArguments arguments_;
  std::string index_note_;
  std::unique_ptr<runs::DocumentRun> run_;
};

McpTools::McpTools(relay::EventLoop& loop, batch::WarmLimits limits, Options options)
    : loop_(loop), options_(std::move(options)), servers_(loop, limits, [](const std::string&) {}) {
  std::error_code failure;
  started_in_ = fs::current_path(failure).string();
}

McpTools::~McpTools() = default;

const std::vector<Tool>& McpTools::tools() const {
  return tool_schemas();
}

std::unique_ptr<RunningTool> McpTools::start(ToolCall call, Events events) {
  Made made = make_work(call);
  std::unique_ptr<Work> work = made ? std::move(*made) : std::make_unique<FailedWork>(*this, made.error());
  Work& started = *work_.emplace_back(std::move(work));
  started.give(std::move(events));
  started.start();
  return std::make_unique<Handle>(*this, &started);
}

// Once: what is left out of an index mostly stays so.
void McpTools::add_note(std::string& notes, const std::string& note) {
  if (!note.empty() && std::exchange(last_note_, note) != note) notes += "note: " + note + '\n';
}

void McpTools::remove(const Work& work) {
  std::erase_if(work_, [&](const auto& one) { return one.get() == &work; });
  end_if_stopped();
}

void McpTools::stop(std::function<void()> done) {
  stopped_ = std::move(done);
  for (const auto& work : work_) work->abandon();
  end_if_stopped();
}

void McpTools::end_if_stopped() {
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

Result<AllowedRoots> McpTools::roots_for(const ToolCall& call) const {
  if (!options_.roots.empty()) return AllowedRoots::of(options_.roots);
  if (call.roots) return AllowedRoots::of(*call.roots);
  return AllowedRoots::of({started_in_});
}

Result<indexing::ProjectIndex*> McpTools::index_of(const fs::path& root) {
  const auto known = indexes_.find(root);
  if (known != indexes_.end()) return known->second.get();
  Result<std::unique_ptr<indexing::ProjectIndex>> index =
      indexing::ProjectIndex::open(loop_, servers_, root, options_.trust_project, options_.confine);
  if (!index) return index.error();
  return indexes_.emplace(root, std::move(*index)).first->second.get();
}

McpTools::Made McpTools::make_work(const ToolCall& call) {
  const std::vector<Tool>& all = tools();
  const auto tool = std::ranges::find(all, call.tool, &Tool::name);
  const Result<ToolArguments> arguments = ToolArguments::read(call.arguments, tool->input_schema);
  if (!arguments) return arguments.error();
  const Result<AllowedRoots> roots = roots_for(call);
  if (!roots) return roots.error();
  // What is relative is so to the first root, for what is asked and in what is answered.
  if (::chdir(roots->first().c_str()) != 0)
    return Error{"cannot enter " + table::quoted(roots->first().string()),
                 "start the server with --root DIR"};
  if (call.tool == "outline") return outline(*arguments, *roots);
  if (call.tool == "find") return find(*arguments, *roots);
  if (call.tool == "context") return context(*arguments, *roots, false);
  if (call.tool == "map") return map(*arguments, *roots);
  if (call.tool == "diagnostics") return diagnostics(*arguments, *roots);
  return context(*arguments, *roots, true);
}

Result<runs::KeptRun> McpTools::find_documents(runs::Dump dump, const AllowedRoots& roots) const {
  dump.arguments.inputs.trust_project = options_.trust_project;
  if (options_.confine) dump.arguments.inputs.confine = options_.confine;
  std::vector<std::string> paths;
  for (const std::string& path : dump.arguments.inputs.paths) {
    const Result<fs::path> found = roots.find(path);
    if (!found) return found.error();
    // Short ones, for the answer.
    const fs::path relative = found->lexically_relative(roots.first());
    paths.push_back(relative.empty() || *relative.begin() == ".." ? found->string() : relative.string());
  }
  dump.arguments.inputs.paths = std::move(paths);
  const Result<servers::ServerRegistry> registry =
      servers::ServerRegistry::load(servers::user_servers_file());
  if (!registry) return registry.error();
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(dump.arguments.inputs, *registry);
  if (!inputs) return inputs.error();
  return runs::KeptRun{std::move(dump), std::move(*inputs)};
}

McpTools::Made McpTools::about_documents(std::string_view tool, const ToolArguments& arguments,
                                         const AllowedRoots& roots, const AnswerOptions& answers,
                                         std::string hint) {
  Result<std::vector<std::string>> paths = arguments.texts("paths");
  if (!paths) return paths.error();
  if (paths->empty())
    return Error{"no paths are given", R"(give files or folders: {"paths": ["src/app.ts"]})"};
  settings::DumpArguments given;
  given.answers = answers;
  given.settings = {.format = answers.format, .color = terminal::ColourUse::never};
  given.words = arguments.words(tool, "paths");
  given.inputs.paths = std::move(*paths);
  Result<runs::Dump> dump = runs::prepare_dump(given, terminal::Console{});
  if (!dump) return dump.error();
  if (dump->inquiry.document.diagnostics > 0) {
    dump->inquiry.tell_if_none_found = false;
    dump->make_sink = [](const batch::DocumentInputs& inputs, runs::AnswerSink::Write out,
                         runs::AnswerSink::Write tell) {
      std::vector<std::string> names;
      for (const batch::DocumentInput& document : inputs.documents) names.push_back(document.display_path);
      return std::make_unique<runs::DiagnosticsOutput>(std::move(names), std::move(out), std::move(tell));
    };
  }
  Result<runs::KeptRun> run = find_documents(std::move(*dump), roots);
  if (!run) return run.error();
  return std::make_unique<DocumentWork>(*this, std::move(*run), answers.max_tokens.value_or(document_tokens),
                                        std::move(hint));
}

McpTools::Made McpTools::outline(const ToolArguments& arguments, const AllowedRoots& roots) {
  AnswerOptions answers;
  answers.format = table::Format::tree;
  answers.verbosity = table::Verbosity::minimal;
  const Result<std::optional<std::uint64_t>> most = arguments.number("max_tokens", least_tokens, most_tokens);
  if (!most) return most.error();
  answers.max_tokens = most->value_or(document_tokens);
  // The command line has more words.
  const std::optional<OptionValue> detail = arguments.value("detail");
  constexpr std::array<std::string_view, 3> details = {"minimal", "signatures", "full"};
  if (detail && std::ranges::find(details, detail->word()) == details.end())
    return detail->error_of(detail->word(), "minimal, signatures or full");
  for (const auto& [option, argument] : {std::pair{"verbosity", "detail"},
                                         {"return_children", "children"},
                                         {"filter_kind", "kinds"},
                                         {"match", "match"}}) {
    if (const Result<void> done = set(answers, option, arguments, argument); !done) return done.error();
  }
  if (answers.verbosity == table::Verbosity::full) {
    answers.verbosity.reset();
    answers.fields = {table::Field::name, table::Field::kind, table::Field::lines, table::Field::hover};
  }
  return about_documents("outline", arguments, roots, answers,
                         "narrow it with kinds, match, children or fewer paths, or give max_tokens");
}

McpTools::Made McpTools::diagnostics(const ToolArguments& arguments, const AllowedRoots& roots) {
  const Result<std::optional<std::uint64_t>> limit = arguments.number("limit", 1, 1000);
  if (!limit) return limit.error();
  AnswerOptions answers;
  answers.verbosity = table::Verbosity::counts;
  const std::string include = fmt::format("diagnostics:{}", limit->value_or(most_diagnostics));
  if (const auto done =
          options::set_answer_option(answers, "include", OptionValue::of_text("limit", include));
      !done)
    return done.error();
  return about_documents("diagnostics", arguments, roots, answers, "ask about fewer paths");
}

Result<runs::KeptRun> McpTools::prepare_context_run(const AllowedRoots& roots,
                                                    const settings::ContextArguments& arguments) const {
  if (::chdir(roots.first().c_str()) != 0) return Error{"cannot enter the project's root", {}};
  std::variant<runs::Dump, runs::ContextRefusal> prepared = runs::prepare_context(arguments);
  if (const auto* const refusal = std::get_if<runs::ContextRefusal>(&prepared)) {
    std::string text;
    for (const std::string& line : refusal->lines) text += (text.empty() ? "" : "\n") + line;
    return Error{text, {}};
  }
  runs::Dump& dump = std::get<runs::Dump>(prepared);
  dump.inquiry.context->outline_folder = roots.first().string();
  return find_documents(std::move(dump), roots);
}

McpTools::Made McpTools::context(const ToolArguments& arguments, const AllowedRoots& roots, bool hover_only) {
  const Result<std::optional<std::string>> path = arguments.text("path");
  if (!path) return path.error();
  const Result<std::optional<std::string>> name = arguments.text("name");
  if (!name) return name.error();
  const Result<std::optional<std::uint64_t>> line = arguments.number("line", 1, UINT32_MAX);
  if (!line) return line.error();
  const Result<std::optional<std::uint64_t>> column = arguments.number("column", 1, UINT32_MAX);
  if (!column) return column.error();
  if (!*name && !*line)
    return Error{"neither a name nor a line is given", R"(give {"name": "…"}, or {"path": "…", "line": 24})"};
  if (*name && *line) return Error{"both a name and a line are given", "give one of them"};
  if (*line && !*path) return Error{"a line needs a path", "give the path of its file"};
  if (*column && !*line) return Error{"a column needs a line", "give both"};

  settings::ContextArguments asked;
  AnswerOptions& answers = asked.document.answers;
  asked.document.words = arguments.words(hover_only ? "hover" : "context", {});
  std::string parts = "children:0,source:0,references:0,callers:0,diagnostics:0";
  if (!hover_only) {
    const Result<std::optional<std::uint64_t>> most =
        arguments.number("max_tokens", least_tokens, most_tokens);
    if (!most) return most.error();
    answers.max_tokens = most->value_or(context_tokens);
    parts.clear();
    for (const char* const part : {"source", "references", "callers"}) {
      const Result<std::optional<std::uint64_t>> limit = arguments.number(part, 0, 10'000);
      if (!limit) return limit.error();
      if (*limit) parts += fmt::format("{}{}:{}", parts.empty() ? "" : ",", part, **limit);
    }
  }
  if (!parts.empty()) {
    const auto done = options::set_answer_option(answers, "include", OptionValue::of_text("limits", parts));
    if (!done) return done.error();
  }
  if (!*path) {
    asked.is_name = true;
    asked.document.inputs.paths = {**name};
    const Result<indexing::ProjectIndex*> index = index_of(roots.first());
    if (!index) return index.error();
    return std::make_unique<NamedContextWork>(*this, roots, **index, std::move(asked));
  }
  const Result<fs::path> found = roots.find(**path);
  if (!found) return found.error();
  const fs::path relative = found->lexically_relative(roots.first());
  std::string file = relative.empty() || *relative.begin() == ".." ? found->string() : relative.string();
  asked.name = *name;
  if (*line) file += fmt::format(":{}", **line);
  if (*column) file += fmt::format(":{}", **column);
  asked.document.inputs.paths = {std::move(file)};
  Result<runs::KeptRun> run = prepare_context_run(roots, asked);
  if (!run) return run.error();
  return std::make_unique<DocumentWork>(*this, std::move(*run), answers.max_tokens.value_or(context_tokens),
                                        context_hint);
}

McpTools::Made McpTools::about_indexes(const std::vector<fs::path>& roots, AskIndex ask, std::uint64_t tokens,
                                       std::string hint) {
  std::vector<indexing::ProjectIndex*> indexes;
  for (const fs::path& root : roots) {
    const Result<indexing::ProjectIndex*> index = index_of(root);
    if (!index) return index.error();
    indexes.push_back(*index);
  }
  return std::make_unique<IndexWork>(*this, std::move(indexes), std::move(ask), tokens, std::move(hint));
}

McpTools::Made McpTools::find(const ToolArguments& arguments, const AllowedRoots& roots) {
  const Result<std::optional<std::string>> query = arguments.text("query");
  if (!query) return query.error();
  if (!*query || (*query)->empty())
    return Error{"no query is given", R"(give a name: {"query": "parseConfig"})"};
  const Result<std::optional<std::uint64_t>> limit = arguments.number("limit", 1, most_found_symbols);
  if (!limit) return limit.error();
  AnswerOptions answers;
  if (const Result<void> done = set(answers, "filter_kind", arguments, "kinds"); !done) return done.error();
  const index::SymbolQuery asked{.name = **query,
                                 .kinds = answers.filter_kind.value_or(std::vector<std::int64_t>()),
                                 .limit = static_cast<std::size_t>(limit->value_or(found_symbols))};
  return about_indexes(
      roots.all(),
      [asked, first = roots.first()](const index::FoundIndex& place) -> Result<index::IndexAnswer> {
        (void)!::chdir(first.c_str());
        Result<settings::Configuration> configured = settings::configuration_of(place.root.string());
        if (!configured) return configured.error();
        index::SymbolQuery now = asked;
        now.left_out = settings::left_out_by(std::move(configured->ignored));
        return index::find_in_index(place, now, "a larger limit");
      },
      limit->value_or(found_symbols) * 60, "give kinds, a longer query or a smaller limit");
}

McpTools::Made McpTools::map(const ToolArguments& arguments, const AllowedRoots& roots) {
  const Result<std::optional<std::string>> folder = arguments.text("folder");
  if (!folder) return folder.error();
  const Result<std::optional<std::uint64_t>> most = arguments.number("max_tokens", least_tokens, most_tokens);
  if (!most) return most.error();
  fs::path asked = roots.first();
  if (*folder) {
    const Result<fs::path> found = roots.find(**folder);
    if (!found) return found.error();
    asked = *found;
  }
  const std::uint64_t tokens = most->value_or(index::map_tokens);
  return about_indexes(
      {roots.root_of(asked)},
      [asked, tokens, first = roots.first()](const index::FoundIndex& place) -> Result<index::IndexAnswer> {
        (void)!::chdir(first.c_str());
        const Result<std::string> inside = index::folder_in_project(asked.string(), place.root);
        if (!inside) return inside.error();
        const Result<settings::Configuration> configured = settings::configuration_of(place.root.string());
        if (!configured) return configured.error();
        Result<index::IndexAnswer> answer = index::map_of_index(
            place, *inside,
            table::TokenLimit::for_text_of(static_cast<std::size_t>(tokens), table::Tokenizer::o200k),
            configured->ignored);
        if (answer && answer->text.empty())
          return Error{"there are no symbols of source files in " + table::quoted(asked.string()), {}};
        return answer;
      },
      tokens, "give a folder, or max_tokens");
}

}  // namespace symbols::mcp
