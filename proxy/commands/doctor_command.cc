#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/commands/commands.h"
#include "proxy/commands/doctor_languages.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_place.h"
#include "proxy/index/index_store.h"
#include "proxy/process/confinement.h"
#include "proxy/process/program_version.h"
#include "proxy/servers/program_search.h"
#include "proxy/servers/server_environment.h"
#include "proxy/settings/configuration.h"
#include "proxy/settings/version.h"
#include "proxy/setup/configured_programs.h"
#include "proxy/terminal/tell.h"
#include "proxy/warm/warm_address.h"
#include "proxy/warm/warm_client.h"
#include "table/escape.h"

namespace symbols::commands {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds program_limit{5000};
constexpr milliseconds keeper_limit{3000};

constexpr std::array<std::string_view, 4> condition_names = {"ok", "note", "slow", "broken"};

std::string_view condition_name(Condition condition) {
  return condition_names[static_cast<std::size_t>(condition)];
}

Finding of_error(std::string subject, const Error& error) {
  return {Condition::broken, std::move(subject), error.message, error.advice};
}

// Of this program, and of another one that a shell would start in its place.
Findings program_findings(const servers::LookupOptions& lookup) {
  const Result<setup::OwnProgram> own = setup::own_program(lookup);
  if (!own) return {of_error("program", own.error())};
  const std::string self = fmt::format("symbols {}, {}", settings::program_version(), own->path.string());
  const auto on_path =
      servers::find_programs("symbols", lookup.path, servers::ProjectBoundary({}, true)).found;
  std::error_code failure;
  Findings findings;
  if (on_path.empty()) {
    findings.push_back(
        {Condition::note, "program", self + "; no symbols is on the PATH",
         "put it, or a link to it, into a folder on the PATH; an editor's PATH may differ from a shell's"});
  } else if (fs::equivalent(on_path.front(), own->path, failure)) {
    findings.push_back({Condition::ok, "program", self});
  } else {
    findings.push_back(
        {Condition::note, "program",
         fmt::format("{}; another one comes first on the PATH: {}", self, on_path.front().string()),
         "remove the one that you do not want, or change the PATH"});
  }
  return findings;
}

// How far servers of a project that is not trusted are confined.
Finding kernel_finding() {
  if (!process::kernel_confines_writes())
    return {Condition::note, "kernel",
            "it cannot keep servers from writing files (no Landlock), so clangd gets only some of a "
            "project's flags",
            "use Linux 5.13 or newer (6.12 also keeps them from your other processes) with Landlock on"};
  std::string text = fmt::format("it keeps servers from writing (Landlock {})", process::landlock_version());
  if (!process::kernel_filters_system_calls())
    return {Condition::note, "kernel", text + ", but not from the network (no seccomp filter)",
            "use a kernel, and a container, with seccomp"};
  text += " and from the network (seccomp)";
  if (process::landlock_version() < process::landlock_with_signals)
    return {Condition::note, "kernel", text + ", but not from ending your other processes",
            "use Linux 6.12 or newer"};
  return {Condition::ok, "kernel", text + ", unless --trust-project or --no-confine is given"};
}

// Whether servers that are installed lack something that they need.
Findings server_findings(const servers::ServerRegistry& registry, const servers::LookupOptions& lookup) {
  Findings findings;
  for (const std::string& refused : lookup.refused_installs)
    findings.push_back({Condition::note, "servers", refused, "change its owner and mode, or remove it"});
  std::size_t installed = 0;
  for (const servers::ServerSpec& spec : registry.servers()) {
    const servers::ServerSearch search = servers::find_installed(spec, lookup);
    if (search.command) {
      ++installed;
    } else if (!search.is_missing) {
      findings.push_back(
          {Condition::note, "servers", search.command.error().message, search.command.error().advice});
    }
  }
  findings.insert(findings.begin(),
                  {Condition::ok, "servers",
                   fmt::format("{} of {} known servers are installed; symbols servers lists them", installed,
                               registry.servers().size())});
  return findings;
}

Findings index_findings(const fs::path& folder) {
  const Result<fs::path> place = index::index_folder();
  if (!place) return {of_error("index", place.error())};
  const Result<index::FoundIndex> found = index::find_index(folder);
  if (!found) {
    return {
        {Condition::note, "index", "this project has none; symbols find and map need one", "symbols index"}};
  }
  Result<index::IndexStore> store =
      index::IndexStore::open(found->file, index::IndexStore::Missing::is_error);
  if (!store) return {{Condition::broken, "index", store.error().message, "symbols index makes a new one"}};
  const Result<std::vector<index::OutlinedFile>> files = store->outlines();
  if (!files) return {{Condition::broken, "index", files.error().message, "symbols index makes a new one"}};
  const auto changed = std::ranges::count_if(*files, [&](const index::OutlinedFile& file) {
    return !file.content.is_of((found->root / file.path).string());
  });
  Finding finding{Condition::ok, "index", fmt::format("{} files of {}", files->size(), found->root.string())};
  if (changed > 0) {
    finding.condition = Condition::note;
    finding.text += fmt::format("; {} of them have changed or are gone", changed);
    finding.mend = "symbols index, or keep symbols index --watch running";
  }
  return {finding};
}

Findings warm_findings() {
  const Result<fs::path> folder = warm::runtime_folder();
  if (!folder) return {of_error("warm", folder.error())};
  Findings findings;
  std::size_t keepers = 0;
  std::size_t servers = 0;
  for (const fs::path& socket : warm::all_sockets(*folder)) {
    const Descriptor connection = warm::connect_to(socket);
    if (!connection) continue;  // of a process that was killed
    const warm::Reply reply = warm::ask(connection.get(), {.wanted = warm::Wanted::list}, keeper_limit);
    if (!reply.status) {
      findings.push_back({Condition::broken, "warm",
                          fmt::format("the process behind {} does not answer", socket.string()),
                          fmt::format("end it: fuser -k {}", setup::shell_word(socket.string()))});
      continue;
    }
    ++keepers;
    servers += static_cast<std::size_t>(std::ranges::count(reply.bytes, '\n'));
  }
  if (findings.empty()) {
    findings.push_back({Condition::ok, "warm",
                        keepers == 0
                            ? "nothing is kept"
                            : fmt::format("{} process{}, {} line{} of symbols warm", keepers,
                                          keepers == 1 ? "" : "es", servers, servers == 1 ? "" : "s")});
  }
  return findings;
}

// The programs that configurations start: each is looked at, and asked for its version, once.
class Programs {
 public:
  Programs(const servers::LookupOptions& lookup, const servers::ServerRegistry& registry)
      : lookup_(lookup), registry_(registry), boundary_(lookup.project_root, false) {}

  struct State {
    std::string problem{};  // empty: it answers
    std::string version{};  // empty: not asked
  };

  void add(const std::string& program) { states_.try_emplace(program); }

  // What is in the project is not run: its configuration may be somebody else's.
  void ask() {
    std::vector<process::VersionQuestion> questions;
    std::vector<State*> asked;
    for (auto& [program, state] : states_) {
      const fs::path path = path_of(program);
      if (path.empty()) {
        std::error_code failure;
        state.problem = !program.starts_with('/')      ? "is not on the PATH"
                        : fs::exists(program, failure) ? "is not executable"
                                                       : "does not exist";
        continue;
      }
      const servers::ServerSpec* const spec = registry_.by_program(path.filename().string());
      const bool is_ours = path.filename() == "symbols";
      if (boundary_.forbids(path) || (!is_ours && spec == nullptr)) continue;
      questions.push_back({path.string(),
                           is_ours ? std::vector<std::string>{"--version"} : spec->version_arguments,
                           {"PATH=" + servers::allowed_path(lookup_.path, boundary_)},
                           servers::allowed_environment(lookup_.environment, boundary_)});
      asked.push_back(&state);
    }
    const std::vector<Result<std::string>> answers = process::ask_versions(questions, program_limit);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (answers[i]) {
        asked[i]->version = *answers[i];
      } else {
        asked[i]->problem = "does not answer: " + answers[i].error().message;
      }
    }
  }

  const State& of(const std::string& program) const { return states_.at(program); }

 private:
  fs::path path_of(const std::string& program) const {
    if (program.starts_with('/')) return servers::is_program(program) ? fs::path(program) : fs::path();
    // The command itself looks for the newest clangd-N where there is no clangd.
    const servers::ServerSpec* const spec = registry_.by_program(program);
    const auto found =
        servers::find_programs(program, lookup_.path, servers::ProjectBoundary({}, true)).found;
    if (!found.empty()) return found.front();
    if (spec == nullptr) return {};
    const Result<servers::ServerCommand> command = servers::find_server(*spec, lookup_).command;
    return command ? fs::path(command->program) : fs::path();
  }

  const servers::LookupOptions& lookup_;
  const servers::ServerRegistry& registry_;
  servers::ProjectBoundary boundary_;
  std::map<std::string, State> states_;
};

Finding configuration_finding(const setup::FoundConfiguration& found, const Programs& programs) {
  const std::string name(found.target->name);
  const std::string file = found.file.string();
  const std::string again = fmt::format("symbols setup {} --write", name);
  if (found.error) {
    const std::string& message = found.error->message;
    return {Condition::broken, name, message.starts_with(file) ? message : file + ": " + message,
            found.error->advice.empty() ? "correct it, then: " + again : found.error->advice};
  }
  if (found.programs.empty())
    return {Condition::note, name, file + " starts nothing by symbols",
            "symbols setup " + name + " shows how"};
  std::vector<std::string> other_versions;
  for (const setup::StartedProgram& started : found.programs) {
    for (const std::string& program : {started.program, started.server}) {
      if (program.empty()) continue;
      const Programs::State& state = programs.of(program);
      if (!state.problem.empty())
        return {Condition::broken, name, fmt::format("{} starts {}, which {}", file, program, state.problem),
                program == started.server ? "install it, or name another one there: " + again : again};
      if (program == started.program && !state.version.empty() &&
          state.version != settings::program_version())
        other_versions.push_back(fmt::format("{} is version {}", program, state.version));
    }
  }
  if (!other_versions.empty())
    return {Condition::note, name,
            fmt::format("{}: {}, this is {}", file, other_versions.front(), settings::program_version()),
            again};
  return {Condition::ok, name, fmt::format("{} starts {}", file, found.programs.front().program)};
}

Findings configuration_findings(const servers::LookupOptions& lookup,
                                const servers::ServerRegistry& registry) {
  const std::vector<setup::FoundConfiguration> found =
      setup::found_configurations(files::UserFolders::from_environment());
  Programs programs(lookup, registry);
  for (const setup::FoundConfiguration& configuration : found) {
    for (const setup::StartedProgram& started : configuration.programs) {
      programs.add(started.program);
      if (!started.server.empty()) programs.add(started.server);
    }
  }
  programs.ask();
  Findings findings;
  for (const setup::FoundConfiguration& configuration : found)
    findings.push_back(configuration_finding(configuration, programs));
  return findings;
}

std::string findings_table(const Findings& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) width = std::max(width, finding.subject.size());
  std::string text;
  std::array<std::size_t, condition_names.size()> counts{};
  for (const Finding& finding : findings) {
    ++counts[static_cast<std::size_t>(finding.condition)];
    text += fmt::format("{:<6}  {:<{}}  {}\n", condition_name(finding.condition),
                        table::escaped(finding.subject), width, table::escaped(finding.text));
    if (!finding.mend.empty())
      text += fmt::format("{:{}}-> {}\n", "", width + 10, table::escaped(finding.mend));
  }
  const auto count = [&counts](Condition condition) { return counts[static_cast<std::size_t>(condition)]; };
  return text + fmt::format("\n{} broken, {} slow, {} to note\n", count(Condition::broken),
                            count(Condition::slow), count(Condition::note));
}

std::string findings_json(const Findings& findings) {
  std::string text = R"({"findings":[)";
  for (const Finding& finding : findings) {
    text += fmt::format(R"({}{{"condition":"{}","subject":{},"text":{},"mend":{}}})",
                        text.ends_with('[') ? "" : ",", condition_name(finding.condition),
                        lsp::json_string(finding.subject), lsp::json_string(finding.text),
                        finding.mend.empty() ? "null" : lsp::json_string(finding.mend));
  }
  return text + "]}\n";
}

}  // namespace

int run(const settings::DoctorArguments& arguments) {
  std::error_code failure;
  const fs::path folder = fs::canonical(arguments.folder, failure);
  if (failure || !fs::is_directory(folder, failure))
    return terminal::tell_error(
        {table::quoted(arguments.folder) + " is not a folder", "give a project's folder"}, 2);
  const fs::path root = files::find_project_root(folder / "file", {}, files::home_folder());
  const servers::LookupOptions lookup =
      servers::LookupOptions::from_environment(root, arguments.trust_project);

  Findings findings = program_findings(lookup);
  findings.push_back(kernel_finding());
  const auto add = [&findings](Findings more) { std::ranges::move(more, std::back_inserter(findings)); };
  const Result<settings::Configuration> configured = settings::configuration_of(folder.string());
  if (configured) {
    add({{Condition::ok, "settings",
          configured->given.empty()
              ? "none"
              : fmt::format("{}; symbols config lists them", configured->given.size())}});
  } else {
    add({of_error("settings", configured.error())});
  }
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) {
    add({of_error("servers", registry.error())});
    registry = servers::ServerRegistry::built_in();
  }
  add(server_findings(*registry, lookup));
  add(languages_of(folder, configured ? *configured : settings::Configuration(), *registry, arguments));
  add(index_findings(folder));
  add(warm_findings());
  add(configuration_findings(lookup, *registry));

  const std::string text = arguments.json ? findings_json(findings) : findings_table(findings);
  const bool written = terminal::print(text);
  return written && std::ranges::count(findings, Condition::broken, &Finding::condition) == 0 ? 0 : 1;
}

}  // namespace symbols::commands
