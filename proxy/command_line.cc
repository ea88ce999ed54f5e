#include "proxy/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "table/escape.h"

namespace symbols::proxy {
namespace {

constexpr const char* footer = R"(
Examples:
  symbols src/app.ts                      the symbols of one file, with hovers
  symbols src/app.ts include/app.hpp      several files: each under a line ==> path <==
  symbols --no-hover --children no src    a folder, top level only; honours .gitignore
  symbols --format json lib.py            LSP's own DocumentSymbol[]
  symbols --server 'clangd --log=error' --root . src/main.cc
  git show HEAD:app.ts | symbols --language typescript -
  symbols servers                         which language servers are found here
  symbols proxy -- clangd                 for a client that starts clangd: see symbols proxy --help

Exit status: 0 answered; 1 at least one input could not be answered; 2 the command line is wrong.)";

// CLI11 2.1 has no other way to say what the two uses are.
class UsageFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    if (app->get_parent() == nullptr) {
      return "Usage: symbols [OPTIONS] PATH...\n"
             "       symbols proxy [OPTIONS] -- SERVER [ARGUMENT...]\n"
             "       symbols servers\n";
    }
    return "Usage: symbols " + app->get_name() +
           (app->get_name() == "proxy" ? " [OPTIONS] -- SERVER [ARGUMENT...]\n" : "\n");
  }
};

// A count from 0 on, or the reason why `text` is none.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

// "1500", "1500ms", "30s", "2m": milliseconds without a unit, as `timeout_ms` has them.
Result<std::chrono::milliseconds> parse_timeout(std::string_view text) {
  constexpr std::uint64_t longest = 24 * 60 * 60 * 1000;
  std::string_view digits = text;
  std::uint64_t unit = 1;
  if (digits.ends_with("ms")) {
    digits.remove_suffix(2);
  } else if (digits.ends_with('s')) {
    unit = 1000;
    digits.remove_suffix(1);
  } else if (digits.ends_with('m')) {
    unit = 60'000;
    digits.remove_suffix(1);
  }
  const std::optional<std::uint64_t> number = parse_number(digits);
  if (!number || *number == 0 || *number > longest / unit) {
    return Error{fmt::format("--timeout: {} is no time", table::quoted(text)),
                 "give milliseconds from 1 to a day's, or a number with the unit ms, s or m, such as 30s"};
  }
  return std::chrono::milliseconds(*number * unit);
}

Result<std::size_t> parse_hover_chars(std::string_view text) {
  const std::optional<std::uint64_t> number = parse_number(text);
  if (!number || *number > 1'000'000'000) {
    return Error{fmt::format("--hover-chars: {} is no limit", table::quoted(text)),
                 "give a number of characters, 0 for no limit"};
  }
  return static_cast<std::size_t>(*number);
}

// The options of `symbols proxy` as they were typed.
struct ProxyTexts {
  std::string format;
  std::string children;
  std::string hover_chars;
  std::string hover_reply;
  std::string carrier;
  std::string timeout;
  std::string answer;
  bool hover = false;
  bool no_hover = false;
  bool auto_open = false;
  bool no_auto_open = false;
};

void add_proxy_options(CLI::App& app, ProxyTexts& texts, ProxyArguments& proxy) {
  app.add_option("--format", texts.format,
                 "table (default); json or standard: LSP's own replies, as the server sends them")
      ->type_name("FORMAT");
  app.add_option("--children", texts.children,
                 "no: top level only (default of table); yes: all; auto: all where that is at most 100 rows; "
                 "a number: that many levels")
      ->type_name("LEVELS");
  app.add_flag("--hover", texts.hover, "With HOVER_INFO (default for table); with json: hovers in 'detail'");
  app.add_flag("--no-hover", texts.no_hover, "Without hovers");
  app.add_option("--hover-chars", texts.hover_chars,
                 "Longest hover, in characters; 0: no limit (default 200 in a table)")
      ->type_name("N");
  app.add_option("--hover-reply", texts.hover_reply,
                 "Answer to a hover request: row (default), text, standard (default with json)")
      ->type_name("FORM");
  app.add_option("--carrier", texts.carrier,
                 "object (default), or symbol: one DocumentSymbol whose name is the text")
      ->type_name("FORM");
  app.add_option("--timeout", texts.timeout, "Longest wait for the hovers of a table (default 10s)")
      ->type_name("TIME");
  app.add_flag("--auto-open", texts.auto_open,
               "Open documents for a client that does not (default in a text format)");
  app.add_flag("--no-auto-open", texts.no_auto_open, "Never open documents for the client");
  app.add_option("--answer", texts.answer,
                 "Answer these requests of the server for a client that does not: configuration, "
                 "registerCapability, ...; all")
      ->type_name("LIST");
  app.add_flag("--ascii", proxy.ascii, "Write every message in pure ASCII");
  app.add_flag("--stats", proxy.stats, "At the end, print what was intercepted and what it saved");
  app.add_option("--log", proxy.log, "Write the LSP traffic to this file")->type_name("FILE");
}

// Sets `to` to what `parsed` has. Returns what is wrong with it.
template <class T>
std::string take(std::optional<T>& to, const Result<T>& parsed) {
  if (!parsed) return parsed.error().text();
  to = *parsed;
  return {};
}

// What is wrong with them, or nothing.
std::string read_proxy_options(const ProxyTexts& texts, ProxyArguments& proxy) {
  AnswerOptions& answers = proxy.answers;
  std::string fault;
  const auto read = [&fault](const std::string& text, auto& to, auto&& parse) {
    if (fault.empty() && !text.empty()) fault = take(to, parse(text));
  };
  read(texts.format, answers.format, [](const auto& text) { return parse_format("--format", text); });
  read(texts.children, answers.return_children,
       [](const auto& text) { return table::parse_levels("--children", text); });
  read(texts.hover_chars, answers.hover_chars, parse_hover_chars);
  read(texts.hover_reply, answers.hover_reply,
       [](const auto& text) { return parse_hover_reply("--hover-reply", text); });
  read(texts.carrier, answers.carrier, [](const auto& text) { return parse_carrier("--carrier", text); });
  read(texts.timeout, answers.timeout, parse_timeout);
  std::optional<ServerAnswers> answer_server;
  read(texts.answer, answer_server, [](const auto& text) { return ServerAnswers::parse("--answer", text); });
  if (answer_server) proxy.answer_server = std::move(*answer_server);
  if (!fault.empty()) return fault;
  if (texts.hover && texts.no_hover) return "--hover and --no-hover exclude each other; give one of them";
  if (texts.auto_open && texts.no_auto_open) {
    return "--auto-open and --no-auto-open exclude each other; give one of them";
  }
  if (texts.hover || texts.no_hover) answers.include_hover = texts.hover;
  if (texts.auto_open || texts.no_auto_open) proxy.auto_open = texts.auto_open;
  return {};
}

Finished wrong(const std::string& what) {
  return {2, "", "symbols: " + what + "\nTry 'symbols --help'.\n"};
}

}  // namespace

std::string program_version() {
  return SYMBOLS_VERSION;
}

CommandLine parse_command_line(int argc, const char* const* argv) {
  DumpArguments dump;
  ServersArguments servers;
  CLI::App app{"Prints the symbols of source files, as language servers know them, as a compact table.",
               "symbols"};
  app.footer(footer);
  app.set_version_flag("--version", "symbols " + program_version());
  app.formatter(std::make_shared<UsageFormatter>());

  std::string children = "yes";
  std::string hover_chars = "200";
  std::string timeout;
  std::string format = "table";
  bool hover = false;
  bool no_hover = false;
  app.add_option("PATH", dump.paths, "Files and folders; - for standard input (with --language)")
      ->type_name("");
  app.add_option("--format", format, "table (default) or json")->type_name("FORMAT");
  app.add_option("--children", children,
                 "no: top level only; yes: all (default); auto: all where that is at most 100 rows; "
                 "a number: that many levels")
      ->type_name("LEVELS");
  app.add_flag("--hover", hover, "With HOVER_INFO (default for table); with json: hovers in 'detail'");
  app.add_flag("--no-hover", no_hover, "Without hovers, which is much faster");
  app.add_option("--hover-chars", hover_chars, "Longest hover, in characters; 0: no limit (default 200)")
      ->type_name("N");
  app.add_option("--language", dump.language,
                 "Language id (typescript, cpp, python, ...) instead of by the file's name")
      ->type_name("ID");
  app.add_option("--server", dump.server,
                 "Server to use: a name that 'symbols servers' lists, or a command line")
      ->type_name("'CMD ARGS'");
  app.add_option("--root", dump.root,
                 "The project's folder, instead of the nearest with a project file or .git")
      ->type_name("DIR");
  app.add_option(
         "--timeout", timeout,
         "Longest silence of a server: 5000, 5000ms, 5s, 2m (default 120s before the symbols, 30s after)")
      ->type_name("TIME");
  app.add_option("--log", dump.log, "Write the LSP traffic to this file")->type_name("FILE");
  app.add_flag("--trust-project", dump.trust_project,
               "Let servers run what lies in the project: its own TypeScript, its build scripts");
  CLI::App* list = app.add_subcommand(
      "servers", "List the language servers: found, their versions, how to get the others");
  list->add_flag("--trust-project", servers.trust_project, "Count those that lie in this folder's project");

  ProxyArguments proxy;
  CLI::App* middle =
      app.add_subcommand("proxy", "Stand between a client and a language server, on stdin and stdout");
  middle->prefix_command();
  ProxyTexts proxy_texts;
  add_proxy_options(*middle, proxy_texts, proxy);

  // What follows `--` is the server's command, whatever it looks like.
  const char* const* const end = argv + argc;
  const char* const* const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  const bool is_proxy = argc > 1 && std::string_view(argv[1]) == "proxy";
  try {
    app.parse(is_proxy ? static_cast<int>(dashes - argv) : argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Finished{0, (list->parsed() ? list : middle->parsed() ? middle : &app)->help(), ""};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "symbols " + program_version() + "\n", ""};
  } catch (const CLI::ParseError& error) {
    return wrong(error.what());
  }
  if (list->parsed()) {
    if (!dump.paths.empty())
      return wrong("'servers' takes no paths; for a file of that name write ./servers");
    return servers;
  }

  if (middle->parsed()) {
    proxy.server = middle->remaining();
    if (!proxy.server.empty() && proxy.server.front().starts_with('-')) {
      return wrong(fmt::format("proxy has no option {}; the server's own stand behind -- and its name",
                               table::quoted(proxy.server.front())));
    }
    if (const std::string fault = read_proxy_options(proxy_texts, proxy); !fault.empty()) return wrong(fault);
    // Behind the server's name `--` is one of its arguments.
    if (dashes != end) proxy.server.insert(proxy.server.end(), dashes + (proxy.server.empty() ? 1 : 0), end);
    if (proxy.server.empty()) {
      return wrong("no server given; give its command behind --, such as: symbols proxy -- clangd");
    }
    return proxy;
  }

  if (dump.paths.empty()) return wrong("no file given");
  if (format == "json") {
    dump.format = OutputFormat::json;
  } else if (format != "table") {
    return wrong(fmt::format("--format: {} is no format; give table or json", table::quoted(format)));
  }
  const Result<table::Levels> levels = table::parse_levels("--children", children);
  if (!levels) return wrong(levels.error().text());
  dump.levels = *levels;
  const Result<std::size_t> chars = parse_hover_chars(hover_chars);
  if (!chars) return wrong(chars.error().text());
  dump.hover_chars = *chars;
  if (!timeout.empty()) {
    const Result<std::chrono::milliseconds> limit = parse_timeout(timeout);
    if (!limit) return wrong(limit.error().text());
    dump.timeout = *limit;
  }
  if (hover && no_hover) return wrong("--hover and --no-hover exclude each other; give one of them");
  if (hover) dump.hovers = true;
  if (no_hover) dump.hovers = false;
  for (const std::string& path : dump.paths) {
    if (path.empty()) return wrong("a path is empty");
    if (path == "-" && dump.language.empty())
      return wrong("- (standard input) needs --language, such as --language typescript");
  }
  if (std::count(dump.paths.begin(), dump.paths.end(), "-") > 1)
    return wrong("- (standard input) is given twice");
  return dump;
}

}  // namespace symbols::proxy
