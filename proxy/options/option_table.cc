#include "proxy/options/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "lsp/json/raw_json.h"
#include "proxy/options/option_setters.h"
#include "table/escape.h"

namespace symbols::options {
namespace {

using namespace takers;

constexpr std::uint32_t commands = outline_tool - 1;
constexpr std::uint32_t settings = user | project;
constexpr std::uint32_t of_rows = dump | convert | proxy | request | settings;
constexpr std::uint32_t starts = dump | context | rename | impact | check | index;  // servers
constexpr std::uint64_t billion = 1'000'000'000;
constexpr std::uint64_t max_memory = 1 << 20;  // MiB

// How the options of several rows are set, and which values they can have.
constexpr OptionDetails levels =
    words<&AnswerOptions::return_children>("no yes auto 1 2 3", "yes", "return_children");
constexpr OptionDetails hover = value<&AnswerOptions::include_hover>("true", "include_hover");
constexpr OptionDetails kinds = value<&AnswerOptions::filter_kind>("", "filter_kind");
constexpr OptionDetails pattern = value<&AnswerOptions::match>();
constexpr OptionDetails budget = number<&AnswerOptions::max_tokens>(1, billion, "none; 4000 for symbols map");
constexpr OptionDetails tool_budget = number<&AnswerOptions::max_tokens>(50, 100'000);
constexpr OptionDetails parts = words<&AnswerOptions::include>(
    "children source references callers diagnostics implementations callees "
    "supertypes subtypes");
constexpr OptionDetails hover_chars = number<&AnswerOptions::hover_chars>(0, billion, "200");
constexpr OptionDetails timeout =
    value<&AnswerOptions::timeout>("120s before the symbols, 30s after", "timeout_ms");
constexpr OptionDetails confine = value<&AnswerOptions::confine>("true unless --trust-project");
constexpr OptionDetails from_one = within(1, UINT32_MAX);
constexpr OptionDetails part_limit = within(0, IncludedParts::max_limit);
constexpr OptionDetails fields = {.to = {set_fields, fill_in<&AnswerOptions::fields>},
                                  .otherwise = "by verbosity"};
constexpr OptionDetails ignore = {.to = {set_to<&AnswerOptions::ignore>}, .otherwise = "none"};
constexpr OptionDetails tool_limit = within(1, 1000);

constexpr auto known_options = std::to_array<Option>({
    {"", 'h', "", commands, "Short help: the common options, and examples"},
    {"help", 0, "", commands, "This help with all options"},
    {"version", 'V', "", dump, "Display program version information and exit"},

    // Documents.
    {"files-from", 0, "FILE", dump,
     "Also read paths from this file, one per line; - for standard input. Every answer then has a heading, "
     "even a single one"},
    {"null", '0', "", dump, "The paths of --files-from are separated by NUL, as find -print0 prints them"},
    {"", ':', "TEXT", dump | context, ""},  // `-:24` is line 24 of standard input
    {"paths", 0, "PATH...", outline_tool | diagnostics_tool,
     "Files or folders, relative to the project's root or absolute", within(1, 1000)},
    {"path", 0, "PATH", context_tool | hover_tool | impact_tool,
     "The file, relative to the project's root or absolute"},
    {"line", 0, "N", context_tool | hover_tool | impact_tool, "A line of the symbol, from 1", from_one},
    {"column", 0, "N", context_tool | hover_tool | impact_tool, "From 1, in UTF-16 units", from_one},
    {"name", 0, "NAME", context_tool,
     "The symbol's name, instead of a line; with its class, module or folder: Rectangle::area, utils.sleep"},
    {"name", 0, "NAME", hover_tool, "The symbol's name, instead of a line"},
    {"query", 0, "NAME", find_tool,
     "A name or part of one; with its container: Rectangle::area or Rectangle.area"},
    {"folder", 0, "DIR", map_tool, "Only this folder; default: the whole project"},
    {"revision", 0, "REV", impact_tool, "The commit to compare with; default: the last one"},
    {"since", 0, "REV", check,
     "The commit to compare with (default: HEAD), or 'last': what the last check has seen"},
    {"since", 0, "REV", diagnostics_tool,
     "Only what is new since this commit, or since the 'last' such call; without paths, of what has changed"},
    {"depth", 0, "N", impact | impact_tool, "The users of the callers too, N levels (default 1)",
     within(1, 10)},
    {"staged", 0, "", impact, "What is staged, in place of the work tree"},
    {"rebuild", 0, "", index, "Discard the index and ask for every file again"},
    {"watch", 0, "", index, "Keep the index up to date as files change, until Ctrl-C"},
    {"shard", 0, "I/N", dump,
     "Only the I-th of N shares of these files, of about equal size and the same on every machine: 1/8"},
    {"shard", 0, "I/N", index, "Only the I-th of N shares of the files, the same on every machine: 1/8"},
    {"database", 0, "FILE", index, "Keep the index in this file, instead of the user's cache"},
    {"merge", 0, "FILE...", index,
     "Merge these indexes, without starting servers: for each file the newest answer counts"},

    // Answers.
    {"format", 'f', "FORMAT", dump | settings,
     "pretty, table, tree, outline, tsv, toon, packed, json,\nndjson. pretty: default on a terminal; table: "
     "default elsewhere; tree: fewest tokens; ndjson: one object per row, with its path",
     words<&AnswerOptions::format>("table tree outline tsv toon packed json standard ndjson pretty",
                                   "pretty on a terminal, else table")},
    {"format", 'f', "FORMAT", proxy | request,
     "table (default), tree (fewest tokens), outline, tsv, toon, packed, json or standard (the server's own "
     "reply)",
     words<&AnswerOptions::format>("table tree outline tsv toon packed json standard")},
    {"format", 'f', "FORMAT", context,
     "pretty (default on a terminal), tree (default elsewhere): lines from one, paths from the working "
     "folder;\ntable, json: the text and the reply of symbols.context, positions from zero as in LSP",
     words<&AnswerOptions::format>("pretty tree table json")},
    {"format", 'f', "FORMAT", impact | check, "tree (default), json or ndjson",
     words<&AnswerOptions::format>("tree json ndjson")},
    {"format", 'f', "FORMAT", config | doctor, "table (default) or json",
     words<&AnswerOptions::format>("table json")},
    {"from", 0, "FORMAT", convert, "table, tree, packed, ndjson, or json (a documentSymbol reply)",
     one_of("table tree packed json ndjson")},
    {"to", 0, "FORMAT", convert, "table, tree, outline, tsv, toon, packed, json or ndjson",
     one_of("table tree outline tsv toon packed json ndjson")},
    {"hovers", 0, "FILE", convert,
     "With --from json: a file with an array of hover replies, one for each symbol in pre-order"},
    {"color", 0, "WHEN", dump | user, "auto (default: on a terminal, unless $NO_COLOR is set), always, never",
     words<&AnswerOptions::color>("auto always never", "auto")},
    {"warm", 'w', "", dump | context | user,
     "Keep the servers running,\nso that the next calls take milliseconds (see symbols warm)",
     value<&AnswerOptions::warm>("false")},
    {"no-warm", 0, "", dump | context, "Keep no servers running, whatever the settings say"},
    {"children", 'c', "LEVELS", dump | convert | settings,
     "no, yes, auto or a number of levels\n- no: top level only; yes: all (default); auto: yes if at most "
     "100 rows, else no; a number: that many levels",
     levels},
    {"children", 'c', "LEVELS", proxy | request,
     "no, yes, auto or a number of levels\n- no: top level only (default for text formats); yes: all; auto: "
     "yes if at most 100 rows, else no; a number: that many levels",
     levels},
    {"children", 'c', "LEVELS", context,
     "no, yes, auto or a number of levels\n- no: the symbol alone; yes: all; auto: yes if at most 100 rows, "
     "else no; a number: that many levels; default 1 (its children)",
     levels},
    {"children", 0, "LEVELS", outline_tool,
     "\"yes\" (default) for all levels, \"no\" for the top level, or a number of levels such as \"2\"",
     value<&AnswerOptions::return_children>()},
    {"hover", 0, "", dump | proxy | request | settings,
     "Include hovers (default for text formats); with json, in 'detail'", hover},
    {"hover", 0, "", context, "Include the hovers of the symbol and its children (default)", hover},
    {"hover", 0, "", convert, "", hover},
    {"no-hover", 'H', "", dump, "Leave out hovers, which is much faster"},
    {"no-hover", 'H', "", context | convert | proxy, "Leave out hovers"},
    {"verbosity", 0, "HOW", of_rows,
     "counts, minimal, signatures, standard, full (default)\n- counts: one line; minimal: name, kind, lines; "
     "signatures: minimal, with signatures instead of names; standard: name, kind, range, selection, parent; "
     "full: also hovers",
     words<&AnswerOptions::verbosity>("counts minimal signatures standard full", "full")},
    {"verbosity", 0, "HOW", outline_tool,
     "minimal (default): names; signatures: with parameters and types; full: with documentation",
     words<&AnswerOptions::verbosity>("minimal signatures full")},
    {"fold", 0, "WHAT", of_rows,
     "locals: leave out imports, what is inside functions and variables, and all but the first of many "
     "constants, and show how much as +N (default of tree and outline with minimal or signatures, and of "
     "pretty); no: nothing",
     words<&AnswerOptions::fold>("no locals", "by format")},
    {"ends", 0, "WHICH", of_rows,
     "Last lines in a tree with minimal or signatures: long (default): of symbols of 20 lines and more; all",
     words<&AnswerOptions::all_ends>("long all", "long")},
    {"fields", 0, "LIST", of_rows,
     "Fields to show: name, kind, range, selection, parent, hover, detail, lines, signature, doc, depth, "
     "children, tags",
     fields},
    {"sort", 0, "LIST", of_rows, "Sort siblings by these fields, -FIELD for descending order: kind,-lines",
     value<&AnswerOptions::sort_by>("the server's order", "sort_by")},
    {"kind", 'k', "LIST", dump | convert | proxy | request,
     "Only symbols of these kinds: Class,Method\n(with their ancestors)", kinds},
    {"kind", 'k', "LIST", find, "Only symbols of these kinds: Class,Method", kinds},
    {"kind", 0, "LIST", outline_tool, "Only these kinds and their ancestors, such as [\"Class\",\"Method\"]",
     kinds},
    {"kind", 0, "LIST", find_tool, "Only these kinds, such as [\"Class\",\"Function\"]", kinds},
    {"match", 'm', "REGEX", dump | convert | proxy | request,
     "Only symbols whose name matches this expression\n(RE2, unanchored; with their ancestors)", pattern},
    {"match", 0, "REGEX", outline_tool, "Only symbols with a name that matches this regular expression (RE2)",
     pattern},
    {"kind-names", 0, "", of_rows | context, "Show kinds as words: Class instead of 5",
     value<&AnswerOptions::kind_names>("false")},
    {"positions", 0, "", dump | request,
     "For editors: start each line of symbols with the line:character of its first one, and a tab",
     value<&AnswerOptions::positions>("false")},
    {"max-tokens", 'n', "N", of_rows,
     "Limit the answer to about N tokens:\ndrops hovers first, then levels, then rows", budget},
    {"max-tokens", 'n', "N", context,
     "Limit the answer to about N tokens:\ndrops the hovers of the children first, then children, source, "
     "references, callers, diagnostics; last the symbol's own hover",
     budget},
    {"max-tokens", 'n', "N", map, "At most about N tokens (default 4000)", budget},
    {"max-tokens", 'n', "N", impact | check, "At most about N tokens: drops lines from the end", budget},
    {"max-tokens", 0, "N", outline_tool, "Budget of the answer; default 5000", tool_budget},
    {"max-tokens", 0, "N", context_tool | map_tool | impact_tool, "Budget of the answer; default 4000",
     tool_budget},
    {"tokenizer", 0, "WHOSE", of_rows | context | impact | check | map,
     "The tokens to estimate: o200k (default), or digits, where each digit is a token (as for Qwen)",
     words<&AnswerOptions::tokenizer>("o200k digits", "o200k")},
    {"ignore", 0, "LIST", settings, "", ignore},
    {"include", 'i', "LIST", dump, "diagnostics[:N]: add up to N diagnostics of the file (default 20)",
     words<&AnswerOptions::include>("diagnostics")},
    {"include", 'i', "LIST", proxy | request,
     "diagnostics[:N]: add up to N diagnostics of the file (default 20);\nfor symbols.context also children, "
     "source, references, callers, implementations, callees, supertypes and subtypes",
     parts},
    {"include", 'i', "LIST", context,
     "Limits of the parts: references:50,callers:0\n(default "
     "children:100,source:40,references:10,callers:5,diagnostics:5);\nalso implementations, callees, "
     "supertypes, subtypes",
     parts},
    {"source", 0, "N", context_tool, "Maximum lines of source; default 40, 0: none", part_limit},
    {"references", 0, "N", context_tool, "Maximum number of references; default 10, 0: none", part_limit},
    {"callers", 0, "N", context_tool, "Maximum number of callers; default 5, 0: none", part_limit},
    {"hover-chars", 0, "N", of_rows, "Maximum length of a hover, in characters; 0: no limit (default 200)",
     hover_chars},
    {"hover-chars", 0, "N", context,
     "Maximum length of a hover, in characters; 0: no limit (default 200 for the children, 0 for the symbol)",
     hover_chars},
    {"hover-reply", 0, "FORM", proxy | request,
     "How to answer hover requests: row (default), text, standard (default with json)",
     words<&AnswerOptions::hover_reply>("row text standard")},
    {"carrier", 0, "FORM", proxy | request,
     "Shape of the reply: object (default), or symbol (one DocumentSymbol with the text as its name)",
     words<&AnswerOptions::carrier>("object symbol")},
    {"limit", 0, "N", find, "At most N symbols (default 50)", within(1, billion)},
    {"limit", 0, "N", find_tool, "Maximum number of symbols; default 50", tool_limit},
    {"limit", 0, "N", diagnostics_tool, "Maximum number per file; default 20", tool_limit},
    {"why", 0, "", find, "Say of each symbol why it is where it is in the list"},

    // Servers.
    {"timeout", 't', "TIME", dump | rename | impact | check | index | user,
     "Maximum silence of a server: 5000, 5000ms, 5s, 2m\n(default 120s before the symbols, 30s after)",
     timeout},
    {"timeout", 't', "TIME", context,
     "Maximum silence of a server: 5000, 5000ms, 5s, 2m\n(default 120s before the symbols, 30s after); a "
     "part that takes three quarters of it is reported as not answered",
     timeout},
    {"timeout", 't', "TIME", proxy | request, "Maximum wait for the hovers of an answer (default 10s)",
     timeout},
    {"timeout", 't', "TIME", doctor, "Maximum silence of a server: 5000, 5000ms, 5s, 2m (default 20s)",
     timeout},
    {"language", 'l', "ID", starts,
     "Language id (typescript, cpp, ...),\ninstead of the one that the file's name implies"},
    {"server", 's', "SERVER", starts, "A name from 'symbols servers', or a command line"},
    {"root", 'r', "DIR", starts, "Project root,\ninstead of the nearest folder with a project file or .git"},
    {"root", 'r', "DIR", find, "A folder of the project to search, instead of the working folder"},
    {"root", 'r', "DIR", map, "A folder of the project, instead of DIR or the working folder"},
    {"root", 'r', "DIR...", mcp,
     "Folder that may be asked about, instead of those the client names; may be repeated"},
    {"log", 0, "FILE", starts | proxy, "Write the LSP traffic to this file"},
    {"trust-project", 0, "", starts | mcp | doctor,
     "Let servers run code of the project: its own TypeScript, its build scripts"},
    {"trust-project", 0, "", servers, "Include servers inside the project of this folder"},
    {"confine", 0, "", starts | mcp | doctor | user,
     "Let the kernel keep servers from the network, and from writing outside of a folder of their own "
     "(default without --trust-project)",
     confine},
    {"confine", 0, "", proxy,
     "Let the kernel keep the server from the network, and from writing outside of a folder of its own",
     confine},
    {"no-confine", 0, "", starts | mcp | doctor, "Do not confine servers (default with --trust-project)"},
    {"no-confine", 0, "", proxy, "Do not confine the server (default)"},
    {"from-index", 0, "", dump,
     "With --no-hover: take rows that are up to date from the index; see symbols index --help"},
    {"verbose", 0, "", dump, "With --from-index: say on standard error which files came from the index"},
    {"server-memory", 0, "MIB", user, "",
     number<&AnswerOptions::server_memory>(1, max_memory, "1024; 2048 for symbols index")},
    {"warm-servers", 0, "N", user, "", number<&AnswerOptions::warm_servers>(1, 64, "4")},
    {"warm-memory", 0, "MIB", user, "", number<&AnswerOptions::warm_memory>(1, max_memory, "4096")},
    {"warm-idle", 0, "SECONDS", user, "", number<&AnswerOptions::warm_idle>(1, 86'400, "600")},
    {"project-settings", 0, "", user, "", value<&AnswerOptions::project_settings>("true")},
    {"stop", 0, "", warm, "Stop them all"},
    {"serve", 0, "SOCKET", warm, ""},

    // Clients.
    {"auto-open", 0, "", proxy, "Open documents for a client that does not (default with a text format)"},
    {"no-auto-open", 0, "", proxy, "Never open documents for the client"},
    {"answer", 0, "LIST", proxy,
     "Answer these server requests for a client that does not: configuration, registerCapability, ...; or "
     "all"},
    {"restart", 0, "", proxy, "Start the server again when it crashes, with the documents that are open"},
    {"restart-limit", 0, "N/MINUTES", proxy,
     "Give up after N restarts within so many minutes, or in a row (default 5/3)"},
    {"stall-timeout", 0, "TIME", proxy,
     "With --restart: restart a server, too, that owes a reply and has sent nothing for so long (default "
     "never)"},
    {"ascii", 0, "", proxy, "Write every message in pure ASCII"},
    {"stats", 0, "", proxy, "At the end, print what was intercepted and how much it saved"},
    {"write", 0, "", setup, "Write the configuration instead of printing it"},
    {"yes", 'y', "", setup, "With --write: change existing files without asking"},
    {"table", 0, "", setup,
     "For harnesses that print symbols in a layout of their own: show a file's symbols as one compact table"},
    {"mcp", 0, "", setup,
     "Give the agent the tools of 'symbols mcp' (outline, find, context, map, ...), instead of language "
     "servers"},
    {"to", 0, "PATH", setup,
     "File to use instead of the user's own one; for nvim, vim and claude-code a folder"},
});

}  // namespace

std::span<const Option> all_options() {
  return known_options;
}

std::string json_name(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '-', '_');
  return text;
}

const Option* find_option(std::string_view name, std::uint32_t taker) {
  const std::string known = json_name(name);
  const auto* const found = std::ranges::find_if(known_options, [&](const Option& option) {
    return !known.empty() && option.is_for(taker) &&
           (json_name(option.name) == known || option.details.alias == known);
  });
  return found == known_options.end() ? nullptr : found;
}

Error no_such_option(std::string_view what, std::string_view name, std::uint32_t taker) {
  std::vector<std::string> names;
  for (const Option& option : known_options) {
    if (option.is_for(taker)) names.push_back(json_name(option.name));
  }
  return {fmt::format("there is no {} {}{}", what, table::quoted(name), did_you_mean(name, names)),
          fmt::format("the {}s are {}", what, fmt::join(names, ", "))};
}

const std::vector<std::string_view>& answer_option_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Option& option : known_options) {
      if (!option.is_for(takers::request)) continue;
      all.push_back(json_name(option.name));
      if (!option.details.alias.empty()) all.emplace_back(option.details.alias);
    }
    return all;
  }();
  static const std::vector<std::string_view> views(names.begin(), names.end());
  return views;
}

Result<AnswerOptions> read_answer_options(std::string_view object) {
  // The last of several members with one name counts, as everywhere (raw_json.h).
  std::vector<std::pair<std::string_view, std::string_view>> given;
  for (lsp::JsonMembers members(object); members.next();) {
    const auto known = std::ranges::find(answer_option_names(), members.name());
    const std::optional<std::string_view> value = members.value();
    if (known == answer_option_names().end() || !value) continue;
    std::erase_if(given, [&](const auto& one) { return one.first == *known; });
    if (*value != "null") given.emplace_back(*known, *value);
  }
  AnswerOptions options;
  for (const auto& [name, value] : given) {
    const Option& option = *find_option(name, takers::request);
    const Result<void> set = option.details.to.set(options, option, OptionValue::of_json(name, value));
    if (!set) return set.error();
  }
  return options;
}

std::string describe_answer_options(std::string_view version) {
  std::array<std::string_view, table::all_formats.size()> formats{};
  std::transform(table::all_formats.begin(), table::all_formats.end(), formats.begin(), table::format_name);
  return fmt::format(R"({{"version":"{}","formats":["{}"],"options":["{}"]}})", version,
                     fmt::join(formats, R"(",")"), fmt::join(answer_option_names(), R"(",")"));
}

}  // namespace symbols::options
