#include "proxy/cli/doctor_languages.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "proxy/engine/document_inputs.h"
#include "proxy/files/folder_walk.h"
#include "proxy/index/index_pass.h"
#include "proxy/io/event_loop.h"
#include "proxy/servers/compilation_database.h"

namespace symbols::cli {
namespace {

using Seconds = std::chrono::duration<double>;

// Somebody who waits for so long asks why.
constexpr Seconds long_wait{3};

// A file of this size is answered as any other, and shows more than an empty one.
constexpr std::uintmax_t usual_size = 8192;

// Beside programs there is always some of these. Without their servers nothing is broken.
constexpr std::string_view by_the_way =
    "bibtex cmake css dockerfile html json jsonc less markdown scss shellscript toml xml yaml";

// A language of the folder: its files, and one of them to try.
struct LanguageTry {
  std::string language;
  std::size_t files = 0;
  std::string file{};
  std::uintmax_t size = 0;
  std::optional<Seconds> taken{};  // by the answer; none if there is none
  engine::DocumentAnswer answer{};

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

// The most frequent language first.
std::vector<LanguageTry> tries_in(const files::FoundFiles& found, const servers::ServerRegistry& registry) {
  std::map<std::string, LanguageTry> by_language;
  for (const std::string& file : found.files) {
    const std::string language = registry.language_id(file);
    by_language.try_emplace(language, LanguageTry{.language = language}).first->second.take(file);
  }
  std::vector<LanguageTry> tries;
  for (auto& [language, one] : by_language) tries.push_back(std::move(one));
  std::ranges::stable_sort(tries, std::greater(), &LanguageTry::files);
  return tries;
}

// Nothing is printed of the run. What its progress line said last is why it took long.
class QuietOutput final : public output::RunOutput {
 public:
  void show_progress(std::string_view text) override {
    // "reading" stands there when the server says nothing of itself, as between its last word and its answer.
    if (text.find(';') != text.npos && !text.ends_with(": reading")) progress_ = text;
  }

  // What the server was doing, "indexing: 12/40"; empty if it did not say.
  std::string doing_of(const std::string& server) const {
    const std::size_t at = progress_.find("; " + server + ": ");
    return at == progress_.npos ? std::string() : progress_.substr(at + server.size() + 4);
  }

 private:
  std::string progress_;
};

class TrySink final : public output::AnswerSink {
 public:
  explicit TrySink(std::vector<LanguageTry>& tries) : tries_(tries) {}
  void add(std::size_t index, engine::DocumentAnswer answer) override {
    tries_[index].taken = io::Timers::Clock::now() - start_;
    tries_[index].answer = std::move(answer);
  }

 private:
  std::vector<LanguageTry>& tries_;
  io::Timers::Clock::time_point start_ = io::Timers::Clock::now();
};

Finding finding_about(const LanguageTry& one, const Result<engine::DocumentJob>& job,
                      const QuietOutput& output, Seconds limit) {
  const auto found = [&one](Condition condition, const std::string& text, std::string advice = {}) {
    return Finding{condition, one.language, counted(one.files, "file") + "; " + text, std::move(advice)};
  };
  if (!job)
    return found(is_among(one.language, by_the_way) ? Condition::note : Condition::broken,
                 "no server for them: " + job.error().message, job.error().advice);
  const std::string& name = job->server.name;
  const std::string server = fmt::format("{} ({})", name, job->server.command.program);
  const std::string log = fmt::format("symbols --log traffic.log {} records the LSP traffic", one.file);
  if (!one.taken)
    return found(Condition::broken,
                 fmt::format("{} has not answered {} within {:.1f} s", server, one.file, limit.count()), log);
  if (const auto& error = one.answer.error)
    return found(Condition::broken, fmt::format("{} did not answer {}: {}", server, one.file, error->message),
                 error->advice.empty() ? log : error->advice);
  const std::string text = fmt::format("{} answered {} in {:.1f} s: {} symbols", server, one.file,
                                       one.taken->count(), one.answer.rows ? one.answer.rows->size() : 0);
  if (*one.taken > long_wait) {
    const std::string doing = output.doing_of(name);
    return found(Condition::slow,
                 text + (doing.empty() ? "; most of that is the server's start" : "; it was " + doing),
                 "--warm keeps the server running for the next calls; symbols index keeps its answers");
  }
  if (name == "clangd" && is_among(one.language, "c cpp") && servers::nearest_database(job->path).empty())
    return found(Condition::note, text + "; without a compile_commands.json clangd guesses the flags",
                 "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make");
  return found(Condition::ok, text);
}

}  // namespace

Findings findings_about_languages(const fs::path& folder, const options::Configuration& configuration,
                                  const servers::ServerRegistry& registry, output::DumpArguments arguments) {
  const terminal::NearPaths near(folder);
  const Result<files::FoundFiles> found = files::find_source_files(
      near.of(folder), [&](const fs::path& file) { return registry.for_file(file) != nullptr; }, {},
      configuration.ignored);
  if (!found) return {finding_of("languages", found.error(), Condition::note)};
  std::vector<LanguageTry> tries = tries_in(*found, registry);
  if (tries.empty())
    return {{Condition::note, "languages", "no file of this folder is in a known language",
             "run this in a project, or symbols doctor DIR"}};

  for (const LanguageTry& one : tries) arguments.inputs.paths.push_back(one.file);
  if (!arguments.inputs.confine) arguments.inputs.confine = configuration.settings.confine;
  Result<engine::DocumentInputs> inputs = engine::find_document_inputs(arguments.inputs, registry);
  if (!inputs) return {finding_of("languages", inputs.error())};
  const std::vector<engine::DocumentInput> documents = inputs->documents;

  const auto limit = 3 * *arguments.answers.timeout;
  QuietOutput output;
  {
    io::EventLoop loop;
    output::Dump dump{arguments, index::index_inquiry(),
                      [&](const auto&, auto&) { return std::make_unique<TrySink>(tries); }};
    output::DocumentRun run(loop, nullptr, output, {std::move(dump), *std::move(inputs)},
                            [&loop] { loop.stop(); });
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&run](int signal_number) { run.stop(signal_number); });
    const io::Timers::Timer timer = loop.later(limit, [&run] { run.stop(SIGALRM); });
    loop.run();
    loop.cancel(timer);
    if (run.stopped_by() != 0 && run.stopped_by() != SIGALRM) output::die_by(run.stopped_by());
  }
  Findings findings;
  for (std::size_t i = 0; i < tries.size(); ++i)
    findings.push_back(finding_about(tries[i], documents[i].job, output, limit));
  return findings;
}

}  // namespace symbols::cli
