#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/filesystem.h"
#include "base/text.h"
#include "lsp/frame.h"
#include "lsp/messages.h"
#include "lsp/requests.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/project_root.h"
#include "proxy/files/traffic_log.h"
#include "proxy/io/event_loop.h"
#include "proxy/servers/program_search.h"
#include "proxy/servers/server_lookup.h"
#include "proxy/servers/server_registry.h"
#include "proxy/session/proxy_session.h"
#include "proxy/system/confinement.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr int cannot_be_run = 126;  // as in shells
constexpr int not_found = 127;

// What a user calls a request of the server: the last part of its method, as it is unique.
constexpr auto answerable = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"configuration", "workspace/configuration"},
    {"workspaceFolders", "workspace/workspaceFolders"},
    {"registerCapability", "client/registerCapability"},
    {"unregisterCapability", "client/unregisterCapability"},
    {"workDoneProgress", "window/workDoneProgress/create"},
    {"showMessageRequest", "window/showMessageRequest"},
    {"showDocument", "window/showDocument"},
    {"applyEdit", "workspace/applyEdit"},
    {"refresh", "workspace/semanticTokens/refresh"},
    {"refresh", "workspace/inlayHint/refresh"},
    {"refresh", "workspace/inlineValue/refresh"},
    {"refresh", "workspace/codeLens/refresh"},
    {"refresh", "workspace/diagnostic/refresh"},
    {"refresh", "workspace/foldingRange/refresh"},
});

Error not_there(const servers::ServerRegistry& registry, const std::string& name, std::string_view what) {
  const servers::ServerSpec* spec = registry.by_program(fs::path(name).filename().string());
  return {fmt::format("{} {}", what, table::quoted(name)), spec != nullptr && !spec->install.empty()
                                                               ? "install it: " + spec->install
                                                               : "check its name and the PATH"};
}

Error cannot_run(const std::string& name, std::string_view why, std::string_view advice) {
  return {fmt::format("the server {} cannot be run: {}", table::quoted(name), why), std::string(advice)};
}

// The path of a known server with the program `name` that is installed under another name (Debian installs
// clangd only as clangd-19) or among our npm packages. Empty if there is none.
std::string find_elsewhere(const servers::ServerRegistry& registry, const std::string& name) {
  const servers::ServerSpec* known = registry.by_program(name);
  if (known == nullptr) return {};
  servers::ServerSpec spec = *known;
  // clangd-18 is not clangd-19, and another server for the language takes other arguments.
  std::erase_if(spec.commands, [&](const auto& command) { return command.front() != name; });
  if (spec.commands.empty()) return {};
  const auto options = servers::LookupOptions::from_environment({}, /*trust_project=*/true);
  for (const std::string& refused : options.refused_installs) terminal::tell("note: " + refused);
  const Result<servers::ServerCommand> found = servers::find_server(spec, options).command;
  return found ? found->program : std::string();
}

// The path of the program that a shell would run for `name`, else of the known server of that name.
Result<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (servers::is_program(name)) return name;
    return not_there(servers::ServerRegistry::built_in(), name, "there is no server");
  }
  const char* path = std::getenv("PATH");
  const servers::ProgramSearch search = servers::find_programs(
      name, path != nullptr ? path : "", servers::ProjectBoundary({}, /*trust_project=*/true));
  if (!search.found.empty()) return search.found.front().string();
  const servers::ServerRegistry registry = servers::ServerRegistry::built_in();
  std::string program = find_elsewhere(registry, name);
  if (program.empty()) return not_there(registry, name, "there is no server on the PATH called");
  terminal::tell(fmt::format("note: {} is not on the PATH; starting {}", table::quoted(name), program));
  return program;
}

// Answers the client's first request, which is initialize, so that the client does not wait for a server that
// never starts. Waits a moment for the request, because the client may be slower than we are.
void answer_first_request(const Error& reason) {
  using Clock = steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(5);
  lsp::FrameReader reader(std::uint64_t{16} << 20);
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (left.count() <= 0 || ::poll(&input, 1, static_cast<int>(left.count())) <= 0) return;
    char buffer[16384];
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0) return;
    std::string_view bytes(buffer, static_cast<std::size_t>(size));
    for (;;) {
      const Result<std::optional<std::string_view>> body = reader.next(bytes);
      if (!body) return;
      if (!*body) break;
      const Result<lsp::Envelope> envelope = lsp::read_envelope(**body);
      if (!envelope || envelope->kind != lsp::Envelope::Kind::request) continue;
      const std::string answer =
          lsp::frame(lsp::error_body(envelope->id, lsp::error_json(lsp::error_code::internal_error,
                                                                   reason.text(), R"({"retry":false})")));
      (void)!::write(STDOUT_FILENO, answer.data(), answer.size());
      return;
    }
  }
}

int refuse(int status, const Error& reason) {
  terminal::tell(reason.text());
  answer_first_request(reason);
  return status;
}

Result<void> read_restart(const Given& given, session::RestartOptions& restart) {
  restart.enabled = given.has("--restart");
  for (const char* const flag : {"--restart-limit", "--stall-timeout"}) {
    if (given.has(flag) && !restart.enabled)
      return Error{std::string(flag) + " needs --restart", "give both, or neither"};
  }
  if (given.has("--restart-limit")) {
    const std::string text = given.text("--restart-limit");  // "5/3": restarts, minutes
    std::string_view rest = text;
    const auto most = whole_number<std::size_t>(take_part(rest, '/'));
    const auto minutes = whole_number<int>(rest);
    if (!(most >= 1 && most <= 1000 && minutes >= 1 && minutes <= 24 * 60))
      return options::OptionValue::of_text("--restart-limit", text)
          .error("1 to 1000 restarts and 1 to 1440 minutes, such as 5/3");
    restart.max_restarts = *most;
    restart.window = std::chrono::minutes(*minutes);
  }
  if (given.has("--stall-timeout")) {
    const std::string text = given.text("--stall-timeout");
    const auto time = options::OptionValue::of_text("--stall-timeout", text).time();
    if (!time) return time.error();
    restart.stall_timeout = *time;
  }
  return {};
}

Result<session::ProxyOptions> read_proxy(const Given& given) {
  if (const Result<void> fits = given.answers.check("--max-tokens"); !fits) return fits.error();
  session::ProxyOptions session{.version = SYMBOLS_VERSION, .answers = given.answers};
  if (given.has("--answer")) {
    Result<std::set<std::string, std::less<>>> methods = answered_methods(given.text("--answer"));
    if (!methods) return methods.error();
    session.answered_methods = std::move(*methods);
  }
  if (given.has("--auto-open") || given.has("--no-auto-open")) session.auto_open = given.has("--auto-open");
  session.ascii = given.has("--ascii");
  session.stats = given.has("--stats");
  session.confine = given.answers.confine.value_or(false);
  if (const Result<void> read = read_restart(given, session.restart); !read) return read.error();
  if (given.arguments.empty())
    return Error{"no server given", "give its command after --, such as: symbols proxy -- clangd"};
  session.server_arguments.assign(given.arguments.begin() + 1, given.arguments.end());
  return session;
}

}  // namespace

std::vector<std::string> answer_names() {
  std::vector<std::string> names;
  for (const auto& [name, method] : answerable) {
    if (names.empty() || names.back() != name) names.emplace_back(name);
  }
  return names;
}

Result<std::set<std::string, std::less<>>> answered_methods(std::string_view list) {
  std::set<std::string, std::less<>> methods;
  for (const std::string_view given : split(list, ',')) {
    bool is_known = false;
    for (const auto& [name, method] : answerable) {
      if (given != "all" && given != name && given != method) continue;
      methods.emplace(method);
      is_known = true;
    }
    if (!is_known) {
      return Error{fmt::format("--answer: {} is not a request that can be answered for a client",
                               table::quoted(given)),
                   fmt::format("give some of {}, joined by commas, or all", fmt::join(answer_names(), ", "))};
    }
  }
  return methods;
}

Result<int> run_proxy(const Given& given) {
  Result<session::ProxyOptions> options = read_proxy(given);
  if (!options) return options.error();
  const std::string name = given.arguments.front();
  if (name.find('/') != name.npos && files::is_there(name) && !servers::is_program(name))
    return refuse(cannot_be_run, cannot_run(name, "it is not an executable file", "check its permissions"));
  Result<std::string> program = find_program(name);
  if (!program) return refuse(not_found, program.error());
  options->program = *std::move(program);
  std::optional<files::TrafficLog> log;
  if (!given.text("--log").empty()) {
    Result<files::TrafficLog> opened = files::TrafficLog::open(given.text("--log"));
    if (!opened) return terminal::tell_error(opened.error(), 2);
    log = std::move(*opened);
  }
  const bool confine = options->confine;
  if (confine) {
    if (const std::optional<Error> error = system::confinement_error()) return refuse(cannot_be_run, *error);
  }
  io::EventLoop loop;
  session::ProxySession session(loop, *std::move(options), log ? &*log : nullptr);
  if (const Result<void> started = session.start(); !started) {
    return refuse(cannot_be_run, cannot_run(name, started.error().message,
                                            confine ? "it was to be confined: try it without --confine"
                                                    : "run the command by itself"));
  }
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&session](int) { session.stop_requested(); });
  return session.run();
}

}  // namespace symbols::cli
