#include "proxy/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "proxy/cli/answer_flags.h"
#include "proxy/cli/command_help.h"
#include "proxy/cli/index_flags.h"
#include "proxy/cli/input_flags.h"
#include "proxy/cli/restart_flags.h"
#include "proxy/cli/setting_flags.h"
#include "proxy/cli/setup_flags.h"
#include "proxy/cli/shell_commands.h"
#include "proxy/cli/short_options.h"
#include "proxy/cli/unexpected_words.h"
#include "proxy/settings/source_place.h"
#include "proxy/settings/version.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr const char* footer = R"(
Examples:
  symbols src/app.ts                      the symbols of one file, with hovers
  symbols -f tree -H src                  a folder, in few tokens; honours .gitignore
  symbols src/app.ts:24                   the symbol on line 24, as context prints it
  symbols context src/app.ts area         one symbol: hover, source, references, callers
  symbols index                           index the symbols of this project
  symbols find Cache -k Class             search that index by name
  symbols map src -n 2000                 its most used names, in 2,000 tokens
  symbols src/app.ts include/app.hpp      several files: each under a line ==> path <==
  symbols -f json lib.py                  LSP's own DocumentSymbol[]
  symbols -s 'clangd --log=error' -r . src/main.cc
  git show HEAD:app.ts | symbols -l typescript -
  symbols servers                         which language servers are installed
  symbols setup opencode --write          configure an editor or agent harness
  symbols proxy -- clangd                 for a client that starts clangd
  symbols mcp                             for an agent that uses MCP tools

symbols COMMAND -h: help for a command; --help: all options. After --, words are paths.
Exit status: 0 answered; 1 an input could not be answered; 2 wrong command line.)";

constexpr const char* trust_help =
    "Let servers run code of the project: its own TypeScript, its build scripts";

// Flags about finding and running the server of a document.
void add_server_flags(CLI::App& app, settings::DumpArguments& document) {
  app.add_option(with_letter("--language"), document.inputs.language,
                 "Language id (typescript, cpp, ...),\ninstead of the one that the file's name implies")
      ->type_name("ID");
  app.add_option(with_letter("--server"), document.inputs.server,
                 "A name from 'symbols servers', or a command line")
      ->type_name("SERVER");
  app.add_option(with_letter("--root"), document.inputs.root,
                 "Project root,\ninstead of the nearest folder with a project file or .git")
      ->type_name("DIR");
  app.add_option("--log", document.log, "Write the LSP traffic to this file")->type_name("FILE");
  add_trust_flags(app, trust_help, document.inputs.trust_project, document.inputs.confine);
}

constexpr const char* context_footer = R"(
FILE:LINE selects the symbol declared on that line, else the innermost symbol around it; with COLUMN, the symbol
at that position. Both count from 1, columns in UTF-16 units. If several symbols have the name, their positions
are listed.

Examples:
  symbols context src/app.ts:24
  symbols context src/app.ts calculateArea -i references:50,callers:0
  symbols context calculateArea             finds its file in the index (see symbols index)
  symbols context src/app.ts:24:9 --children yes -n 500

Exit status: 0 answered; 1 there is no such symbol, or no answer; 2 wrong command line.)";

constexpr const char* proxy_footer = R"(
Configure the client to start this instead of the server. Requests for symbols and hovers are answered according
to these options, or to the client's initializationOptions.symbols; all other messages pass byte for byte.

Examples:
  symbols proxy -- clangd --log=error
  symbols proxy -f tree -n 4000 -- typescript-language-server --stdio
  symbols proxy -f standard --log traffic.log -- gopls
  symbols proxy --restart -- clangd       another clangd where one crashes
  symbols proxy --confine -- clangd       without network, and without writing

Exit status: the server's own; 128+N if signal N ended it; 127 if it is not found,
126 if it cannot be run; 2 wrong command line.)";

constexpr const char* convert_footer = R"(
No server is involved. A table or TSV without a column that the other format needs is an error.

Examples:
  symbols convert --from json --to tree reply.json
  symbols -f packed src/app.ts | symbols convert --from packed --to outline -H

Exit status: 0 converted; 1 the input cannot be converted; 2 wrong command line.)";

constexpr const char* servers_footer = R"(
Your own servers: ~/.config/symbols/servers.json, see docs/servers.md.

Examples:
  symbols servers
  symbols -s pyright src/app.py           use one of them by its name

Exit status: 0 listed; 1 servers.json is wrong; 2 wrong command line.)";

constexpr const char* config_footer = R"(
settings::Settings come from the environment, the project's .symbols.json and ~/.config/symbols/config.json;
see docs/configuration.md.

Examples:
  symbols config
  symbols config src -f json              the settings that apply to src
  SYMBOLS_FORMAT=tree symbols config

Exit status: 0 listed; 1 a file or a variable is wrong; 2 wrong command line.)";

constexpr const char* doctor_footer = R"(
Each finding is ok, note, slow or broken, and says how to fix it. One file of each language is tried with a real
server. The configurations of editors and agents are read, and the programs that they name are asked for their version.

Examples:
  symbols doctor
  symbols doctor src -t 60s               for servers that are slow to load
  symbols doctor -f json                  for programs

Exit status: 0 nothing is broken; 1 something is; 2 wrong command line.)";

constexpr const char* warm_footer = R"(
Examples:
  symbols --warm src/app.ts               keeps its server for ten minutes
  symbols warm                            list them
  symbols warm --stop

Exit status: 0 listed or stopped; 1 the background process does not answer; 2 wrong command line.)";

constexpr const char* mcp_footer = R"(
The tools are outline, find, context, map, diagnostics and hover. They answer only about files in the
client's roots or, if the client has none, in the folder that symbols was started in. Client configuration:

  {"mcpServers": {"symbols": {"command": "symbols", "args": ["mcp"]}}}

Examples:
  symbols mcp
  symbols mcp -r ~/src/project            only this folder, whatever the client's roots

Exit status: 0 the client closed the connection; 2 wrong command line.)";

// The flags of `symbols proxy` that are not options of an answer, as typed.
struct ProxyFlags {
  std::string answer;
  bool auto_open = false;
  bool no_auto_open = false;
  RestartFlags restart{};
};

// The formats of `symbols convert`, as typed.
struct ConvertFlags {
  std::string from;
  std::string to;
};

void add_convert_flags(CLI::App& app, ConvertFlags& flags, settings::ConvertArguments& convert) {
  app.add_option("FILE", convert.file, "File to convert; - (default) for standard input")->type_name("");
  app.add_option("--from", flags.from,
                 "table, tree, tsv, toon, packed, ndjson, or json (a documentSymbol reply)")
      ->type_name("FORMAT");
  app.add_option("--to", flags.to, "table, tree, outline, tsv, toon, packed, json or ndjson")
      ->type_name("FORMAT");
  app.add_option("--hovers", convert.hovers,
                 "With --from json: a file with an array of hover replies, one for each symbol in pre-order")
      ->type_name("FILE");
}

Result<void> read_convert_flags(const ConvertFlags& flags, settings::ConvertArguments& convert) {
  if (flags.from.empty() || flags.to.empty()) {
    return Error{"convert needs both formats",
                 "give --from FORMAT and --to FORMAT, such as: symbols convert "
                 "--from json --to tree reply.json"};
  }
  constexpr std::array others = {table::Format::ndjson};
  const Result<table::Format> from = table::parse_format("--from", flags.from, others);
  if (!from) return from.error();
  const Result<table::Format> to = table::parse_format("--to", flags.to, others);
  if (!to) return to.error();
  convert.from = *from;
  convert.answers.format = *to;
  if (!convert.hovers.empty() && convert.from != table::Format::json) {
    return Error{"--hovers needs --from json", "the other formats have hovers of their own"};
  }
  if (convert.hovers == "-" && convert.file == "-") {
    return Error{"standard input cannot be both the symbols and the hovers", "give one of them as a file"};
  }
  return convert.answers.check("--max-tokens");
}

void add_proxy_flags(CLI::App& app, ProxyFlags& flags, settings::ProxyArguments& proxy) {
  app.add_flag("--auto-open", flags.auto_open,
               "Open documents for a client that does not (default with a text format)");
  app.add_flag("--no-auto-open", flags.no_auto_open, "Never open documents for the client");
  app.add_flag("--prefetch", proxy.session.prefetch,
               "After an edit and a pause, fetch the hovers of tables that the client has requested before");
  app.add_option("--answer", flags.answer,
                 "Answer these server requests for a client that does not: configuration, "
                 "registerCapability, ...; or all")
      ->type_name("LIST");
  flags.restart.add_to(app);
  app.add_flag("--confine,!--no-confine", proxy.session.confine,
               "--confine: let the kernel keep the server from the network, and from writing outside of a "
               "folder of its "
               "own; --no-confine: do not (default: --no-confine)");
  app.add_flag("--ascii", proxy.session.ascii, "Write every message in pure ASCII");
  app.add_flag("--stats", proxy.session.stats,
               "At the end, print what was intercepted and how much it saved");
  app.add_option("--log", proxy.log, "Write the LSP traffic to this file")->type_name("FILE");
}

Result<void> read_proxy_flags(const ProxyFlags& flags, settings::ProxyArguments& proxy) {
  if (!flags.answer.empty()) {
    Result<session::ServerAnswers> answers = session::ServerAnswers::parse("--answer", flags.answer);
    if (!answers) return answers.error();
    proxy.session.answer_server = std::move(*answers);
  }
  if (flags.auto_open && flags.no_auto_open) {
    return Error{"--auto-open and --no-auto-open exclude each other", "give one of them"};
  }
  if (flags.auto_open || flags.no_auto_open) proxy.session.auto_open = flags.auto_open;
  const Result<session::RestartOptions> restart = flags.restart.read();
  if (!restart) return restart.error();
  proxy.session.restart = *restart;
  return {};
}

const CLI::App& parsed_command(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

// `symbols help` and `symbols help COMMAND`, unless that is a file.
bool asks_for_help(int argc, const char* const* argv) {
  std::error_code error;
  return (argc == 2 || argc == 3) && std::string_view(argv[1]) == "help" &&
         !std::filesystem::exists("help", error);
}

// Whether `path` is a place in a file, as editors and compilers print it, and no file itself.
bool is_place(const std::string& path) {
  std::error_code error;
  return settings::has_line(path) && !std::filesystem::exists(path, error);
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  if (asks_for_help(argc, argv)) {
    std::vector<const char*> words(argv, argv + argc);
    words.erase(words.begin() + 1);
    words.push_back("--help");
    return parse_command_line(argc, words.data());
  }
  settings::DumpArguments dump;
  settings::ServersArguments servers;
  CLI::App app{"Prints the symbols of source files, from their language servers, as a compact table.",
               "symbols"};
  app.footer(footer);
  // After a command the name of another is a word as any: symbols find index.
  app.require_subcommand(0, 1);
  app.set_help_flag("-h", "Short help: the common options, and examples");
  app.set_help_all_flag("--help", "This help with all options");
  app.set_version_flag(with_letter("--version"), "symbols " + settings::program_version());

  app.add_option("PATH", dump.inputs.paths, "Files, folders; - for standard input\n(needs --language)")
      ->type_name("");
  // `-:24` looks like an option, but is line 24 of standard input.
  std::string place_in_input;
  const CLI::Option* const in_input = app.add_option("-:", place_in_input)->group("");
  InputFlags input_flags;
  input_flags.add_to(app);
  SettingFlags setting_flags;
  setting_flags.add_to(app);
  AnswerFlags dump_flags;
  dump_flags.add_to(app, AnswerFlags::Use::dump);
  add_server_flags(app, dump);
  app.add_flag("--from-index", dump.from_index,
               "With --no-hover: take rows that are up to date from the index; see symbols index --help");
  app.add_flag("--verbose", dump.verbose,
               "With --from-index: say on standard error which files came from the index");
  CLI::App* list = app.add_subcommand(
      "servers", "List language servers:\nthose found with their versions, and how to install the others");
  list->footer(servers_footer);
  list->add_flag("--trust-project", servers.trust_project,
                 "Include servers inside the project of this folder");

  settings::ConfigArguments config;
  std::string config_format = "table";
  CLI::App* configurer = app.add_subcommand("config", "List the settings and where each comes from");
  configurer->footer(config_footer);
  configurer
      ->add_option("PATH", config.path, "List the settings for this file or folder (default: this folder)")
      ->type_name("");
  configurer->add_option(with_letter("--format"), config_format, "table (default) or json")
      ->type_name("FORMAT");

  settings::DoctorArguments doctor;
  std::string doctor_format = "table";
  CLI::App* examiner = app.add_subcommand("doctor", "Find what is broken or slow, and what to do about it");
  examiner->footer(doctor_footer);
  examiner->add_option("DIR", doctor.folder, "A project's folder (default: this one)")->type_name("");
  examiner->add_option(with_letter("--format"), doctor_format, "table (default) or json")
      ->type_name("FORMAT");
  AnswerFlags doctor_flags;
  doctor_flags.add_to(*examiner, AnswerFlags::Use::doctor);
  add_trust_flags(*examiner, "Let servers run code of the project, as with symbols --trust-project",
                  doctor.trust_project, doctor.confine);

  settings::ContextArguments context;
  std::string place;
  CLI::App* about = app.add_subcommand(
      "context", "Everything about one symbol:\nhover, children, source, references, callers, diagnostics");
  about->footer(context_footer);
  about->add_option("FILE", place, "The file, with :LINE or :LINE:COLUMN unless NAME is given")
      ->type_name("");
  about->add_option("NAME", context.name, "The symbol's name")->type_name("");
  const CLI::Option* const context_in_input = about->add_option("-:", place_in_input)->group("");
  AnswerFlags context_flags;
  context_flags.add_to(*about, AnswerFlags::Use::context);
  bool is_warm = false;
  const CLI::Option* const warm_context = add_warm_flag(*about, is_warm);
  add_server_flags(*about, context.document);

  settings::SetupArguments setup;
  CLI::App* writer = app.add_subcommand(
      "setup", "Print or write the configuration of an editor or harness\nfor this machine");
  add_setup_flags(*writer, setup);

  settings::ProxyArguments proxy;
  CLI::App* middle =
      app.add_subcommand("proxy", "Run between a client and a language server,\non stdin and stdout");
  middle->footer(proxy_footer);
  middle->prefix_command();
  AnswerFlags proxy_answer_flags;
  proxy_answer_flags.add_to(*middle, AnswerFlags::Use::proxy);
  ProxyFlags proxy_flags;
  add_proxy_flags(*middle, proxy_flags, proxy);

  settings::McpArguments mcp;
  CLI::App* server = app.add_subcommand("mcp", "Serve tools to an agent by MCP, on stdin and stdout");
  server
      ->add_option(with_letter("--root"), mcp.roots,
                   "Folder that may be asked about, instead of those the client names; may be repeated")
      ->type_name("DIR");
  add_trust_flags(*server, trust_help, mcp.trust_project, mcp.confine);
  server->footer(mcp_footer);

  settings::WarmArguments warm;
  CLI::App* keeper = app.add_subcommand("warm", "List or stop the servers that --warm keeps");
  keeper->footer(warm_footer);
  keeper->add_flag("--stop", warm.stop, "Stop them all");
  keeper->add_option("--serve", warm.serve)->group("");

  settings::ConvertArguments convert;
  ConvertFlags convert_flags;
  CLI::App* converter =
      app.add_subcommand("convert", "Convert an answer, or a server's reply,\nto another format");
  converter->footer(convert_footer);
  add_convert_flags(*converter, convert_flags, convert);
  AnswerFlags convert_answer_flags;
  convert_answer_flags.add_to(*converter, AnswerFlags::Use::convert);

  settings::IndexArguments index;
  CLI::App* indexer = app.add_subcommand(
      "index", "Index the symbols of a project;\nlater runs ask only about files that changed");
  IndexFlags index_flags;
  index_flags.add_to(*indexer);
  AnswerFlags index_answer_flags;
  index_answer_flags.add_to(*indexer, AnswerFlags::Use::index);
  add_server_flags(*indexer, index.document);
  FindFlags find_flags;
  CLI::App* finder = app.add_subcommand("find", "Find symbols of a project by name, in its index");
  find_flags.add_to(*finder);
  settings::MapArguments map;
  CLI::App* mapper =
      app.add_subcommand("map", "Outline a project within a budget of tokens,\nfrom its index");
  add_map_flags(*mapper, map);
  AnswerFlags map_flags;
  map_flags.add_to(*mapper, AnswerFlags::Use::map);

  ShellCommands shell_commands;
  shell_commands.add_to(app);

  group_options(app);
  for (CLI::App* const command : app.get_subcommands({})) group_options(*command);
  const auto wrong = [&app](const std::string& what) {
    const CLI::App& command = parsed_command(app);
    return Finished{2, "",
                    fmt::format("symbols: {}\nTry 'symbols {}--help'.\n", what,
                                &command == &app ? "" : command.get_name() + ' ')};
  };

  // Everything after `--` is the server's command, whatever it looks like.
  const char* const* const end = argv + argc;
  const char* const* const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  const bool is_proxy = argc > 1 && std::string_view(argv[1]) == "proxy";
  try {
    app.parse(is_proxy ? static_cast<int>(dashes - argv) : argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Finished{0, help_text(parsed_command(app), HelpLength::brief), ""};
  } catch (const CLI::CallForAllHelp&) {
    return Finished{0, help_text(parsed_command(app), HelpLength::full), ""};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "symbols " + settings::program_version() + "\n", ""};
  } catch (const CLI::ExtrasError&) {
    return wrong(unexpected_word(app));
  } catch (const CLI::ParseError& error) {
    return wrong(error.what());
  }
  // Words before a command's name do not belong to it, but for `--warm context`.
  if (const std::vector<CLI::App*> commands = app.get_subcommands();
      !commands.empty() &&
      (!dump.inputs.paths.empty() || input_flags.any() ||
       (about->parsed() ? setting_flags.any_but_warm() : setting_flags.any()) || dump_flags.any())) {
    const std::string& name = commands.front()->get_name();
    return wrong(
        fmt::format("'{}' is a command and must come first; for a file of that name write ./{}", name, name));
  }
  if (list->parsed()) {
    return servers;
  }

  if (configurer->parsed()) {
    if (config_format != "table" && config_format != "json") {
      return wrong(options::OptionValue::of_text("--format", config_format).error("table or json").text());
    }
    config.json = config_format == "json";
    return config;
  }

  if (examiner->parsed()) {
    if (doctor_format != "table" && doctor_format != "json") {
      return wrong(options::OptionValue::of_text("--format", doctor_format).error("table or json").text());
    }
    doctor.json = doctor_format == "json";
    const Result<options::AnswerOptions> answers = doctor_flags.read();
    if (!answers) return wrong(answers.error().text());
    doctor.timeout = answers->timeout.value_or(doctor.timeout);
    return doctor;
  }

  if (keeper->parsed()) return warm;
  if (server->parsed()) return mcp;

  if (shell_commands.parsed()) {
    Result<Finished> finished = shell_commands.run(app);
    if (!finished) return wrong(finished.error().text());
    return std::move(*finished);
  }

  if (writer->parsed()) {
    const Result<void> flags = check_setup_flags(*writer, setup);
    if (!flags) return wrong(flags.error().text());
    return setup;
  }

  if (indexer->parsed()) {
    Result<options::AnswerOptions> answers = index_answer_flags.read();
    if (!answers) return wrong(answers.error().text());
    index.document.answers = std::move(*answers);
    const Result<void> flags = index_flags.read(index);
    if (!flags) return wrong(flags.error().text());
    return index;
  }

  if (finder->parsed()) {
    Result<settings::FindArguments> find = find_flags.read();
    if (!find) return wrong(find.error().text());
    find->words.assign(argv + 1, argv + argc);
    return std::move(*find);
  }

  if (mapper->parsed()) {
    const Result<options::AnswerOptions> answers = map_flags.read();
    if (!answers) return wrong(answers.error().text());
    map.max_tokens = answers->max_tokens;
    map.tokenizer = answers->tokenizer;
    return map;
  }

  if (about->parsed()) {
    if (context_in_input->count() > 0) {
      if (!place.empty()) return wrong("-:LINE already names a position; to ask by name give - NAME");
      place = "-:" + place_in_input;
    }
    if (place.empty()) return wrong("no file given; give FILE:LINE, FILE NAME or NAME");
    Result<options::AnswerOptions> answers = context_flags.read();
    if (!answers) return wrong(answers.error().text());
    context.document.answers = std::move(*answers);
    context.document.inputs.paths = {place};
    context.document.settings.warm = warm_context->count() > 0 ? is_warm : setting_flags.warm();
    context.document.words.assign(argv + 1, argv + argc);
    return context;
  }

  if (converter->parsed()) {
    Result<options::AnswerOptions> answers = convert_answer_flags.read();
    if (!answers) return wrong(answers.error().text());
    convert.answers = std::move(*answers);
    const Result<void> flags = read_convert_flags(convert_flags, convert);
    if (!flags) return wrong(flags.error().text());
    return convert;
  }

  if (middle->parsed()) {
    proxy.server = middle->remaining();
    if (!proxy.server.empty() && proxy.server.front().starts_with('-')) {
      const std::string unknown = unexpected_word(app, proxy.server.front());
      return wrong(unknown + (unknown.ends_with('?') ? " Options" : "; options") +
                   " of the server go after -- and its name");
    }
    Result<options::AnswerOptions> answers = proxy_answer_flags.read();
    if (!answers) return wrong(answers.error().text());
    proxy.session.answers = std::move(*answers);
    const Result<void> flags = read_proxy_flags(proxy_flags, proxy);
    if (!flags) return wrong(flags.error().text());
    // After the server's name, `--` is one of its arguments.
    if (dashes != end) proxy.server.insert(proxy.server.end(), dashes + (proxy.server.empty() ? 1 : 0), end);
    if (proxy.server.empty()) {
      return wrong("no server given; give its command after --, such as: symbols proxy -- clangd");
    }
    return proxy;
  }

  if (in_input->count() > 0) dump.inputs.paths.push_back("-:" + place_in_input);
  // A place is asked about as `symbols context` does.
  if (dump.inputs.paths.size() == 1 && is_place(dump.inputs.paths.front())) {
    std::vector<const char*> words(argv, end);
    words.insert(words.begin() + 1, "context");
    return parse_command_line(static_cast<int>(words.size()), words.data());
  }
  if (const Result<void> inputs = input_flags.read(dump.inputs); !inputs) return wrong(inputs.error().text());
  if (dump.inputs.paths.empty() && dump.inputs.files_from.empty()) return wrong("no file given");
  if (!dump.inputs.paths.empty()) {
    const std::string& first = dump.inputs.paths.front();
    if (const std::string command = near_command(app, first); !command.empty())
      return wrong(
          fmt::format("there is no file {}; did you mean the command {}?", table::quoted(first), command));
  }
  if (dump.verbose && !dump.from_index)
    return wrong("--verbose needs --from-index: it says which files came from the index");
  dump.words.assign(argv + 1, argv + argc);
  Result<options::AnswerOptions> answers = dump_flags.read();
  if (!answers) return wrong(answers.error().text());
  dump.answers = std::move(*answers);
  const Result<settings::Settings> settings = setting_flags.read();
  if (!settings) return wrong(settings.error().text());
  dump.settings = *settings;
  dump.answers.format = settings->format;
  if (const Result<void> fits = dump.answers.check("--max-tokens"); !fits) return wrong(fits.error().text());
  if (dump.answers.include) {
    const Result<std::size_t> most = dump.answers.include->document_diagnostics();
    if (!most) return wrong(most.error().text());
  }
  for (const std::string& path : dump.inputs.paths) {
    if (path.empty()) return wrong("a path is empty");
    if (path == "-" && dump.inputs.language.empty())
      return wrong("- (standard input) needs --language, such as --language typescript");
  }
  if (std::count(dump.inputs.paths.begin(), dump.inputs.paths.end(), "-") > 1)
    return wrong("- (standard input) is given twice");
  return dump;
}

}  // namespace symbols::cli
