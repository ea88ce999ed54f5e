// Command lines: what each asks for, or the exact error; the helps; what is completed.
#include "proxy/cli/command_line.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace symbols::cli {
namespace command_line_test {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  const std::vector<std::string_view> words = split(line, ' ');
  return {words.begin(), words.end()};
}

// The command, its arguments and its flags; a help or the version by its first line; or the error.
std::string shown(const Words& words) {
  const Request request = parse_command_line(words);
  if (request.text) return request.text->substr(0, request.text->find('\n'));
  if (request.error) return "error: " + request.error->text();
  std::string text = request.command->name.empty() ? "symbols" : std::string(request.command->name);
  for (const std::string& argument : request.given.arguments) text += ' ' + argument;
  for (const auto& [flag, values] : request.given.flags)
    text += fmt::format(" {}={}", flag, fmt::join(values, "+"));
  return text;
}

// The error of a wrong command line, for which nothing is done.
std::string error_of(const Words& words) {
  const Request request = parse_command_line(words);
  if (request.error) return request.error->text();
  const Result<int> status = request.command->run(request.given);
  return status ? "" : status.error().text();
}

TEST_CASE("command line: what it asks for") {
  const std::pair<const char*, const char*> cases[] = {
      {"a.ts b.ts", "symbols a.ts b.ts"},
      {"-ftree -H -k Class -n 900 -- --a.ts",
       "symbols --a.ts --format=tree --kind=Class --max-tokens=900 --no-hover=true"},
      {"--format=tree --no-hover --kind Class --max-tokens 900 -- --a.ts",
       "symbols --a.ts --format=tree --kind=Class --max-tokens=900 --no-hover=true"},
      {"--no-hover=0 a.ts", "symbols a.ts"},
      {"a.ts:12", "context a.ts:12"},
      {"a.ts:12:3 -n 500", "context a.ts:12:3 --max-tokens=500"},
      {"a.ts:12 b.ts", "symbols a.ts:12 b.ts"},
      {"-l x -:7", "context --language=x -:=7"},
      {"context -- --a.ts area", "context --a.ts area"},
      {"--warm context a.ts:3", "context a.ts:3 --warm=true"},
      {"-w context a.ts:3", "context a.ts:3 --warm=true"},
      {"find a b --limit 3", "find a b --limit=3"},
      {"index --merge 1.db 2.db", "index --merge=1.db+2.db"},
      {"proxy -f tree clangd --log=error -x", "proxy clangd --log=error -x --format=tree"},
      {"proxy --restart -- clangd --restart", "proxy clangd --restart --restart=true"},
      {"help", "Prints the symbols of source files, from their language servers, as a table."},
      {"help find", "Find symbols of a project by name, in its index"},
      {"a.ts:12 --verbosity counts", "error: context has no option \"--verbosity\""},
  };
  for (const auto& [line, expected] : cases) {
    CAPTURE(line);
    CHECK(shown(words_of(line)) == expected);
  }
}

TEST_CASE("command line: what is wrong with it") {
  const std::pair<const char*, const char*> cases[] = {
      {"", "no file given"},
      {"--formt tree a.ts", R"(symbols has no option "--formt"; did you mean --format?)"},
      {"--unknown a.ts", R"(symbols has no option "--unknown")"},
      {"proxy --carier symbol -- clangd",
       R"(proxy has no option "--carier"; did you mean --carrier? Options of the server go after -- and its name)"},
      {"contxt a.ts:3", R"(there is no file "contxt"; did you mean the command context?)"},
      {"index -Z", R"(index has no option "-Z")"},
      {"servers clangd", R"(servers takes no further word, such as "clangd")"},
      {"--format xml a.ts",
       R"(--format cannot be "xml"; give table, tree, outline, tsv, toon, packed, json, standard, ndjson or pretty)"},
      {"proxy --confine=foo -- clangd", R"(--confine cannot be "foo"; give true, false, 1 or 0)"},
      {"--color \x1b[31m a.ts", "--color cannot be \"\\x1B[31m\"; give auto, always or never"},
      {"--hover --no-hover a.ts", "--hover and --no-hover exclude each other; give one of them"},
      {"--max-tokens 9 --format json a.ts",
       "--max-tokens cannot be used with the format json: LSP's DocumentSymbol[] has no place to say what is "
       "missing; choose another format"},
      {"--include callers:5 a.ts",
       R"(--include cannot be "callers": a whole document has only diagnostics; ask for the rest with symbols context or symbols.context)"},
      {"-", "- (standard input) needs --language, such as --language typescript"},
      {"- - --language x", "- (standard input) is given twice"},
      {"--files-from - --language x -",
       "standard input cannot be both the list of --files-from and a file; give one of them as a file"},
      {"--null a.ts", "--null needs --files-from; give the list, such as: --files-from - --null"},
      {"--verbose a.ts", "--verbose needs --from-index: it says which files came from the index"},
      {"--format tree servers", "'servers' is a command and must come first"},
      {"context", "no file given; give FILE:LINE, FILE NAME or NAME"},
      {"context a.ts:3 --format tsv", "--format cannot be \"tsv\"; give pretty, tree, table or json"},
      {"context a.ts -:7", "-:LINE already names a position; to ask by name give - NAME"},
      {"convert",
       "convert needs both formats; give --from FORMAT and --to FORMAT, such as: symbols convert --from json "
       "--to tree reply.json"},
      {"convert --from table --to tree --hovers h.json",
       "--hovers needs --from json; the other formats have hovers of their own"},
      {"convert --from json --to tree --hovers - -",
       "standard input cannot be both the symbols and the hovers; give one of them as a file"},
      {"find", "no name given; give the name of a symbol, or part of it, such as: symbols find Cache"},
      {"find a --limit 0", R"(--limit cannot be "0"; give a whole number from 1 to 1000000000)"},
      {"index --merge 1.db --watch",
       "--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it; leave them "
       "out"},
      {"index --rebuild --database x.db",
       "--rebuild cannot be given with --database; give a new file, or remove the old one"},
      {"proxy", "no server given; give its command after --, such as: symbols proxy -- clangd"},
      {"proxy --restart-limit 5/3 -- clangd", "--restart-limit needs --restart; give both, or neither"},
      {"proxy --restart --restart-limit 5 -- clangd",
       R"(--restart-limit cannot be "5"; give 1 to 1000 restarts and 1 to 1440 minutes, such as 5/3)"},
      {"setup --write", "setup needs a name with these options; 'symbols setup' lists the names"},
      {"setup nvim --yes", "--yes needs --write"},
      {"setup opencode --table --mcp", "--table and --mcp exclude each other"},
      {"completions tcsh", R"(there are no completions for the shell "tcsh"; give one of bash, zsh, fish)"},
      {"completions", "no shell given; give one of bash, zsh, fish"},
  };
  for (const auto& [line, expected] : cases) {
    CAPTURE(line);
    CHECK(error_of(words_of(line)) == expected);
  }
  CHECK(error_of({""}) == "a path is empty");
  CHECK(error_of({"--files-from", "", "a.ts"}) ==
        "--files-from is empty; give a file, or - for standard input");
  CHECK(error_of({"setup", "nvim", "--to", ""}) == "--to is empty; give a path");
}

TEST_CASE("help: each command has both, and an option the same letter in all of them") {
  std::map<std::string, char> letters;
  Words commands = {""};
  for (const Command& command : all_commands()) commands.emplace_back(command.name);
  for (const std::string& name : commands) {
    CAPTURE(name);
    const Command& command = name.empty() ? dump_command : *find_command_named(name);
    const std::string brief = help_text(command, HelpLength::brief);
    const std::string full = help_text(command, HelpLength::full);
    CHECK(brief.size() <= full.size());
    for (const std::string& help : {brief, full}) {
      CHECK(help.find("Usage: symbols " + name) != std::string::npos);
      CHECK(help.find("Examples:") != std::string::npos);
      CHECK(help.find("Exit status:") != std::string::npos);
    }
    for (const options::Option& option : options::all_options()) {
      if (!option.is_for(command.taker) || option.help.empty() || option.name.empty()) continue;
      CAPTURE(option.name);
      CHECK(full.find(option.flag()) != std::string::npos);
      CHECK(letters.emplace(option.name, option.letter).first->second == option.letter);
    }
  }
  std::set<char> used;
  for (const auto& [name, letter] : letters) CHECK((letter == 0 || used.insert(letter).second));
  const std::string brief = help_text(dump_command, HelpLength::brief);
  const std::vector<std::string_view> lines = split(brief, '\n');
  CHECK(lines.size() <= 50);
  for (const std::string_view line : lines) CHECK(line.size() <= 90);
  for (const std::string& name : commands) CHECK(brief.find("  " + name) != std::string::npos);
}

// The candidates, without their descriptions and without the line for the shell.
Words completed(const Words& words) {
  Words candidates;
  const std::string lines = complete(words);
  for (const std::string_view line : split(lines, '\n')) {
    if (!line.starts_with(':')) candidates.emplace_back(line.substr(0, line.find('\t')));
  }
  return candidates;
}

TEST_CASE("completion: every value that is offered is one that the option takes") {
  const std::pair<const char*, Words> behind[] = {
      {"", {"a.ts"}}, {"context", {"a.ts:1"}}, {"proxy", {"--", "/nonexistent/server"}}};
  std::size_t tried = 0;
  for (const auto& [command, rest] : behind) {
    Words start = words_of(command);
    start.emplace_back("--");
    for (const std::string& option : completed(start)) {
      start.back() = option;
      Words typed = start;
      typed.emplace_back("");
      for (const std::string& value : completed(typed)) {
        Words words = start;
        words.push_back(value);
        words.insert(words.end(), rest.begin(), rest.end());
        CAPTURE(option);
        CAPTURE(value);
        const Request request = parse_command_line(words);
        CHECK_FALSE(request.error.has_value());
        ++tried;
      }
    }
  }
  CHECK(tried > 150);
}

TEST_CASE("completion: what is offered, and nothing for words that nothing completes") {
  const std::pair<const char*, const char*> cases[] = {
      {"compl", "completions"},
      {"setup openc", "opencode"},
      {"setup --yes vscod", "vscode"},
      {"--format=tre", "--format=tree"},
      {"-ftre", "-ftree"},
      {"find -k Class,Interf", "Class,Interface"},
      {"--warm context --max-t", "--max-tokens"},
      {"--nonsense", ""},
      {"servers x", ""},
      {"--max-tokens 5", ""},
      {"\xff --= x", ""},
  };
  for (const auto& [line, expected] : cases) {
    CAPTURE(line);
    CHECK(fmt::format("{}", fmt::join(completed(words_of(line)), " ")) == expected);
  }
  CHECK(completed({}).size() == all_commands().size());
}

TEST_CASE("command line: which requests --answer names") {
  struct Case {
    const char* list;
    Words covered;
    Words others;
  };
  const Case cases[] = {
      {"", {}, {"workspace/configuration", "", "all"}},
      {"configuration", {"workspace/configuration"}, {"configuration", "client/registerCapability"}},
      {"workspace/configuration,showDocument",
       {"workspace/configuration", "window/showDocument"},
       {"workspace/applyEdit"}},
      {"registerCapability,unregisterCapability,",
       {"client/registerCapability", "client/unregisterCapability"},
       {"workspace/configuration"}},
      {"refresh",
       {"workspace/semanticTokens/refresh", "workspace/inlayHint/refresh", "workspace/inlineValue/refresh",
        "workspace/codeLens/refresh", "workspace/diagnostic/refresh", "workspace/foldingRange/refresh"},
       {"workspace/refresh", "workspace/configuration"}},
      {"workspace/codeLens/refresh", {"workspace/codeLens/refresh"}, {"workspace/inlayHint/refresh"}},
      {"all",
       {"workspace/configuration", "workspace/workspaceFolders", "client/registerCapability",
        "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest",
        "window/showDocument", "workspace/applyEdit", "workspace/codeLens/refresh"},
       {"window/logMessage", "$/progress", "custom/request"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.list);
    const auto methods = answered_methods(c.list);
    REQUIRE(methods.has_value());
    for (const std::string& method : c.covered) CHECK(methods->contains(method));
    for (const std::string& method : c.others) CHECK_FALSE(methods->contains(method));
  }
  for (const char* const list :
       {"config", "configuration,,refresh", " configuration", "Configuration", ","}) {
    CAPTURE(list);
    const auto methods = answered_methods(list);
    REQUIRE_FALSE(methods.has_value());
    CHECK(methods.error().message.starts_with("--answer: \""));
    CHECK(methods.error().advice ==
          "give some of configuration, workspaceFolders, registerCapability, unregisterCapability, "
          "workDoneProgress, showMessageRequest, showDocument, applyEdit, refresh, joined by commas, or all");
  }
}

}  // namespace command_line_test
}  // namespace symbols::cli
