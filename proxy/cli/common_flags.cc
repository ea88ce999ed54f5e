#include "proxy/cli/common_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "proxy/options/answer_option_values.h"
#include "table/escape.h"

namespace symbols::cli {

Result<std::chrono::milliseconds> read_time(std::string_view flag, std::string_view text) {
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
  const std::optional<std::uint64_t> number = options::OptionValue::of_text(flag, digits).number();
  if (!number || *number == 0 || *number > longest / unit) {
    return Error{
        fmt::format("{} cannot be {}", flag, table::quoted(text)),
        "give milliseconds, at least 1 and at most a day, or a number with the unit ms, s or m, such as 30s"};
  }
  return std::chrono::milliseconds(*number * unit);
}

void AnswerFlags::add(CLI::App& app, const char* names, std::string_view option, const char* type,
                      const std::string& help) {
  given_.push_back({option, app.add_option(names, help)->type_name(type)});
}

void AnswerFlags::add_tokenizer(CLI::App& app) {
  add(app, "--tokenizer", "tokenizer", "WHOSE",
      "The tokens to estimate: o200k (default), or digits, where each digit is a token (as for Qwen)");
}

void AnswerFlags::add_to(CLI::App& app, Use use) {
  const bool proxy = use == Use::proxy;
  const bool context = use == Use::context;
  if (use == Use::index) {
    add(app, "-t,--timeout", "timeout_ms", "TIME",
        "Maximum silence of a server: 5000, 5000ms, 5s, 2m\n(default 120s before the symbols, 30s after)");
    return;
  }
  if (use == Use::doctor) {
    add(app, "-t,--timeout", "timeout_ms", "TIME",
        "Maximum silence of a server: 5000, 5000ms, 5s, 2m (default 20s)");
    return;
  }
  if (use == Use::map) {
    add(app, "-n,--max-tokens", "max_tokens", "N", "At most about N tokens (default 4000)");
    add_tokenizer(app);
    return;
  }
  if (proxy) {
    add(app, "-f,--format", "format", "FORMAT",
        "table (default), tree (fewest tokens), outline, tsv, toon, packed, json or standard (the server's "
        "own reply)");
  }
  add(app, "-c,--children", "return_children", "LEVELS",
      fmt::format("no, yes, auto or a number of levels\n- no: {}; yes: all{}; auto: yes if at most 100 rows, "
                  "else no; a number: that many levels{}",
                  proxy     ? "top level only (default for text formats)"
                  : context ? "the symbol alone"
                            : "top level only",
                  proxy || context ? "" : " (default)", context ? "; default 1 (its children)" : ""));
  if (use != Use::convert) {
    app.add_flag("--hover", hover_,
                 context ? "Include the hovers of the symbol and its children (default)"
                         : "Include hovers (default for text formats); with json, in 'detail'");
  }
  app.add_flag("-H,--no-hover", no_hover_,
               use == Use::dump ? "Leave out hovers, which is much faster" : "Leave out hovers");
  if (!context) {
    add(app, "--verbosity", "verbosity", "HOW",
        "counts, minimal, signatures, standard, full (default)\n- counts: one line; minimal: name, kind, "
        "lines; "
        "signatures: minimal, with signatures instead of names; standard: name, kind, range, selection, "
        "parent; full: also hovers");
    add(app, "--fold", "fold", "WHAT",
        "locals: leave out imports, what is inside functions and variables, and all but the first of many "
        "constants, and show how much as +N (default of tree and outline with minimal or signatures, and of "
        "pretty); no: nothing");
    add(app, "--ends", "ends", "WHICH",
        "Last lines in a tree with minimal or signatures: long (default): of symbols of 20 lines and more; "
        "all");
    add(app, "--fields", "fields", "LIST",
        "Fields to show: name, kind, range, selection, parent, hover, detail, lines, signature, doc, depth, "
        "children, tags");
    add(app, "--sort", "sort_by", "LIST",
        "Sort siblings by these fields, -FIELD for descending order: kind,-lines");
    add(app, "-k,--kind", "filter_kind", "LIST",
        "Only symbols of these kinds: Class,Method\n(with their ancestors)");
    add(app, "-m,--match", "match", "REGEX",
        "Only symbols whose name matches this expression\n(RE2, unanchored; with their ancestors)");
  }
  app.add_flag("--kind-names", kind_names_, "Show kinds as words: Class instead of 5");
  if (use == Use::dump) {
    app.add_flag(
        "--positions", positions_,
        "For editors: start each line of symbols with the line:character of its first one, and a tab");
  }
  add(app, "-n,--max-tokens", "max_tokens", "N",
      context ? "Limit the answer to about N tokens:\ndrops the hovers of the children first, then children, "
                "source, references, callers, diagnostics; last the symbol's own hover"
              : "Limit the answer to about N tokens:\ndrops hovers first, then levels, then rows");
  add_tokenizer(app);
  if (use != Use::convert) {
    add(app, "-i,--include", "include", "LIST",
        context ? "Limits of the parts: references:50,callers:0\n(default "
                  "children:100,source:40,references:10,callers:5,diagnostics:5)"
        : proxy
            ? "diagnostics[:N]: add up to N diagnostics of the file (default 20);\nfor symbols.context also "
              "children, source, references and callers"
            : "diagnostics[:N]: add up to N diagnostics of the file (default 20)");
  }
  add(app, "--hover-chars", "hover_chars", "N",
      context ? "Maximum length of a hover, in characters; 0: no limit (default 200 for the children, 0 for "
                "the symbol)"
              : "Maximum length of a hover, in characters; 0: no limit (default 200)");
  if (proxy) {
    add(app, "--hover-reply", "hover_reply", "FORM",
        "How to answer hover requests: row (default), text, standard (default with json)");
    add(app, "--carrier", "carrier", "FORM",
        "Shape of the reply: object (default), or symbol (one DocumentSymbol with the text as its name)");
  }
  if (use != Use::convert) {
    add(app, "-t,--timeout", "timeout_ms", "TIME",
        proxy ? "Maximum wait for the hovers of an answer (default 10s)"
        : context
            ? "Maximum silence of a server: 5000, 5000ms, 5s, 2m\n(default 120s before the symbols, 30s "
              "after); a part that takes three quarters of it is reported as not answered"
            : "Maximum silence of a server: 5000, 5000ms, 5s, 2m\n(default 120s before the symbols, 30s "
              "after)");
  }
}

Result<options::AnswerOptions> AnswerFlags::read() const {
  options::AnswerOptions options;
  for (const Given& given : given_) {
    if (given.given->count() == 0) continue;
    const std::string flag = "--" + given.given->get_lnames().front();
    std::string text = given.given->as<std::string>();
    if (given.option == "timeout_ms") {
      const Result<std::chrono::milliseconds> time = read_time(flag, text);
      if (!time) return time.error();
      text = std::to_string(time->count());
    }
    const Result<void> set =
        options::set_answer_option(options, given.option, options::OptionValue::of_text(flag, text));
    if (!set) return set.error();
  }
  if (hover_ && no_hover_) return Error{"--hover and --no-hover exclude each other", "give one of them"};
  if (hover_ || no_hover_) options.include_hover = hover_;
  if (kind_names_) options.kind_names = true;
  if (positions_) options.positions = true;
  const Result<void> fits = options.check("--max-tokens");
  if (!fits) return fits.error();
  return options;
}

CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm) {
  return app.add_flag(
      "-w,--warm,!--no-warm", is_warm,
      "Keep the servers running,\nso that the next calls take milliseconds (see symbols warm)");
}

void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine) {
  app.add_flag("--trust-project", trust_project, trusting);
  // CLI11 throws what is no error of its own where it counts a flag with another value.
  const auto wrong = [](const std::string& value) {
    constexpr std::array allowed{"true", "false", "1", "0"};
    return std::ranges::count(allowed, value) > 0
               ? std::string()
               : fmt::format("cannot be {}; give true, false, 1 or 0", table::quoted(value));
  };
  // Not as a value: CLI11 would set that to false where neither is given.
  app.add_flag_function(
         "--confine,!--no-confine", [&confine](std::int64_t times) { confine = times > 0; },
         "--confine: let the kernel keep servers from the network, and from writing outside of a folder of "
         "their own; --no-confine: do not (default: --confine; with --trust-project: --no-confine)")
      ->check(wrong);
}

void add_server_flags(CLI::App& app, settings::DumpArguments& document) {
  app.add_option("-l,--language", document.inputs.language,
                 "Language id (typescript, cpp, ...),\ninstead of the one that the file's name implies")
      ->type_name("ID");
  app.add_option("-s,--server", document.inputs.server, "A name from 'symbols servers', or a command line")
      ->type_name("SERVER");
  app.add_option("-r,--root", document.inputs.root,
                 "Project root,\ninstead of the nearest folder with a project file or .git")
      ->type_name("DIR");
  app.add_option("--log", document.log, "Write the LSP traffic to this file")->type_name("FILE");
  add_trust_flags(app, trust_help, document.inputs.trust_project, document.inputs.confine);
}

}  // namespace symbols::cli
