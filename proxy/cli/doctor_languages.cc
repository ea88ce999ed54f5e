#include "proxy/cli/doctor_languages.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "proxy/batch/document_inputs.h"
#include "proxy/files/folder_walk.h"
#include "proxy/index/index_pass.h"
#include "proxy/relay/event_loop.h"
#include "proxy/runs/document_run.h"
#include "proxy/servers/compilation_database.h"
#include "proxy/servers/servers_list.h"
#include "proxy/terminal/tell.h"

namespace symbols::cli {
namespace {

namespace fs = std::filesystem;
using Clock = relay::Timers::Clock;
using std::chrono::milliseconds;

// Somebody who waits for so long asks why.
constexpr milliseconds long_wait{3000};

// A file of this size is answered as any other, and shows more than an empty one.
constexpr std::uintmax_t usual_size = 8192;

// Beside programs there is always some of these. Without their servers nothing is broken.
constexpr std::array<std::string_view, 14> by_the_way = {"bibtex",      "cmake", "css",  "dockerfile", "html",
                                                         "json",        "jsonc", "less", "markdown",   "scss",
                                                         "shellscript", "toml",  "xml",  "yaml"};

// A language of the folder: its files, and one of them to try.
struct LanguageTry {
  std::string language;
  std::size_t files = 0;
  std::string file;
  std::uintmax_t size = 0;
  std::optional<batch::DocumentJob> job{};
  std::optional<milliseconds> taken{};
  std::optional<batch::DocumentAnswer> answer{};

  void take(const std::string& path) {
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(path, failure);
    const auto distance = [](std::uintmax_t one) {
      return one > usual_size ? one - usual_size : usual_size - one;
    };
    if (files++ == 0 || (!failure && distance(bytes) < distance(size))) {
      file = path.starts_with("./") ? path.substr(2) : path;
      size = bytes;
    }
  }
};

// Nothing is printed of the run. What its progress line said last is why it took long.
class QuietOutput final : public runs::RunOutput {
 public:
  bool shows_progress() const override { return true; }
  void show_progress(std::string_view text) override {
    // "reading" stands there when the server says nothing of itself, as between its last word and its answer.
    if (text.find(';') != text.npos && !text.ends_with(": reading"))
      progress_ = text.substr(text.find(';') + 1);
  }

  // What the server was doing, "indexing: 12/40"; empty if it did not say.
  std::string doing_of(const std::string& server) const {
    const std::size_t at = progress_.find(server + ": ");
    return at == progress_.npos ? std::string() : progress_.substr(at + server.size() + 2);
  }

 private:
  std::string progress_;
};

class TrySink : public runs::AnswerSink {
 public:
  explicit TrySink(std::vector<LanguageTry>& tries) : tries_(tries) {}
  void add(std::size_t index, batch::DocumentAnswer answer) override {
    tries_[index].taken = std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
    tries_[index].answer = std::move(answer);
  }
  void finish(const std::vector<Error>&) override {}
  bool any_failed() const override { return false; }

 private:
  std::vector<LanguageTry>& tries_;
  Clock::time_point start_ = Clock::now();
};

std::vector<LanguageTry> tries_in(const files::FoundFiles& found, const servers::ServerRegistry& registry) {
  std::map<std::string, LanguageTry> by_language;
  for (const std::string& file : found.files) {
    const std::string language = registry.language_id(file);
    LanguageTry& one = by_language[language];
    one.language = language;
    one.take(file);
  }
  std::vector<LanguageTry> tries;
  for (auto& [language, one] : by_language) tries.push_back(std::move(one));
  std::ranges::stable_sort(tries, std::greater(), &LanguageTry::files);
  return tries;
}

// "12 files; " stands before what is said of one of them.
Finding finding_about(const LanguageTry& one, Condition condition, const std::string& text,
                      std::string mend = {}) {
  return {condition, one.language, fmt::format("{} file{}; {}", one.files, one.files == 1 ? "" : "s", text),
          std::move(mend)};
}

std::string in_seconds(milliseconds time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

bool lacks_database(const LanguageTry& one) {
  return one.job->server.name == "clangd" && (one.language == "cpp" || one.language == "c") &&
         servers::nearest_database(one.job->path).empty();
}

Finding finding_of(const LanguageTry& one, const std::string& version, const QuietOutput& output,
                   milliseconds limit) {
  const std::string server = fmt::format("{}{}{} ({})", one.job->server.name, version.empty() ? "" : " ",
                                         version, one.job->server.command.program);
  const std::string log = fmt::format("symbols --log traffic.log {} records the LSP traffic", one.file);
  if (!one.answer) {
    return finding_about(one, Condition::broken,
                         fmt::format("{} has not answered {} within {}", server, one.file, in_seconds(limit)),
                         log);
  }
  if (const auto& error = one.answer->error) {
    return finding_about(one, Condition::broken,
                         fmt::format("{} did not answer {}: {}", server, one.file, error->message),
                         error->advice.empty() ? log : error->advice);
  }
  const std::string text =
      fmt::format("{} answered {} in {}: {} symbols", server, one.file, in_seconds(*one.taken),
                  one.answer->rows ? one.answer->rows->size() : 0);
  if (*one.taken > long_wait) {
    const std::string doing = output.doing_of(one.job->server.name);
    return finding_about(
        one, Condition::slow,
        text + (doing.empty() ? "; most of that is the server's start" : "; it was " + doing),
        "--warm keeps the server running for the next calls; symbols index keeps its answers");
  }
  if (lacks_database(one)) {
    return finding_about(one, Condition::note,
                         text + "; without a compile_commands.json clangd guesses the flags",
                         "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make");
  }
  return finding_about(one, Condition::ok, text);
}

}  // namespace

Findings languages_of(const fs::path& folder, const options::Configuration& configuration,
                      const servers::ServerRegistry& registry, const TryOptions& how) {
  const terminal::NearPaths near(folder);
  const Result<files::FoundFiles> found = files::find_source_files(
      near.of(folder), [&](const fs::path& file) { return registry.for_file(file) != nullptr; }, {},
      configuration.ignored);
  if (!found) return {{Condition::note, "languages", found.error().message, found.error().advice}};
  const std::vector<LanguageTry> tries = tries_in(*found, registry);
  if (tries.empty())
    return {{Condition::note, "languages", "no file of this folder is in a known language",
             "run this in a project, or symbols doctor DIR"}};

  runs::DumpArguments arguments;
  for (const LanguageTry& one : tries) arguments.inputs.paths.push_back(one.file);
  arguments.inputs.trust_project = how.trust_project;
  arguments.inputs.confine = how.confine ? how.confine : configuration.settings.confine;
  arguments.answers.timeout = how.timeout;
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(arguments.inputs, registry);
  if (!inputs) return {{Condition::broken, "languages", inputs.error().message, inputs.error().advice}};

  Findings findings;
  std::vector<LanguageTry> tried;
  std::vector<servers::FoundServer> servers;
  batch::DocumentInputs asked;
  for (std::size_t i = 0; i < tries.size(); ++i) {
    const Result<batch::DocumentJob>& job = inputs->documents[i].job;
    if (!job) {
      const bool matters = std::ranges::find(by_the_way, tries[i].language) == by_the_way.end();
      findings.push_back(finding_about(tries[i], matters ? Condition::broken : Condition::note,
                                       "no server for them: " + job.error().message, job.error().advice));
      continue;
    }
    tried.push_back(tries[i]);
    tried.back().job = *job;
    servers.push_back({registry.by_name(job->server.name), job->server.command});
    asked.documents.push_back(std::move(inputs->documents[i]));
  }

  const milliseconds limit = 3 * how.timeout;
  QuietOutput output;
  {
    relay::EventLoop loop;
    runs::Dump dump{arguments, index::index_inquiry(),
                    [&](const auto&, auto&) { return std::make_unique<TrySink>(tried); }};
    runs::DocumentRun run(loop, nullptr, output, {std::move(dump), std::move(asked)},
                          [&loop] { loop.stop(); });
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&run](int signal_number) { run.stop(signal_number); });
    const relay::Timers::Timer timer = loop.later(limit, [&run] { run.stop(SIGALRM); });
    loop.run();
    loop.cancel(timer);
    if (run.stopped_by() != 0 && run.stopped_by() != SIGALRM) runs::die_by(run.stopped_by());
  }
  const std::vector<Result<std::string>> versions = servers::server_versions(servers);
  for (std::size_t i = 0; i < tried.size(); ++i)
    findings.push_back(finding_of(tried[i], versions[i] ? *versions[i] : std::string(), output, limit));
  return findings;
}

}  // namespace symbols::cli
