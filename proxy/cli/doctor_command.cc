#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "lsp/json/json.h"
#include "proxy/cli/command_line.h"
#include "proxy/cli/doctor_languages.h"
#include "proxy/daemon/warm_client.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_store.h"
#include "proxy/options/configuration.h"
#include "proxy/servers/program_search.h"
#include "proxy/setup/setup_plan.h"
#include "proxy/setup/setup_targets.h"
#include "proxy/system/confinement.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

std::string_view condition_name(Condition condition) {
  constexpr std::array<std::string_view, 4> names = {"ok", "note", "slow", "broken"};
  return names[static_cast<std::size_t>(condition)];
}

// This program, and another one that a shell would start in its place.
Finding program_finding(const servers::LookupOptions& lookup) {
  const Result<setup::OwnProgram> own = setup::own_program(lookup);
  if (!own) return finding_of("program", own.error());
  const std::string self = "symbols " SYMBOLS_VERSION ", " + own->path.string();
  const auto on_path =
      servers::find_programs("symbols", lookup.path, servers::ProjectBoundary({}, true)).found;
  if (on_path.empty()) {
    return {Condition::note, "program", self + "; no symbols is on the PATH",
            "put it, or a link to it, into a folder on the PATH; an editor's PATH may differ from a shell's"};
  }
  std::error_code failure;
  if (fs::equivalent(on_path.front(), own->path, failure)) return {Condition::ok, "program", self};
  return {Condition::note, "program",
          self + "; another one comes first on the PATH: " + on_path.front().string(),
          "remove the one that you do not want, or change the PATH"};
}

// How far servers of a project that is not trusted are confined.
Finding kernel_finding() {
  if (!system::kernel_confines_writes())
    return {Condition::note, "kernel",
            "it cannot keep servers from writing files (no Landlock), so clangd gets only some of a "
            "project's flags",
            "use Linux 5.13 or newer (6.12 also keeps them from your other processes) with Landlock on"};
  std::string text = fmt::format("it keeps servers from writing (Landlock {})", system::landlock_version());
  if (!system::kernel_filters_system_calls())
    return {Condition::note, "kernel", text + ", but not from the network (no seccomp filter)",
            "use a kernel, and a container, with seccomp"};
  text += " and from the network (seccomp)";
  if (system::landlock_version() < system::landlock_with_signals)
    return {Condition::note, "kernel", text + ", but not from ending your other processes",
            "use Linux 6.12 or newer"};
  return {Condition::ok, "kernel", text + ", unless --trust-project or --no-confine is given"};
}

Finding settings_finding(const Result<options::Configuration>& configured) {
  if (!configured) return finding_of("settings", configured.error());
  const std::size_t given = configured->given.size();
  return {Condition::ok, "settings",
          given == 0 ? "none" : fmt::format("{}; symbols config lists them", given)};
}

// Whether servers that are installed lack something that they need.
Findings server_findings(const servers::ServerRegistry& registry, const servers::LookupOptions& lookup) {
  Findings findings(1);
  for (const std::string& refused : lookup.refused_installs)
    findings.push_back({Condition::note, "servers", refused, "change its owner and mode, or remove it"});
  std::size_t installed = 0;
  for (const servers::ServerSpec& spec : registry.servers()) {
    const servers::ServerSearch search = servers::find_installed(spec, lookup);
    if (search.command) {
      ++installed;
    } else if (!search.is_missing) {
      findings.push_back(finding_of("servers", search.command.error(), Condition::note));
    }
  }
  findings.front() = {Condition::ok, "servers",
                      fmt::format("{} of {} known servers are installed; symbols servers lists them",
                                  installed, registry.servers().size())};
  return findings;
}

Finding index_finding(const fs::path& folder) {
  if (const Result<fs::path> place = index::index_folder(); !place) return finding_of("index", place.error());
  const Result<index::FoundIndex> found = index::find_index(folder);
  if (!found) {
    return {Condition::note, "index", "this project has none; symbols find and map need one",
            "symbols index"};
  }
  Result<index::IndexStore> store =
      index::IndexStore::open(found->file, index::IndexStore::Missing::is_error);
  const Result<std::vector<index::OutlinedFile>> files = store ? store->outlines() : store.error();
  if (!files) return {Condition::broken, "index", files.error().message, "symbols index makes a new one"};
  const auto changed = std::ranges::count_if(*files, [&](const index::OutlinedFile& file) {
    return !file.content.is_of((found->root / file.path).string());
  });
  const std::string text = fmt::format("{} files of {}", files->size(), found->root.string());
  if (changed == 0) return {Condition::ok, "index", text};
  return {Condition::note, "index", fmt::format("{}; {} of them have changed or are gone", text, changed),
          "symbols index, or keep symbols index --watch running"};
}

Findings warm_findings() {
  const Result<std::vector<daemon::Reply>> replies = daemon::ask_all(daemon::Wanted::list);
  if (!replies) return {finding_of("warm", replies.error())};
  Findings findings;
  std::ptrdiff_t servers = 0;
  for (const daemon::Reply& reply : *replies) {
    servers += std::ranges::count(reply.bytes, '\n');
    if (reply.status) continue;
    findings.push_back({Condition::broken, "warm",
                        fmt::format("the process behind {} does not answer", reply.socket.string()),
                        fmt::format("end it: fuser -k {}", setup::shell_word(reply.socket.string()))});
  }
  if (findings.empty())
    findings.push_back(
        {Condition::ok, "warm",
         replies->empty() ? "nothing is kept" : fmt::format("{} kept; symbols warm lists them", servers)});
  return findings;
}

// The first absolute path of a `symbols` in a configuration that is not a program here; empty without one.
std::string missing_symbols(std::string_view text) {
  constexpr std::string_view name = "/symbols";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end == text.size() || std::string_view("\"' ").find(text[end]) == std::string_view::npos) continue;
    const std::size_t begin = text.find_last_of("\"' \n", at) + 1;  // npos + 1 is the start
    const std::string_view path = text.substr(begin, end - begin);
    if (path.starts_with('/') && !servers::is_program(path)) return std::string(path);
  }
  return {};
}

// Compares the files of an editor or harness, which has some here, with what setup would write.
Finding configuration_finding(const setup::SetupTarget& target, const setup::SetupPaths& paths,
                              setup::LocalCommands commands) {
  const std::string place = paths.place().string();
  const std::string again = "symbols setup " + setup::setup_words(target);
  const auto found = [&](Condition condition, const std::string& what, std::string advice = {}) {
    return Finding{condition, std::string(target.name), what, std::move(advice)};
  };
  std::string text;
  bool is_current = false;
  std::string refusal;
  for (const bool table : {false, true}) {
    if (table && !target.has_table) continue;
    const setup::SetupPlan plan = setup::plan_setup(target, paths, commands, table);
    for (const setup::PlannedFile& file : plan.files) text += file.before.text;
    if (plan.refusal) text += plan.refusal->file.text;
    if (plan.refusal && !plan.refusal->by_hand) refusal = plan.refusal->error.message;
    is_current |= std::ranges::none_of(plan.files, &setup::PlannedFile::changes);
  }
  if (const std::string missing = missing_symbols(text); !missing.empty())
    return found(Condition::broken, fmt::format("{} starts {}, which is not a program", place, missing),
                 again + " --write");
  if (!refusal.empty()) return found(Condition::note, refusal, again + " prints what to add");
  // Not any `symbols`: many an init.el has prettify-symbols-mode.
  if (text.find("/symbols") == text.npos && text.find("\"symbols\"") == text.npos)
    return found(Condition::note, place + " starts nothing by symbols", again + " shows how");
  if (!is_current)
    return found(Condition::note, place + " is not as setup would write it now", again + " shows how");
  return found(Condition::ok, place + " starts symbols");
}

Findings configuration_findings(const servers::LookupOptions& lookup,
                                const servers::ServerRegistry& registry) {
  const Result<setup::OwnProgram> own = setup::own_program(lookup);
  if (!own) return {};
  const files::UserFolders folders = files::UserFolders::from_environment();
  std::map<fs::path, Finding> findings;
  for (const setup::SetupTarget& target : setup::setup_targets()) {
    const Result<setup::SetupPaths> paths = setup::setup_paths(target, folders, {});
    if (!paths || target.pieces.empty() || !files::is_there(paths->place())) continue;
    Finding finding = configuration_finding(
        target, *paths,
        {own->path.string(), paths->own_folder.string(), registry, lookup, target.other_servers});
    // One file may have language servers and tools: only the better finding counts.
    const auto [same, is_first] = findings.try_emplace(paths->place(), finding);
    if (!is_first && finding.condition < same->second.condition) same->second = std::move(finding);
  }
  Findings all;
  for (auto& [place, finding] : findings) all.push_back(std::move(finding));
  return all;
}

std::string findings_table(const Findings& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const Finding& finding : findings) {
    rows.push_back({std::string(condition_name(finding.condition)), table::escaped(finding.subject),
                    table::escaped(finding.text)});
    if (!finding.advice.empty()) rows.push_back({"", "", "-> " + table::escaped(finding.advice)});
  }
  const auto count = [&](Condition condition) {
    return std::ranges::count(findings, condition, &Finding::condition);
  };
  return terminal::columns(rows) + fmt::format("\n{} broken, {} slow, {} to note\n", count(Condition::broken),
                                               count(Condition::slow), count(Condition::note));
}

std::string findings_json(const Findings& findings) {
  std::string text = R"({"findings":[)";
  for (const Finding& finding : findings) {
    text += fmt::format(R"({}{{"condition":"{}","subject":{},"text":{},"mend":{}}})",
                        text.ends_with('[') ? "" : ",", condition_name(finding.condition),
                        lsp::json_string(finding.subject), lsp::json_string(finding.text),
                        finding.advice.empty() ? "null" : lsp::json_string(finding.advice));
  }
  return text + "]}\n";
}

}  // namespace

Result<int> run_doctor(const Given& given) {
  Result<output::DumpArguments> arguments = document_of(given);
  if (!arguments) return arguments.error();
  if (!arguments->answers.timeout) arguments->answers.timeout = std::chrono::seconds(20);
  const std::string asked = given.argument(0, ".");
  std::error_code failure;
  const fs::path folder = fs::canonical(asked, failure);
  if (failure || !fs::is_directory(folder, failure))
    return terminal::tell_error({table::quoted(asked) + " is not a folder", "give a project's folder"}, 2);
  const fs::path root = files::find_project_root(folder / "file", {}, files::home_folder());
  const servers::LookupOptions lookup =
      servers::LookupOptions::from_environment(root, given.has("--trust-project"));

  const Result<options::Configuration> configured = options::configuration_of(folder.string());
  Findings findings = {program_finding(lookup), kernel_finding(), settings_finding(configured)};
  const auto add = [&findings](Findings more) { std::ranges::move(more, std::back_inserter(findings)); };
  Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) {
    findings.push_back(finding_of("servers", registry.error()));
    registry = servers::ServerRegistry::built_in();
  }
  add(server_findings(*registry, lookup));
  add(findings_about_languages(folder, configured ? *configured : options::Configuration(), *registry,
                               *std::move(arguments)));
  findings.push_back(index_finding(folder));
  add(warm_findings());
  add(configuration_findings(lookup, *registry));

  const std::string text =
      given.answers.format == table::Format::json ? findings_json(findings) : findings_table(findings);
  const bool written = terminal::print(text);
  return written && std::ranges::count(findings, Condition::broken, &Finding::condition) == 0 ? 0 : 1;
}

}  // namespace symbols::cli
