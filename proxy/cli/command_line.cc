#include "proxy/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "proxy/cli/answer_flags.h"
#include "proxy/cli/index_flags.h"
#include "proxy/cli/input_flags.h"
#include "proxy/cli/setting_flags.h"
#include "proxy/cli/setup_flags.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr const char* footer = R"(
Examples:
  symbols src/app.ts                      the symbols of one file, with hovers
  symbols src/app.ts include/app.hpp      several files: each under a line ==> path <==
  symbols --no-hover --children no src    a folder, top level only; honours .gitignore
  symbols --format json lib.py            LSP's own DocumentSymbol[]
  symbols --server 'clangd --log=error' --root . src/main.cc
  symbols context src/app.ts:24           one symbol: hover, children, source, references, callers
  symbols context src/app.ts area         the same, by name
  git show HEAD:app.ts | symbols --language typescript -
  symbols index                           keep the symbols of this project's files
  symbols find Cache --kind Class         names of the whole project, from there
  symbols servers                         which language servers are installed
  symbols setup opencode --write          configure an editor or agent harness; symbols setup lists them
  symbols proxy -- clangd                 for a client that starts clangd: see symbols proxy --help

Exit status: 0 answered; 1 at least one input could not be answered; 2 wrong command line.)";

// CLI11 2.1 has no other way to show several usage lines.
class UsageFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    if (app->get_parent() == nullptr) {
      return "Usage: symbols [OPTIONS] PATH...\n"
             "       symbols context [OPTIONS] FILE:LINE[:COLUMN] | FILE NAME\n"
             "       symbols proxy [OPTIONS] -- SERVER [ARGUMENT...]\n"
             "       symbols convert --from FORMAT --to FORMAT [OPTIONS] [FILE]\n"
             "       symbols index [DIR] [OPTIONS]\n"
             "       symbols find QUERY [OPTIONS]\n"
             "       symbols servers\n"
             "       symbols setup [NAME] [--write] [OPTIONS]\n"
             "       symbols warm [--stop]\n";
    }
    return "Usage: symbols " + app->get_name() +
           (app->get_name() == "proxy"     ? " [OPTIONS] -- SERVER [ARGUMENT...]\n"
            : app->get_name() == "context" ? " [OPTIONS] FILE:LINE[:COLUMN]\n"
                                             "       symbols context [OPTIONS] FILE NAME\n"
            : app->get_name() == "convert" ? " --from FORMAT --to FORMAT [OPTIONS] [FILE]\n"
            : app->get_name() == "index"   ? " [DIR] [OPTIONS]\n"
            : app->get_name() == "find"    ? " QUERY [OPTIONS]\n"
            : app->get_name() == "setup"   ? " [NAME] [--write] [OPTIONS]\n"
            : app->get_name() == "warm"    ? " [--stop]\n"
                                           : "\n");
  }
};

// Flags about finding and running the server of a document.
void add_server_flags(CLI::App& app, DumpArguments& document) {
  app.add_option(
         "--language", document.inputs.language,
         "Language id (typescript, cpp, python, ...), instead of the one that the file's name implies")
      ->type_name("ID");
  app.add_option("--server", document.inputs.server,
                 "Server to use: a name from 'symbols servers', or a command line")
      ->type_name("'CMD ARGS'");
  app.add_option("--root", document.inputs.root,
                 "Project root, instead of the nearest folder with a project file or .git")
      ->type_name("DIR");
  app.add_option("--log", document.log, "Write the LSP traffic to this file")->type_name("FILE");
  app.add_flag("--trust-project", document.inputs.trust_project,
               "Let servers run code of the project: its own TypeScript, its build scripts");
}

constexpr const char* context_footer = R"(
FILE:LINE selects the symbol declared on that line, else the innermost symbol around it; with COLUMN, the symbol
at that position. Both count from 1, columns in UTF-16 units. If several symbols have the name, their positions
are listed.

Examples:
  symbols context src/app.ts:24
  symbols context src/app.ts calculateArea --include references:50,callers:0
  symbols context src/app.ts:24:9 --children yes --max-tokens 500)";

// The flags of `symbols proxy` that are not options of an answer, as typed.
struct ProxyFlags {
  std::string answer;
  bool auto_open = false;
  bool no_auto_open = false;
};

// The formats of `symbols convert`, as typed.
struct ConvertFlags {
  std::string from;
  std::string to;
};

void add_convert_flags(CLI::App& app, ConvertFlags& flags, ConvertArguments& convert) {
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

Result<void> read_convert_flags(const ConvertFlags& flags, ConvertArguments& convert) {
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

void add_proxy_flags(CLI::App& app, ProxyFlags& flags, ProxyArguments& proxy) {
  app.add_flag("--auto-open", flags.auto_open,
               "Open documents for a client that does not (default with a text format)");
  app.add_flag("--no-auto-open", flags.no_auto_open, "Never open documents for the client");
  app.add_option("--answer", flags.answer,
                 "Answer these server requests for a client that does not: configuration, "
                 "registerCapability, ...; or all")
      ->type_name("LIST");
  app.add_flag("--ascii", proxy.session.ascii, "Write every message in pure ASCII");
  app.add_flag("--stats", proxy.session.stats,
               "At the end, print what was intercepted and how much it saved");
  app.add_option("--log", proxy.log, "Write the LSP traffic to this file")->type_name("FILE");
}

Result<void> read_proxy_flags(const ProxyFlags& flags, ProxyArguments& proxy) {
  if (!flags.answer.empty()) {
    Result<session::ServerAnswers> answers = session::ServerAnswers::parse("--answer", flags.answer);
    if (!answers) return answers.error();
    proxy.session.answer_server = std::move(*answers);
  }
  if (flags.auto_open && flags.no_auto_open) {
    return Error{"--auto-open and --no-auto-open exclude each other", "give one of them"};
  }
  if (flags.auto_open || flags.no_auto_open) proxy.session.auto_open = flags.auto_open;
  return {};
}

std::string help_of(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) return command->help();
  return app.help();
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
  CLI::App app{"Prints the symbols of source files, from their language servers, as a compact table.",
               "symbols"};
  app.footer(footer);
  app.set_version_flag("--version", "symbols " + program_version());
  app.formatter(std::make_shared<UsageFormatter>());

  app.add_option("PATH", dump.inputs.paths, "Files and folders; - for standard input (needs --language)")
      ->type_name("");
  InputFlags input_flags;
  input_flags.add_to(app);
  SettingFlags setting_flags;
  setting_flags.add_to(app);
  AnswerFlags dump_flags;
  dump_flags.add_to(app, AnswerFlags::Use::dump);
  add_server_flags(app, dump);
  app.add_flag("--from-index", dump.from_index,
               "With --no-hover: rows from the index where they still hold; see symbols index --help");
  CLI::App* list = app.add_subcommand(
      "servers", "List language servers: those found with their versions, and how to install the others");
  list->add_flag("--trust-project", servers.trust_project,
                 "Include servers inside the project of this folder");

  ContextArguments context;
  std::string place;
  CLI::App* about = app.add_subcommand(
      "context", "Everything about one symbol: hover, children, source, references, callers, diagnostics");
  about->footer(context_footer);
  about->add_option("FILE", place, "The file, with :LINE or :LINE:COLUMN unless NAME is given")
      ->type_name("");
  about->add_option("NAME", context.name, "The symbol's name")->type_name("");
  // `-:24` looks like an option, but is line 24 of standard input.
  std::string place_in_input;
  CLI::Option* in_input = about->add_option("-:", place_in_input)->group("");
  AnswerFlags context_flags;
  context_flags.add_to(*about, AnswerFlags::Use::context);
  add_server_flags(*about, context.document);

  SetupArguments setup;
  CLI::App* writer = app.add_subcommand(
      "setup", "Print or write the configuration for an editor or agent harness on this machine");
  add_setup_flags(*writer, setup);

  ProxyArguments proxy;
  CLI::App* middle =
      app.add_subcommand("proxy", "Run between a client and a language server, on stdin and stdout");
  middle->prefix_command();
  AnswerFlags proxy_answer_flags;
  proxy_answer_flags.add_to(*middle, AnswerFlags::Use::proxy);
  ProxyFlags proxy_flags;
  add_proxy_flags(*middle, proxy_flags, proxy);

  WarmArguments warm;
  CLI::App* keeper =
      app.add_subcommand("warm", "What --warm keeps: list the servers and for how long, or stop them");
  keeper->add_flag("--stop", warm.stop, "Stop them all");
  keeper->add_option("--serve", warm.serve)->group("");

  ConvertArguments convert;
  ConvertFlags convert_flags;
  CLI::App* converter =
      app.add_subcommand("convert", "Convert an answer, or a server's reply, to another format");
  add_convert_flags(*converter, convert_flags, convert);
  AnswerFlags convert_answer_flags;
  convert_answer_flags.add_to(*converter, AnswerFlags::Use::convert);

  IndexArguments index;
  CLI::App* indexer = app.add_subcommand(
      "index",
      "Keep the symbols of a project's files in the user's cache; later runs ask only for what changed");
  add_index_flags(*indexer, index);
  AnswerFlags index_flags;
  index_flags.add_to(*indexer, AnswerFlags::Use::index);
  add_server_flags(*indexer, index.document);
  FindFlags find_flags;
  CLI::App* finder = app.add_subcommand("find", "Find symbols of a whole project by name, in its index");
  find_flags.add_to(*finder);

  // Everything after `--` is the server's command, whatever it looks like.
  const char* const* const end = argv + argc;
  const char* const* const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  const bool is_proxy = argc > 1 && std::string_view(argv[1]) == "proxy";
  try {
    app.parse(is_proxy ? static_cast<int>(dashes - argv) : argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Finished{0, help_of(app), ""};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "symbols " + program_version() + "\n", ""};
  } catch (const CLI::ParseError& error) {
    return wrong(error.what());
  }
  // Words before a command's name do not belong to it.
  if (const std::vector<CLI::App*> commands = app.get_subcommands();
      !commands.empty() &&
      (!dump.inputs.paths.empty() || input_flags.any() || setting_flags.any() || dump_flags.any())) {
    const std::string& name = commands.front()->get_name();
    return wrong(
        fmt::format("'{}' is a command and must come first; for a file of that name write ./{}", name, name));
  }
  if (list->parsed()) {
    return servers;
  }

  if (keeper->parsed()) return warm;

  if (writer->parsed()) {
    const Result<void> flags = check_setup_flags(*writer, setup);
    if (!flags) return wrong(flags.error().text());
    return setup;
  }

  if (indexer->parsed()) {
    Result<options::AnswerOptions> answers = index_flags.read();
    if (!answers) return wrong(answers.error().text());
    index.document.answers = std::move(*answers);
    return index;
  }

  if (finder->parsed()) {
    Result<FindArguments> find = find_flags.read();
    if (!find) return wrong(find.error().text());
    return std::move(*find);
  }

  if (about->parsed()) {
    if (in_input->count() > 0) {
      if (!place.empty()) return wrong("-:LINE already names a position; to ask by name give - NAME");
      place = "-:" + place_in_input;
    }
    if (place.empty()) return wrong("no file given; give FILE:LINE or FILE NAME");
    Result<options::AnswerOptions> answers = context_flags.read();
    if (!answers) return wrong(answers.error().text());
    context.document.answers = std::move(*answers);
    context.document.inputs.paths = {place};
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
      return wrong(fmt::format("proxy has no option {}; options of the server go after -- and its name",
                               table::quoted(proxy.server.front())));
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

  if (const Result<void> inputs = input_flags.read(dump.inputs); !inputs) return wrong(inputs.error().text());
  if (dump.inputs.paths.empty() && dump.inputs.files_from.empty()) return wrong("no file given");
  dump.words.assign(argv + 1, argv + argc);
  Result<options::AnswerOptions> answers = dump_flags.read();
  if (!answers) return wrong(answers.error().text());
  dump.answers = std::move(*answers);
  const Result<Settings> settings = setting_flags.read();
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
