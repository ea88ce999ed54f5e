#include "lsp/document_symbol.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace document_symbol_test {
using symbols::Result;
using namespace symbols::lsp;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A tree with one line per symbol: indent, name, kind, range, selection.
std::string dump(const SymbolTree& tree) {
  std::string out;
  std::vector<std::size_t> depths;
  for (const DocumentSymbol& s : tree.symbols) {
    depths.push_back(s.parent < 0 ? 0 : depths[static_cast<std::size_t>(s.parent)] + 1);
    out += fmt::format("{}{} {} {}:{}-{}:{} {}:{}-{}:{}{}\n", std::string(depths.back(), ' '), s.name, s.kind,
                       s.range.start.line, s.range.start.character, s.range.end.line, s.range.end.character,
                       s.selection_range.start.line, s.selection_range.start.character,
                       s.selection_range.end.line, s.selection_range.end.character,
                       s.container_name.empty() ? "" : " in " + s.container_name);
    if (!s.tags.empty()) out.insert(out.size() - 1, fmt::format(" tags {}", fmt::join(s.tags, ",")));
    if (s.deprecated) out.insert(out.size() - 1, " deprecated");
  }
  return out;
}

std::string symbol(std::string_view name, int kind, std::string_view more = "") {
  return fmt::format(
      R"({{"name":"{}","kind":{},"range":{{"start":{{"line":1,"character":2}},"end":{{"line":3,"character":4}}}},)"
      R"("selectionRange":{{"end":{{"character":6,"line":1}},"start":{{"character":3,"line":1}}}}{}}})",
      name, kind, more);
}

std::string flat(std::string_view name, std::string_view container, int from, int to) {
  return fmt::format(
      R"({{"name":"{}","kind":12,{}"location":{{"uri":"file:///a","range":{{"start":{{"line":{},"character":0}},)"
      R"("end":{{"line":{},"character":0}}}}}}}})",
      name, container.empty() ? "" : fmt::format(R"("containerName":"{}",)", container), from, to);
}

TEST_CASE("a tree decodes in pre-order, wherever children is among the members") {
  const std::string json =
      "[" + symbol("a", 5, ",\"children\":[" + symbol("b", 6) + "," + symbol("c", 6) + "]") + "," +
      R"({"children":[)" + symbol("e", 8) +
      R"(],"name":"d","kind":2,"detail":"det","tags":[1],"deprecated":true,)" +
      R"("range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},)" +
      R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}])";
  const Result<SymbolTree> tree = decode_document_symbols(json);
  REQUIRE(tree.has_value());
  CHECK(dump(*tree) ==
        "a 5 1:2-3:4 1:3-1:6\n"
        " b 6 1:2-3:4 1:3-1:6\n"
        " c 6 1:2-3:4 1:3-1:6\n"
        "d 2 0:0-9:0 0:0-0:1 tags 1 deprecated\n"
        " e 8 1:2-3:4 1:3-1:6\n");
  CHECK(tree->symbols[3].detail == "det");
}

TEST_CASE("deviations of servers from the standard are tolerated") {
  struct Case {
    const char* name;
    std::string json;
    const char* dump;
  };
  const Case cases[] = {
      {"null", "null", ""},
      {"empty", "[]", ""},
      {"text behind the value", "[],\"id\":3}", ""},
      {"unknown kind", "[" + symbol("m", 255) + "]", "m 255 1:2-3:4 1:3-1:6\n"},
      {"tags that are no numbers", "[" + symbol("m", 5, R"(,"tags":[null,"a",{"b":[1]},[2],true])") + "]",
       "m 5 1:2-3:4 1:3-1:6\n"},
      {"tags are the numbers of their own array",
       "[" + symbol("m", 5, R"(,"tags":[{"a":5},[6],1,{"b":[7]},2],"data":[8,9])") + "]",
       "m 5 1:2-3:4 1:3-1:6 tags 1,2\n"},
      {"deprecated is a boolean of its own",
       "[" + symbol("m", 5, R"(,"deprecated":[true],"x":{"a":true})") + "]", "m 5 1:2-3:4 1:3-1:6\n"},
      {"null members", "[" + symbol("m", 5, R"(,"children":null,"detail":null,"tags":null)") + "]",
       "m 5 1:2-3:4 1:3-1:6\n"},
      {"a container in a tree", "[" + symbol("m", 5, R"(,"containerName":"C")") + "]",
       "m 5 1:2-3:4 1:3-1:6\n"},
      {"empty name", "[" + symbol("", 5) + "]", " 5 1:2-3:4 1:3-1:6\n"},
      {"lone surrogate", "[" + symbol(R"(a\ud83d)", 5) + "]", "a\xEF\xBF\xBD 5 1:2-3:4 1:3-1:6\n"},
      {"raw invalid UTF-8", "[" + symbol("a\xFF", 5) + "]", "a\xEF\xBF\xBD 5 1:2-3:4 1:3-1:6\n"},
      {"escapes", "[" + symbol(R"(\"\\\u00e9\ud83d\ude00)", 5) + "]",
       "\"\\\xC3\xA9\xF0\x9F\x98\x80 5 1:2-3:4 1:3-1:6\n"},
      {"integers as 1.0",
       R"([{"name":"f","kind":5.0,"range":{"start":{"line":1.0,"character":0},"end":{"line":2,"character":1e1}},"selectionRange":{"start":{"line":1,"character":0},"end":{"line":1,"character":4294967295}}}])",
       "f 5 1:0-2:10 1:0-1:4294967295\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Result<SymbolTree> tree = decode_document_symbols(c.json);
    REQUIRE(tree.has_value());
    CHECK(dump(*tree) == c.dump);
  }
}

TEST_CASE("anything but a reply to documentSymbol is an error that says what and where") {
  struct Case {
    std::string json;
    const char* error;
  };
  const Case cases[] = {
      {"", "The document is empty."},
      {"{}", "an object where another type is expected"},
      {"[5]", "a number where another type is expected"},
      {"[{}]", "a symbol without 'name'"},
      {R"([{"name":"a"}])", "a symbol without 'kind'"},
      {R"([{"name":"a","kind":1}])", "a symbol without 'range'"},
      {R"([{"name":"a","kind":0.5}])", "a fraction where another type is expected"},
      {R"([{"name":"a","kind":"1"}])", "a string where another type is expected"},
      {R"([{"name":"a","kind":1,"range":{}}])", "a range without start and end"},
      {R"([{"name":"a","kind":1,"range":{"start":{"line":1},"end":{}}}])",
       "a position without line and character"},
      {R"([{"name":"a","kind":1,"range":{"start":{"line":-1,"character":0}}}])",
       "-1 is not a line or character"},
      {R"([{"name":"a","kind":1,"range":{"start":{"line":4294967296,"character":0}}}])",
       "4294967296 is not a line"},
      {R"([{"name":"a","kind":1,"range":{"start":{"line":"x"}}}])",
       "a string where another type is expected"},
      {"[null]", "null instead of a value"},
      {R"([{"name":"a","children":[null]}])", "null instead of a value"},
      {R"([{"name":"a","location":{"range":null}}])", "null instead of a value"},
      {R"([{"name":"a","location":[]}])", "an array where another type is expected"},
      {"[" + symbol("a", 1), "Missing a comma or ']'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const Result<SymbolTree> tree = decode_document_symbols(c.json);
    REQUIRE(tree.has_error());
    CAPTURE(tree.error().message);
    CHECK(tree.error().message.find(c.error) != std::string::npos);
  }
}

TEST_CASE("members that LSP does not know change nothing, whatever is in them") {
  // With names of members that count elsewhere, at every depth.
  const std::string range = R"({"start":{"line":7,"character":7},"end":{"line":8,"character":8}})";
  const std::string object = R"({"name":"x","kind":99,"deprecated":true,"tags":[4],"range":)" + range +
                             R"(,"location":{"range":)" + range +
                             R"(},"children":[{"name":"z"},[],[[5]]],"line":9,"a":[null,true,-1.5,"s"]})";
  for (const std::string& value : {std::string("null"), std::string("2.5"), range, object,
                                   "[" + object + "," + range + ",6,[7],true,null,0.5]"}) {
    for (const std::string& member : {"\"data\":" + value, "\"detail\":" + value}) {
      std::string first = symbol("m", 5);
      first.insert(1, member + ",");
      for (const std::string& json : {first, symbol("m", 5, "," + member)}) {
        CAPTURE(json);
        const Result<SymbolTree> tree = decode_document_symbols("[" + json + "]");
        REQUIRE(tree.has_value());
        CHECK(dump(*tree) == "m 5 1:2-3:4 1:3-1:6\n");
        CHECK(tree->symbols[0].detail.empty());
      }
    }
  }
}

TEST_CASE("depth costs no stack") {
  std::string json;
  constexpr int depth = 200'000;
  std::string open = symbol("a", 5);
  open.pop_back();
  open += ",\"children\":[";
  for (int i = 0; i < depth; ++i) json += (i == 0 ? "[" : "") + open;
  for (int i = 0; i < depth; ++i) json += "]}";
  json += "]";
  const Result<SymbolTree> tree = decode_document_symbols(json);
  REQUIRE(tree.has_value());
  CHECK(tree->symbols.size() == depth);
  CHECK(decode_document_symbols("[{\"x\":" + std::string(depth, '[')).has_error());
}

TEST_CASE("a flat reply is nested by containerName, else by containment") {
  struct Case {
    const char* name;
    std::string json;
    const char* dump;
  };
  const auto list = [](std::initializer_list<std::string> items) {
    std::string out = "[";
    for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
    return out + "]";
  };
  const Case cases[] = {
      {"by name",
       list({flat("A", "", 0, 9), flat("b", "A", 1, 2), flat("c", "b", 1, 2), flat("D", "", 5, 6)}),
       "A 12 0:0-9:0 0:0-0:0\n b 12 1:0-2:0 1:0-1:0\n  c 12 1:0-2:0 1:0-1:0\nD 12 5:0-6:0 5:0-5:0\n"},
      {"no names at all: by range",
       list({flat("A", "", 0, 9), flat("b", "", 1, 4), flat("c", "", 2, 3), flat("D", "", 5, 6)}),
       "A 12 0:0-9:0 0:0-0:0\n b 12 1:0-4:0 1:0-1:0\n  c 12 2:0-3:0 2:0-2:0\n D 12 5:0-6:0 5:0-5:0\n"},
      {"the parent may come later", list({flat("b", "A", 1, 2), flat("A", "", 0, 9)}),
       "A 12 0:0-9:0 0:0-0:0\n b 12 1:0-2:0 1:0-1:0\n"},
      {"of two of that name the one around it",
       list({flat("A", "", 0, 3), flat("A", "", 4, 9), flat("b", "A", 1, 2), flat("c", "A", 5, 6)}),
       "A 12 0:0-3:0 0:0-0:0\n b 12 1:0-2:0 1:0-1:0\nA 12 4:0-9:0 4:0-4:0\n c 12 5:0-6:0 5:0-5:0\n"},
      {"a container that names no row stays", list({flat("a", "std", 0, 1), flat("b", "", 2, 3)}),
       "a 12 0:0-1:0 0:0-0:0 in std\nb 12 2:0-3:0 2:0-2:0\n"},
      {"nobody is its own parent", list({flat("a", "a", 0, 1)}), "a 12 0:0-1:0 0:0-0:0 in a\n"},
      {"nor its child's child", list({flat("a", "b", 0, 1), flat("b", "a", 2, 3)}),
       "b 12 2:0-3:0 2:0-2:0 in a\n a 12 0:0-1:0 0:0-0:0\n"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Result<SymbolTree> tree = decode_document_symbols(c.json);
    REQUIRE(tree.has_value());
    CHECK(dump(*tree) == c.dump);
  }
}

TEST_CASE("the selection of a flat symbol is the place of its name in its range") {
  const std::string_view text = "x = 1\nfunction \xC3\xA9\xF0\x9F\x98\x80(name) {\n  name2 name\n}\n";
  const auto selection = [&](std::string_view name, int from, int to) {
    const Result<SymbolTree> tree = decode_document_symbols("[" + flat(name, "", from, to) + "]", text);
    REQUIRE(tree.has_value());
    const Range r = tree->symbols.at(0).selection_range;
    return fmt::format("{}:{}-{}:{}", r.start.line, r.start.character, r.end.line, r.end.character);
  };
  CHECK(selection("x", 0, 1) == "0:0-0:1");
  CHECK(selection("\xC3\xA9\xF0\x9F\x98\x80", 0, 3) == "1:9-1:12");  // UTF-16 units
  CHECK(selection("name", 2, 3) == "2:8-2:12");                      // not within name2
  CHECK(selection("absent", 1, 3) == "1:0-1:0");
  CHECK(selection("x", 50, 60) == "50:0-50:0");
}

TEST_CASE("the flat replies of real servers nest to the same trees that these servers send") {
  // gopls leaves children out of its flat replies and names no containers; the others keep everything. A flat
  // reply cannot express 34 symbols of one zod file that are outside of their parents' ranges among others of
  // the same names, and 14 of C++, fields with the range of the anonymous struct or union that they are
  // declared with.
  std::size_t compared = 0;
  std::size_t different = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FIXTURES_DIR "/captures")) {
    std::string path = entry.path().string();
    if (!path.ends_with(".flat.json") || path.find("/gopls/") != std::string::npos) continue;
    CAPTURE(path);
    const Result<SymbolTree> nested = decode_document_symbols(read_file(path));
    REQUIRE(nested.has_value());
    path.replace(path.size() - 10, 10, ".symbols.json");
    Result<SymbolTree> tree = decode_document_symbols(read_file(path));
    REQUIRE(tree.has_value());
    REQUIRE(nested->symbols.size() == tree->symbols.size());
    for (std::size_t i = 0; i < tree->symbols.size(); ++i) {
      const DocumentSymbol& a = nested->symbols[i];
      const DocumentSymbol& b = tree->symbols[i];
      if (a.name != b.name || a.kind != b.kind || a.range != b.range || a.parent != b.parent) ++different;
    }
    compared += tree->symbols.size();
  }
  CHECK(compared == 5966);
  CHECK(different == 36);
}

}  // namespace document_symbol_test
