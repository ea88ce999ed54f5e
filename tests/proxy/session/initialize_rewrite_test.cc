// What becomes of initialize and its answer: the members of docs/spec.md, section 7, and no other byte.
#include "proxy/session/initialize_rewrite.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace symbols::session {
namespace {

const std::string kinds = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]";
const std::string format = R"(["markdown","plaintext"])";
const std::string about =
    R"({"version":"1.2","formats":["table","tree","outline","tsv","toon","packed","json"],"options":["format",)"
    R"("children","return_children","hover","include_hover","verbosity","fold","ends","fields","sort","sort_by",)"
    R"("kind","filter_kind","match","kind_names","positions","max_tokens","tokenizer","include","hover_chars","hover_reply",)"
    R"("carrier","timeout","timeout_ms"]})";

const options::AnswerOptions text{};
const options::AnswerOptions standard{.format = table::Format::json};
const options::AnswerOptions plain_hovers{.hover_reply = options::HoverReply::standard};
const options::AnswerOptions flat_hovers{.format = table::Format::json,
                                         .hover_reply = options::HoverReply::text};

// `body` with each word in braces replaced: {kinds}, {format}, {about}.
std::string filled(std::string body) {
  const auto replace = [&body](const std::string& word, const std::string& with) {
    for (std::size_t at = 0; (at = body.find(word, at)) != std::string::npos; at += with.size()) {
      body.replace(at, word.size(), with);
    }
  };
  replace("{kinds}", kinds);
  replace("{format}", format);
  replace("{about}", about);
  return body;
}

TEST_CASE("initialize: a confined server is not told whom to watch") {
  const auto rewritten = [](const char* body, const options::AnswerOptions& options = standard) {
    return rewrite_initialize(body, options, true).value_or("");
  };
  CHECK(rewritten(R"({"id":1,"params":{"processId": 7 ,"rootUri":null}})") ==
        R"({"id":1,"params":{"processId": null ,"rootUri":null}})");
  CHECK(rewritten(R"({"params":{"processId":null,"rootUri":null}})").empty());
  CHECK(rewritten(R"({"params":{}})").empty());
  CHECK(rewritten(R"({"params":{"processId":7,"initializationOptions":{"symbols":{}}}})") ==
        R"({"params":{"processId":null,"initializationOptions":{}}})");
}

TEST_CASE("initialize: what the server gets") {
  struct Case {
    const char* what;
    const options::AnswerOptions& options;
    const char* body;
    const char* expected;  // empty where nothing changes
  };
  const Case cases[] = {
      {"no capabilities", text, R"({"id":1,"method":"initialize","params":{"processId":7}})",
       R"({"id":1,"method":"initialize","params":{"processId":7,"capabilities":{"textDocument":)"
       R"({"documentSymbol":{"hierarchicalDocumentSymbolSupport":true,"symbolKind":{"valueSet":{kinds}}},)"
       R"("hover":{"contentFormat":{format}}},"workspace":{"symbol":{"symbolKind":{"valueSet":{kinds}}}}}}})"},
      {"all of them, and others", text,
       R"({"params":{"capabilities":{"workspace":{"applyEdit":true,"symbol":{"dynamicRegistration":true,)"
       R"("symbolKind":{"valueSet":[1,2]}}},"textDocument":{"hover":{"contentFormat":["plaintext"]},)"
       R"("documentSymbol":{"labelSupport":false,"hierarchicalDocumentSymbolSupport":false,)"
       R"("symbolKind":{"valueSet":[1]}}},"general":{"positionEncodings":["utf-8"]}},"rootUri":null}})",
       R"({"params":{"capabilities":{"workspace":{"applyEdit":true,"symbol":{"dynamicRegistration":true,)"
       R"("symbolKind":{"valueSet":{kinds}}}},"textDocument":{"hover":{"contentFormat":{format}},)"
       R"("documentSymbol":{"labelSupport":false,"hierarchicalDocumentSymbolSupport":true,)"
       R"("symbolKind":{"valueSet":{kinds}}}},"general":{"positionEncodings":["utf-8"]}},"rootUri":null}})"},
      {"null where objects should be", text,
       R"({"params":{"capabilities":{"textDocument":null,"workspace":{"symbol":null}}}})",
       R"({"params":{"capabilities":{"textDocument":{"documentSymbol":{)"
       R"("hierarchicalDocumentSymbolSupport":true,"symbolKind":{"valueSet":{kinds}}},"hover":)"
       R"({"contentFormat":{format}}},"workspace":{"symbol":{"symbolKind":{"valueSet":{kinds}}}}}}})"},
      {"the hover is to stay the server's", plain_hovers,
       R"({"params":{"capabilities":{"textDocument":{"hover":{"contentFormat":["plaintext"]}}}}})",
       R"({"params":{"capabilities":{"textDocument":{"hover":{"contentFormat":["plaintext"]},)"
       R"("documentSymbol":{"hierarchicalDocumentSymbolSupport":true,"symbolKind":{"valueSet":{kinds}}}},)"
       R"("workspace":{"symbol":{"symbolKind":{"valueSet":{kinds}}}}}}})"},
      {"standard, but its hovers are flattened", flat_hovers,
       R"({"params":{"capabilities":{"textDocument":{"hover":{"contentFormat":["plaintext"]}}}}})",
       R"({"params":{"capabilities":{"textDocument":{"hover":{"contentFormat":{format}}}}}})"},
      {"standard, without options", standard,
       R"({"params":{"initializationOptions":{"a":1},"capabilities":{}}})", ""},
      {"standard, without initializationOptions", standard, R"({"params":{}})", ""},
      {"standard, null initializationOptions", standard, R"({"params":{"initializationOptions":null}})", ""},
      {"standard, ours alone", standard,
       R"({"id":1,"params":{"initializationOptions":{"symbols":{"format":"json"}},"capabilities":{}}})",
       R"({"id":1,"params":{"initializationOptions":{},"capabilities":{}}})"},
      {"standard, ours among others", standard,
       R"({"params":{"initializationOptions":{"a":[1, 2],"symbols":{},"b":{"symbols":3}}}})",
       R"({"params":{"initializationOptions":{"a":[1, 2],"b":{"symbols":3}}}})"},
      {"standard, ours null", standard, R"({"params":{"initializationOptions":{"symbols":null,"b":2}}})",
       R"({"params":{"initializationOptions":{"b":2}}})"},
      {"standard, every other byte stays", standard,
       "{\"id\" : 9007199254740993,\n \"params\":{ \"a\":1e400, \"initializationOptions\": {\"symbols\":1, "
       "\"n\" : 12345678901234567890.10, \"s\":\"\\u00e9\\/\xC3\xA9\\ud83d\" }, \"a\":2 }\t}\n",
       "{\"id\" : 9007199254740993,\n \"params\":{ \"a\":1e400, \"initializationOptions\": {"
       "\"n\" : 12345678901234567890.10, \"s\":\"\\u00e9\\/\xC3\xA9\\ud83d\" }, \"a\":2 }\t}\n"},
      {"standard, names with escapes, given twice", standard,
       R"({"params":{"initializationOptions":{"symbols":1},"initialization\u004fptions":)"
       R"({"symbols":{},"x":0,"\u0073ymbols":2}}})",
       R"({"params":{"initialization\u004fptions":{"x":0}}})"},
      {"no params", standard, R"({"id":1,"method":"initialize"})", ""},
      {"params that are none", standard, R"({"id":1,"params":[{"initializationOptions":{}}]})", ""},
      {"no JSON", text, R"({"id":1,"params":{"capabilities":)", ""},
      {"no object", text, "[]", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(rewrite_initialize(c.body, c.options).value_or("") == filled(c.expected));
  }
}

TEST_CASE("initialize: the answer that the client gets") {
  struct Case {
    const char* what;
    const options::AnswerOptions& options;
    const char* body;
    const char* expected;  // empty where nothing changes
  };
  const Case cases[] = {
      {"empty capabilities", text, R"({"id":1,"result":{"capabilities":{}}})",
       R"({"id":1,"result":{"capabilities":{"experimental":{"symbols":{about}},)"
       R"("executeCommandProvider":{"commands":["symbols.documentSymbols","symbols.context"]}}}})"},
      {"standard names no command", standard,
       R"({"id":1,"result":{"capabilities":{"hoverProvider":true},"serverInfo":{"name":"x"}}})",
       R"({"id":1,"result":{"capabilities":{"hoverProvider":true,"experimental":{"symbols":{about}}},)"
       R"("serverInfo":{"name":"x"}}})"},
      {"the server's own experimental", standard,
       R"({"result":{"capabilities":{"experimental":{"a":1, "b":[2]},"x":1.0}},"id":"7"})",
       R"({"result":{"capabilities":{"experimental":{"a":1, "b":[2],"symbols":{about}},"x":1.0}},"id":"7"})"},
      {"experimental null", standard, R"({"result":{"capabilities":{"experimental":null}}})",
       R"({"result":{"capabilities":{"experimental":{"symbols":{about}}}}})"},
      {"experimental has such a member already", standard,
       R"({"result":{"capabilities":{"experimental":{"symbols":{"version":"0"},"z":1}}}})",
       R"({"result":{"capabilities":{"experimental":{"symbols":{about},"z":1}}}})"},
      {"the server's own commands", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":[ "a" , "b" ],)"
       R"("workDoneProgress":true},"experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["a","b",)"
       R"("symbols.documentSymbols","symbols.context"],"workDoneProgress":true},"experimental":{"symbols":{about}}}}})"},
      {"no commands in the list", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":[ ]},"experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.documentSymbols",)"
       R"("symbols.context"]},)"
       R"("experimental":{"symbols":{about}}}}})"},
      {"no list of commands", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{},"experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.documentSymbols",)"
       R"("symbols.context"]},)"
       R"("experimental":{"symbols":{about}}}}})"},
      {"a list that is null", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":null},"experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.documentSymbols",)"
       R"("symbols.context"]},)"
       R"("experimental":{"symbols":{about}}}}})"},
      {"one of our commands is there", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.documentSymbols","b"]},)"
       R"("experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.documentSymbols","b",)"
       R"("symbols.context"]},"experimental":{"symbols":{about}}}}})"},
      {"both are there", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.context",)"
       R"("symbols.documentSymbols"]},"experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["symbols.context",)"
       R"("symbols.documentSymbols"]},"experimental":{"symbols":{about}}}}})"},
      {"experimental as somebody else has it", text,
       R"({"result":{"capabilities":{"experimental":true,"executeCommandProvider":{"commands":["a"]}}}})",
       R"({"result":{"capabilities":{"experimental":true,"executeCommandProvider":{"commands":["a",)"
       R"("symbols.documentSymbols","symbols.context"]}}}})"},
      {"a command that has our name in its own", text,
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["x.symbols.documentSymbols"]},)"
       R"("experimental":{}}}})",
       R"({"result":{"capabilities":{"executeCommandProvider":{"commands":["x.symbols.documentSymbols",)"
       R"("symbols.documentSymbols","symbols.context"]},"experimental":{"symbols":{about}}}}})"},
      {"every other byte stays", standard,
       "{ \"result\" : {\"capabilities\":{\"n\":1.50e+07 , \"s\":\"\\u00e9\xC3\xA9\"\t}}, \"id\":1 }\r\n",
       "{ \"result\" : {\"capabilities\":{\"n\":1.50e+07 , \"s\":\"\\u00e9\xC3\xA9\""
       ",\"experimental\":{\"symbols\":{about}}\t}}, \"id\":1 }\r\n"},
      {"no capabilities", text, R"({"id":1,"result":{}})", ""},
      {"capabilities null", text, R"({"id":1,"result":{"capabilities":null}})", ""},
      {"a null result", text, R"({"id":1,"result":null})", ""},
      {"an error", text, R"({"id":1,"error":{"code":1,"message":"m"}})", ""},
      {"no JSON", text, R"({"id":1,"result":{"capabilities":{})", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(rewrite_initialize_reply(c.body, c.options, "1.2").value_or("") == filled(c.expected));
  }
}

TEST_CASE("initialize: what the client tells") {
  struct Case {
    const char* what;
    const char* params;
    bool is_text;
    bool hierarchy;
  };
  const Case cases[] = {
      {"nothing", "{}", true, false},
      {"no params", "", true, false},
      {"null", "null", true, false},
      {"options null", R"({"initializationOptions":null})", true, false},
      {"a format", R"({"initializationOptions":{"x":1,"symbols":{"format":"json"}}} behind)", false, false},
      {"options of other places are not ours",
       R"({"format":"json","symbols":{"format":"json"},"initializationOptions":{"format":"json"}})", true,
       false},
      {"null in our place", R"({"initializationOptions":{"symbols":null}})", true, false},
      {"hierarchy",
       R"({"capabilities":{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}}})",
       true, true},
      {"no hierarchy",
       R"({"capabilities":{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":false}}}})",
       true, false},
      {"hierarchy as something else",
       R"({"capabilities":{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":"true"}}}})",
       true, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Result<ClientInitialize> client = read_initialize(c.params, {});
    REQUIRE(client.has_value());
    CHECK(client->options.is_text() == c.is_text);
    CHECK(client->hierarchical_symbols == c.hierarchy);
  }
  for (const auto& [symbols, message] :
       {std::pair{R"({"carrier":7})", R"(: carrier cannot be "7"; give object or symbol)"},
        {R"([{"carrier":"object"}])", R"( is no object; give {"format":"table"}, for instance)"},
        {R"("table")", R"( is no object; give {"format":"table"}, for instance)"}}) {
    const Result<ClientInitialize> wrong =
        read_initialize(std::string(R"({"initializationOptions":{"symbols":)") + symbols + "}}", {});
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.error().text() == std::string("initializationOptions.symbols") + message);
  }
}

}  // namespace
}  // namespace symbols::session
