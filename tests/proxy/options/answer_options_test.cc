// The options of an answer: what each takes, what it says where it is wrong, and which place wins.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "proxy/options/option_table.h"

namespace symbols::options {
namespace answer_options_test {

using std::chrono::milliseconds;
using Rule = table::Levels::Rule;

// What was read, in words; absent options are left out.
std::string shown(const AnswerOptions& options) {
  std::string words;
  const auto add = [&words](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
  if (options.format) add(std::string(table::format_name(*options.format)));
  if (options.include_hover) add(*options.include_hover ? "hover" : "no-hover");
  if (options.return_children) {
    const table::Levels levels = *options.return_children;
    add(levels.rule == Rule::top_level   ? "top"
        : levels.rule == Rule::all       ? "all"
        : levels.rule == Rule::automatic ? "auto"
                                         : "levels:" + std::to_string(levels.count));
  }
  if (options.hover_chars) add("chars:" + std::to_string(*options.hover_chars));
  if (options.hover_reply) {
    add(*options.hover_reply == HoverReply::row    ? "row"
        : *options.hover_reply == HoverReply::text ? "text"
                                                   : "standard");
  }
  if (options.carrier) add(*options.carrier == Carrier::object ? "object" : "symbol");
  if (options.timeout) add("timeout:" + std::to_string(options.timeout->count()));
  if (options.verbosity) add("verbosity:" + std::to_string(static_cast<int>(*options.verbosity)));
  if (options.fields) {
    std::string names;
    for (const table::Field field : *options.fields) names += "," + std::string(table::field_name(field));
    add("fields" + names);
  }
  for (const std::string& field : options.unknown_fields) add("unknown:" + field);
  if (options.sort_by) {
    std::string keys;
    for (const table::SortKey& key : *options.sort_by) {
      keys += (key.descending ? ",-" : ",") + std::string(table::field_name(key.field));
    }
    add("sort" + keys);
  }
  if (options.kind_names) add(*options.kind_names ? "words" : "numbers");
  if (options.positions) add(*options.positions ? "positions" : "no-positions");
  if (options.fold) add(*options.fold ? "folded" : "unfolded");
  if (options.all_ends) add(*options.all_ends ? "all-ends" : "long-ends");
  if (options.filter_kind) {
    std::string kinds;
    for (const std::int64_t kind : *options.filter_kind) kinds += "," + std::to_string(kind);
    add("kinds" + kinds);
  }
  if (options.match && *options.match) {
    lsp::SymbolTree tree;
    tree.symbols.emplace_back().name = "test_x";
    add(table::select(tree, {.match = *options.match}).all.empty() ? "misses" : "matches");
  } else if (options.match) {
    add("any");
  }
  if (options.max_tokens) add("tokens:" + std::to_string(*options.max_tokens));
  if (options.tokenizer) add(*options.tokenizer == table::Tokenizer::digits ? "digits" : "o200k");
  if (options.include) {
    const table::ContextLimits limits = options.include->over({1, 1, 1, 1, 1});
    if (limits.callees > 0) add(fmt::format("callees:{}", limits.callees));
    add(fmt::format("include:{}.{}.{}.{}.{}", limits.children, limits.source, limits.references,
                    limits.callers, limits.diagnostics));
  }
  return words;
}

std::string read(std::string_view object) {
  const Result<AnswerOptions> options = read_answer_options(object);
  return options ? shown(*options) : options.error().text();
}

TEST_CASE("answer options: every value that is right") {
  using Case = std::pair<const char*, const char*>;
  const Case cases[] = {
      {R"({"format":"standard"})", "json"},
      {R"({"format":"tree","verbosity":"counts"})", "tree verbosity:0"},
      {R"({"verbosity":"full"})", "verbosity:4"},
      {R"({"fold":"locals","ends":"all"})", "folded all-ends"},
      {R"({"fold":"no","ends":"long"})", "unfolded long-ends"},
      {R"({"fields":["name","lines","name"]})", "fields,name,lines"},
      {R"({"fields":"name, doc"})", "fields,name,doc"},
      {R"({"fields":["name","colour","NAME"]})", "fields,name unknown:colour unknown:NAME"},
      {R"({"fields":[]})", "fields,name,kind,range,selection,parent"},
      {R"({"fields":["colour"]})", "fields,name,kind,range,selection,parent unknown:colour"},
      {R"({"sort":["kind","-lines","+name"]})", "sort,kind,-lines,name"},
      {R"({"sort":"-name"})", "sort,-name"},
      {R"({"sort":[]})", "sort"},
      {R"({"kind":["Class","method",255]})", "kinds,5,6,255"},
      {R"({"kind":6})", "kinds,6"},
      {R"({"kind":"Class,6"})", "kinds,5,6"},
      {R"({"match":"^test_"})", "matches"},
      {R"({"match":"^x"})", "misses"},
      {R"({"kind_names":true,"positions":true,"max_tokens":1000})", "words positions tokens:1000"},
      {R"({"tokenizer":"o200k"})", "o200k"},
      {R"({"tokenizer":"digits"})", "digits"},
      {R"({"include":"diagnostics:7"})", "include:1.1.1.1.7"},
      {R"({"include":["references:50, callers:0","source"]})", "include:1.1.50.0.1"},
      {R"({"include":["callers:1","callers:2"]})", "include:1.1.1.2.1"},
      {R"({"include":"callees"})", "callees:10 include:1.1.1.1.1"},
      {R"({"include":"callees:3"})", "callees:3 include:1.1.1.1.1"},
      {R"({"include":[]})", "include:1.1.1.1.1"},
      {R"({"hover":true})", "hover"},
      {R"({"hover":false,"children":"no"})", "no-hover top"},
      {R"({"children":"yes"})", "all"},
      {R"({"children":"auto"})", "auto"},
      {R"({"children":4294967295})", "levels:4294967295"},
      {R"({"children":"3"})", "levels:3"},
      {R"({"hover_chars":0,"hover_reply":"row","carrier":"object"})", "chars:0 row object"},
      {R"({"hover_chars":1000000000,"hover_reply":"text","carrier":"symbol"})",
       "chars:1000000000 text symbol"},
      {R"({"hover_reply":"standard"})", "standard"},
      {R"({"timeout":1})", "timeout:1"},
      {R"({"timeout":86400000})", "timeout:86400000"},
      {R"({"timeout":"1500"})", "timeout:1500"},
      {R"({"timeout":"30s"})", "timeout:30000"},
      {R"({"timeout":"2m"})", "timeout:120000"},
      // The older names.
      {R"({"include_hover":false,"return_children":"no","sort_by":"-name","filter_kind":[6],"timeout_ms":5})",
       "no-hover top timeout:5 sort,-name kinds,6"},
      // JSON may be written in other ways.
      {R"({ "format" : "table" , "carrier" : "symbol" } behind)", "table symbol"},
      {R"({"\u0066ormat":"\u006a\u0073on"})", "json"},
      {R"({"format":"xml","format":"table"})", "table"},
      {R"({"format":"table","format":null})", ""},
      // Nothing is said.
      {R"({})", ""},
      {R"(null)", ""},
      {R"([{"format":"table"}])", ""},
      {R"("format")", ""},
      {"", ""},
      {R"({"format":null,"hover":null,"children":null,"max_tokens":null,"fields":null})", ""},
      {R"({"textDocument":{"uri":"file:///a","format":"xml"},"Format":1,"formats":[],"hovers":true})", ""},
      {R"({"workDoneToken":"format","partialResultToken":1,"format":"table"})", "table"},
  };
  for (const auto& [json, expected] : cases) {
    CAPTURE(json);
    CHECK(read(json) == expected);
  }
}

TEST_CASE("answer options: a value that is wrong is named with its option and what is allowed") {
  struct Case {
    const char* option;
    const char* value;    // raw JSON
    const char* shown;    // in the message
    const char* allowed;  // the rest of the message
  };
  constexpr const char* formats = "give table, tree, outline, tsv, toon, packed, json or standard";
  constexpr const char* chars = "give a whole number from 0 to 1000000000";
  constexpr const char* levels =
      "give no (top level only), yes (all), auto (all, or top level only where all would be over 100 rows) "
      "or a number of levels from 1 to 4294967295";
  constexpr const char* times =
      "give milliseconds, at least 1 and at most a day, or a number with the unit ms, s or m, such as 30s";
  const Case cases[] = {
      {"format", R"("Table")", R"("Table")", formats},
      {"format", R"("")", R"("")", formats},
      {"format", "true", R"("true")", formats},
      {"format", R"(["table"])", R"("[\"table\"]")", formats},
      {"hover", R"("true")", R"("\"true\"")", "give true or false"},
      {"include_hover", "1", R"("1")", "give true or false"},
      {"hover_chars", "-1", R"("-1")", chars},
      {"hover_chars", "1.5", R"("1.5")", chars},
      {"hover_chars", "1e3", R"("1e3")", chars},
      {"hover_chars", "1000000001", R"("1000000001")", chars},
      {"hover_chars", "99999999999999999999999", R"("99999999999999999999999")", chars},
      {"hover_chars", R"("200")", R"("\"200\"")", chars},
      {"carrier", "{}", R"("{}")", "give object or symbol"},
      {"timeout_ms", "0", R"("0")", times},
      {"timeout", "86400001", R"("86400001")", times},
      {"timeout", "true", R"("true")", times},
      {"verbosity", "3", R"("3")", "give counts, minimal, signatures, standard or full"},
      {"fold", "true", R"("true")", "give no or locals"},
      {"fields", R"([["name"]])", R"("[[\"name\"]]")", R"(give a list of fields, such as ["name","lines"])"},
      {"sort", "true", R"("true")", R"(give a list of fields, such as ["kind","-lines"])"},
      {"kind", "1.5", R"("1.5")", R"(give a list of kinds, such as ["Class",6])"},
      {"match", "7", R"("7")", "give a regular expression, such as \"^test_\""},
      {"max_tokens", "0", R"("0")", "give a whole number from 1 to 1000000000"},
      {"children", "[]", R"("[]")", R"(give "no", "yes", "auto" or a number of levels)"},
      {"children", "-1", R"("-1")", R"(give "no", "yes", "auto" or a number of levels)"},
      {"return_children", R"("No")", R"("No")", levels},
      {"children", "0", R"("0")", levels},
  };
  for (const Case& c : cases) {
    CAPTURE(c.option);
    CAPTURE(c.value);
    const std::string json = std::string(R"({"a":1,")") + c.option + "\":" + c.value + "}";
    CHECK(read(json) == std::string(c.option) + " cannot be " + c.shown + "; " + c.allowed);
  }
}

TEST_CASE("answer options: a list with a word that is wrong names the word") {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"sort_by":["name","-colour"]})", "colour"},           {R"({"sort_by":"hover"})", "hover"},
      {R"({"filter_kind":["Class","Klass"]})", "Klass"},         {R"({"match":"(a"})", "(a"},
      {R"({"include":"diagnostics:many"})", "diagnostics:many"}, {R"({"include":"colours:1"})", "colours:1"},
      {R"({"include":"source:10001"})", "source:10001"},
  };
  for (const auto& [json, word] : cases) {
    CAPTURE(json);
    const Result<AnswerOptions> options = read_answer_options(json);
    REQUIRE_FALSE(options.has_value());
    CAPTURE(options.error().text());
    CHECK(options.error().message.find(word) != std::string::npos);
    CHECK_FALSE(options.error().advice.empty());
  }
}

TEST_CASE(
    "answer options: a budget and json exclude each other, unless the budget was meant for other answers") {
  const auto checked = [](const char* nearer, const char* base) {
    return read_answer_options(nearer)->over(*read_answer_options(base)).check().has_value();
  };
  CHECK(checked(R"({"max_tokens":9})", "{}"));
  CHECK_FALSE(checked(R"({"max_tokens":9,"format":"json"})", "{}"));
  CHECK_FALSE(checked(R"({"max_tokens":9})", R"({"format":"json"})"));
  CHECK(checked(R"({"format":"json"})", R"({"max_tokens":9})"));
  CHECK_FALSE(checked("{}", R"({"max_tokens":9,"format":"json"})"));
  CHECK(read_answer_options(R"({"max_tokens":9,"format":"json"})")->check("--max-tokens").error().text() ==
        "--max-tokens cannot be used with the format json: LSP's DocumentSymbol[] has no place to say what "
        "is missing; choose another format");
}

TEST_CASE("answer options: of what a session includes a document's answer has what it has a place for") {
  struct Case {
    const char* asked;
    const char* session;
    int diagnostics;    // -1: an error
    const char* error;  // a part of it
  };
  const char* const parts = R"({"include":"references:5,diagnostics:7"})";
  const Case cases[] = {
      {"{}", parts, 7, ""},
      {R"({"include":"diagnostics:3"})", parts, 3, ""},
      {R"({"format":"json"})", parts, 0, ""},
      {"{}", R"({"include":"diagnostics","format":"json"})", 0, ""},
      {R"({"include":"callers:1"})", parts, -1,
       "include cannot be \"callers\": a whole document has only diagnostics"},
      {R"({"include":"diagnostics","format":"json"})", "{}", -1,
       "include cannot be used with the format json"},
      {R"({"include":"diagnostics:2","format":"packed","carrier":"symbol"})", "{}", -1,
       "include cannot be used with the format packed and the carrier symbol"},
      {R"({"include":"diagnostics:2","format":"packed"})", "{}", 2, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.asked);
    CAPTURE(c.session);
    const AnswerOptions options =
        read_answer_options(c.asked)->for_document_over(*read_answer_options(c.session));
    const Result<void> fits = options.check_for_document_answer();
    CHECK(fits.has_value() == (c.diagnostics >= 0));
    if (fits) {
      CHECK(options.most_diagnostics() == static_cast<std::size_t>(c.diagnostics));
    } else {
      CHECK(fits.error().message.starts_with(c.error));
    }
  }
}

TEST_CASE("answer options: which fields are shown; what says so wins over what said so farther away") {
  struct Case {
    const char* nearer;
    const char* base;
    const char* fields;
  };
  const Case cases[] = {
      {"{}", "{}", "name kind range selection parent hover"},
      {R"({"hover":false})", "{}", "name kind range selection parent"},
      {R"({"verbosity":"minimal"})", "{}", "name kind range"},
      {R"({"verbosity":"minimal","hover":true})", "{}", "name kind range hover"},
      {R"({"fields":["hover","name"],"verbosity":"minimal","hover":false})", "{}", "hover name"},
      {R"({"format":"json"})", "{}", "name kind range selection parent"},
      {R"({"format":"json","hover":true})", "{}", "name kind range selection parent hover"},
      {R"({"verbosity":"minimal"})", R"({"hover":true})", "name kind range"},
      {R"({"verbosity":"minimal"})", R"({"fields":["detail"]})", "name kind range"},
      {R"({"hover":true})", R"({"fields":["name"]})", "name kind range selection parent hover"},
      {R"({"hover":false})", R"({"verbosity":"minimal"})", "name kind range"},
      {R"({"fields":["name"]})", R"({"hover":true,"verbosity":"full"})", "name"},
      {"{}", R"({"fields":["name"],"verbosity":"full"})", "name"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.nearer);
    CAPTURE(c.base);
    std::string names;
    const AnswerOptions both = read_answer_options(c.nearer)->over(*read_answer_options(c.base));
    for (const table::Field field : both.view().fields)
      names += (names.empty() ? "" : " ") + std::string(table::field_name(field));
    CHECK(names == c.fields);
  }
}

TEST_CASE("answer options: what is said nearer to the request wins, option by option") {
  const char* const all = R"({"format":"json","include_hover":false,"return_children":2,"hover_chars":5,)"
                          R"("hover_reply":"text","carrier":"symbol","timeout_ms":9,"tokenizer":"digits"})";
  const char* const others =
      R"({"format":"table","include_hover":true,"return_children":"auto","hover_chars":0,)"
      R"("hover_reply":"row","carrier":"object","timeout_ms":1,"tokenizer":"o200k"})";
  struct Case {
    const char* what;
    const char* nearer;
    const char* base;
    const char* expected;
  };
  const Case cases[] = {
      {"nothing at all", "{}", "{}", ""},
      {"the base alone", "{}", all, "json no-hover levels:2 chars:5 text symbol timeout:9 digits"},
      {"the nearer alone", all, "{}", "json no-hover levels:2 chars:5 text symbol timeout:9 digits"},
      {"all in both", others, all, "table hover auto chars:0 row object timeout:1 o200k"},
      {"one of them", R"({"carrier":"object"})", all,
       "json no-hover levels:2 chars:5 text object timeout:9 digits"},
      {"null says nothing", R"({"carrier":null})", all,
       "json no-hover levels:2 chars:5 text symbol timeout:9 digits"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(shown(read_answer_options(c.nearer)->over(*read_answer_options(c.base))) == c.expected);
  }
}

TEST_CASE("answer options: what holds where nothing is said depends on the format") {
  struct Case {
    const char* json;
    bool text;
    bool hovers;
    Rule levels;
    HoverReply reply;
    bool changes_rows;
  };
  const Case cases[] = {
      {"{}", true, true, Rule::top_level, HoverReply::row, false},
      {R"({"format":"table"})", true, true, Rule::top_level, HoverReply::row, false},
      {R"({"format":"json"})", false, false, Rule::all, HoverReply::standard, false},
      {R"({"format":"json","include_hover":false})", false, false, Rule::all, HoverReply::standard, false},
      {R"({"format":"json","include_hover":true})", false, true, Rule::all, HoverReply::standard, true},
      {R"({"format":"json","return_children":"no"})", false, false, Rule::top_level, HoverReply::standard,
       true},
      {R"({"format":"json","hover_reply":"row"})", false, false, Rule::all, HoverReply::row, false},
      {R"({"include_hover":false,"return_children":"yes"})", true, false, Rule::all, HoverReply::row, false},
      {R"({"format":"json","sort_by":"name"})", false, false, Rule::all, HoverReply::standard, true},
      {R"({"format":"json","filter_kind":5})", false, false, Rule::all, HoverReply::standard, true},
      {R"({"format":"json","sort_by":[],"filter_kind":[],"match":""})", false, false, Rule::all,
       HoverReply::standard, false},
      {R"({"format":"json","fields":["name","signature","doc"]})", false, false, Rule::all,
       HoverReply::standard, false},
      {R"({"match":"","filter_kind":[]})", true, true, Rule::top_level, HoverReply::row, false},
      {R"({"format":"json","match":"a"})", false, false, Rule::all, HoverReply::standard, true},
      {R"({"format":"json","kind_names":true})", false, false, Rule::all, HoverReply::standard, false},
      {R"({"filter_kind":5})", true, true, Rule::all, HoverReply::row, false},
      {R"({"filter_kind":5,"return_children":"no"})", true, true, Rule::top_level, HoverReply::row, false},
      {R"({"verbosity":"counts"})", true, false, Rule::all, HoverReply::row, false},
      {R"({"hover_reply":"standard"})", true, true, Rule::top_level, HoverReply::standard, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const Result<AnswerOptions> options = read_answer_options(c.json);
    REQUIRE(options.has_value());
    CHECK(options->is_text() == c.text);
    CHECK(options->wants_hovers() == c.hovers);
    CHECK(options->proxy_selection().levels.rule == c.levels);
    CHECK(options->hover_reply_or_default() == c.reply);
    CHECK(options->changes_rows() == c.changes_rows);
    CHECK(options->row_hover_chars() == 200);
    CHECK(options->answer_timeout() == milliseconds(10'000));
  }
  CHECK(read_answer_options(R"({"hover_chars":0})")->row_hover_chars() == 0);
  CHECK(read_answer_options(R"({"timeout_ms":7})")->answer_timeout() == milliseconds(7));
}

TEST_CASE("answer options: rows are folded by default only where the answer shows it and is brief") {
  const std::pair<const char*, bool> cases[] = {
      {"{}", false},
      {R"({"format":"tree"})", false},
      {R"({"format":"tree","verbosity":"minimal"})", true},
      {R"({"format":"tree","verbosity":"signatures"})", true},
      {R"({"format":"outline","verbosity":"minimal"})", true},
      {R"({"format":"tree","verbosity":"minimal","fold":"no"})", false},
      {R"({"format":"tree","verbosity":"minimal","fields":["name","lines"]})", false},
      {R"({"format":"tree","verbosity":"minimal","match":"a"})", false},
      {R"({"format":"tree","verbosity":"minimal","filter_kind":6})", false},
      {R"({"format":"tree","verbosity":"standard"})", false},
      {R"({"verbosity":"minimal"})", false},
      {R"({"fold":"locals"})", true},
      {R"({"format":"json","fold":"locals"})", true},
  };
  for (const auto& [json, folds] : cases) {
    CAPTURE(json);
    CHECK(read_answer_options(json)->proxy_selection().fold == folds);
  }
  CHECK(read_answer_options(R"({"format":"json","fold":"locals"})")->changes_rows());
  AnswerOptions at_terminal;
  at_terminal.format = table::Format::pretty;
  CHECK(at_terminal.selection({}).fold);
  at_terminal.verbosity = table::Verbosity::counts;  // which are the same from a pipe
  CHECK_FALSE(at_terminal.selection({}).fold);
}

TEST_CASE("answer options: signatures need no hovers if the details have them, and whole hovers else") {
  const Result<AnswerOptions> tree = read_answer_options(R"({"format":"tree","verbosity":"signatures"})");
  CHECK(tree->wants_hovers());
  CHECK(tree->details_will_do());
  CHECK(tree->row_hover_chars() == 0);
  // A field of that name has the server's words.
  const Result<AnswerOptions> table = read_answer_options(R"({"verbosity":"signatures"})");
  CHECK(table->wants_hovers());
  CHECK_FALSE(table->details_will_do());
}

}  // namespace answer_options_test
}  // namespace symbols::options
