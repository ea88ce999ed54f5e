// Hover text of all recorded hovers, of mutations of them, and of inputs made to be slow.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/json.h"
#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "table/hover/hover_text.h"
#include "table/whitespace.h"
#include "tests/growth.h"
#include "tests/table/captures.h"

namespace symbols::table {
namespace {

struct NamedHover {
  std::string name;  // of the symbol
  lsp::Hover hover;
};

struct CapturedHovers {
  std::string name;  // "clangd19/fmt__core.h"
  bool clangd = false;
  std::vector<NamedHover> hovers;
};

CapturedHovers read_hovers(const Capture& capture) {
  constexpr std::string_view ending = ".hovers.json";
  std::string symbols = capture.path.string();
  symbols.replace(symbols.size() - ending.size(), ending.size(), ".symbols.json");
  const Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(read_file(symbols));
  REQUIRE(tree.has_value());
  CapturedHovers captured{capture.name, capture.name.starts_with("clangd"), {}};
  const std::string json = read_file(capture.path);
  std::string_view rest = json;
  rest.remove_prefix(rest.find('[') + 1);
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \r\n\t,"), rest.size()));
    if (rest.empty() || rest.front() == ']') break;
    const std::size_t length = lsp::skip_json_value(rest);
    REQUIRE(length != std::string_view::npos);
    const Result<lsp::Hover> hover = lsp::decode_hover(rest.substr(0, length));
    REQUIRE(hover.has_value());
    REQUIRE(captured.hovers.size() < tree->symbols.size());
    captured.hovers.push_back({tree->symbols[captured.hovers.size()].name, *hover});
    rest.remove_prefix(length);
  }
  CHECK(captured.hovers.size() == tree->symbols.size());
  return captured;
}

const std::vector<CapturedHovers>& all_hovers() {
  static const std::vector<CapturedHovers> all = [] {
    std::vector<CapturedHovers> read;
    for (const Capture& capture : captures(".hovers.json")) read.push_back(read_hovers(capture));
    return read;
  }();
  return all;
}

// One line: white space is single spaces within, and nothing a terminal would act on.
bool is_line(std::string_view text) {
  return text == fold_whitespace(text) &&
         std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.emplace(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

// The text within the first or last fence of three backticks, found in the simplest way.
std::string fenced_code(const std::string& markdown, bool last) {
  const std::size_t end_of_last = markdown.rfind("```");
  const std::size_t start = last ? markdown.rfind("```", end_of_last - 1) : markdown.find("```");
  const std::size_t line = markdown.find('\n', start);
  const std::size_t end = last ? end_of_last : markdown.find("\n```", line);
  return markdown.substr(line, end - line);
}

// Without whitespace inside parentheses, where lines of code ended.
std::string one_line(const std::string& code) {
  std::string line = fold_whitespace(code);
  for (std::size_t at = line.find("( "); at != std::string::npos; at = line.find("( ")) line.erase(at + 1, 1);
  for (std::size_t at = line.find(" )"); at != std::string::npos; at = line.find(" )")) line.erase(at, 1);
  return line;
}

// Whether `cut` is `whole` with `…` in the place of what was left out.
bool is_cut_of(std::string_view whole, std::string_view cut) {
  constexpr std::string_view mark = "\u2026";
  while (!cut.empty()) {
    const std::size_t length = std::min(cut.find(mark), cut.size());
    const std::string_view piece = trim(cut.substr(0, length));
    const std::size_t at = whole.find(piece);
    if (at == std::string_view::npos) return false;
    whole.remove_prefix(at + piece.size());
    cut.remove_prefix(std::min(length + mark.size(), cut.size()));
  }
  return true;
}

TEST_CASE("captures: every hover becomes a line of what the server said") {
  std::size_t count = 0;
  for (const CapturedHovers& capture : all_hovers()) {
    CAPTURE(capture.name);
    for (const NamedHover& captured : capture.hovers) {
      CAPTURE(captured.name);
      const HoverText text = split_hover(captured.hover, captured.name);
      if (captured.hover.parts.empty()) {
        CHECK(text == HoverText{});
        continue;
      }
      ++count;
      REQUIRE(captured.hover.parts.size() == 1);
      const std::string& raw = captured.hover.parts[0].value;
      const bool is_another_macro =
          raw.starts_with("### macro `") && !raw.starts_with("### macro `" + captured.name + "`");
      const bool is_another_parameter =
          raw.find("\n(parameter) ") != raw.npos && raw.find("\n(parameter) " + captured.name) == raw.npos;
      const bool repeats_row = is_another_macro || is_another_parameter ||
                               raw.find("\nnamespace " + captured.name + " {}\n") != std::string::npos ||
                               raw.find(") " + captured.name + ": Unknown\n```") != std::string::npos;
      CHECK(text.signature.empty() == repeats_row);
      CHECK(is_line(text.signature));
      CHECK(is_line(text.prose));
      CHECK(lsp::find_invalid_utf8(text.signature + text.prose) == std::string_view::npos);
      CHECK_FALSE(text.prose.starts_with("- "));
      for (const std::string_view mark :
           {"```", "~~~", "&lt;", "&gt;", "&nbsp;", "&#", "\\_", "\\*", "\\<", "\\["}) {
        CHECK(text.prose.find(mark) == std::string::npos);
      }
      const std::set<std::string> said = words_of(raw);
      CHECK(std::ranges::includes(said, words_of(text.signature.substr(0, text.signature.rfind(" (+")))));

      std::string code = fenced_code(raw, capture.clangd);
      if (code.find("#define") == std::string::npos) {  // whose line ends have marks of their own
        if (code.starts_with("\n// In ")) code.erase(0, code.find('\n', 1));
        if (code.starts_with("\ntype "))
          code = code.substr(0, code.find("\n\nfunc ("));  // a method has a row
        const bool is_shortened =
            repeats_row || raw.find("Unknown") != raw.npos || text.signature.ends_with(" overload)");
        if (!is_shortened) CHECK(text.signature == one_line(code));
      }
      if (capture.clangd) {
        for (const std::string_view own :
             {"###", " --- ", "\u2192", "Parameters:", "// In ", "Offset: ", "Size: ", "provided by "}) {
          CHECK(text.prose.find(own) == std::string::npos);
        }
      }
      const std::string flat = flatten_hover(captured.hover, default_hover_characters, captured.name);
      CHECK(lsp::scalar_count(flat) <= default_hover_characters);
      const std::string whole = join_hover(text);
      CHECK(is_cut_of(whole, flat));
    }
  }
  CHECK(count > 5700);
}

// Set SYMBOLS_UPDATE_GOLDENS=1 to write the expected answers anew.
TEST_CASE("captures: goldens") {
  const std::string_view goldens[] = {"clangd19/fmt__core.h",      "clangd19/rapidjson__document.h",
                                      "gopls/strings__builder.go", "pyright/python3.11__typing.py",
                                      "ts7/src__Option.ts",        "ts7/internal__Observable.ts",
                                      "tsls/core__util.ts"};
  constexpr std::size_t rows = 60;
  const bool update = std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr;
  std::size_t count = 0;
  for (const CapturedHovers& capture : all_hovers()) {
    if (std::ranges::find(goldens, capture.name) == std::end(goldens)) continue;
    CAPTURE(capture.name);
    ++count;
    std::string text;
    for (std::size_t i = 0; i < std::min(rows, capture.hovers.size()); ++i) {
      const NamedHover& captured = capture.hovers[i];
      text += fold_whitespace(captured.name) + ": ";
      text += flatten_hover(captured.hover, default_hover_characters, captured.name) + '\n';
    }
    std::string file = capture.name;
    std::ranges::replace(file, '/', '.');
    const std::filesystem::path path =
        std::filesystem::path(FIXTURES_DIR) / "hover_text" / (file + ".golden.txt");
    if (update) std::ofstream(path, std::ios::binary) << text;
    CHECK(text == read_file(path));
  }
  CHECK(count == std::size(goldens));
}

void check_any(const lsp::Hover& hover, std::string_view name) {
  const HoverText text = split_hover(hover, name);
  for (const std::string& part : {text.signature, text.prose}) {
    REQUIRE(part == fold_whitespace(part));
    REQUIRE(lsp::find_invalid_utf8(part) == std::string_view::npos);
  }
  REQUIRE(lsp::scalar_count(flatten_hover(hover, 50, name)) <= 50);
}

TEST_CASE("mutated hovers: still two lines of valid text") {
  const char* const pieces[] = {
      "`",      "```\n",    "\n```ts\n", "~~~",        "**",           "*",          "_",
      "~~",     "[",        "](",        "](x/y)",     "![",           "]:",         "<",
      "<!--",   "-->",      "<a b=\"",   "&#",         "&lt;",         "\\",         "\r\n",
      "\r",     "\n",       "\n\n",      "\n---\n",    "### ",         "# ",         "> ",
      "- ",     "    ",     "\t",        "| a |\n",    "|-|-|\n",      "\u2192 ",    "Parameters:\n",
      "Type: ", "Value = ", "@param ",   "// In x\n",  "#define x \\", "(",          ")",
      "\xC2",   "\xE2\x80", "\xF0\x9F",  "\xFF",       "\u2028",       "\u00A0",     "x",
      "{",      "}",        ": number",  "function f", "\u2014 ",      "- `a` - b\n"};
  std::vector<const lsp::HoverPart*> seeds;
  for (const CapturedHovers& capture : all_hovers()) {
    for (std::size_t i = 0; i < capture.hovers.size(); i += 40) {
      for (const lsp::HoverPart& part : capture.hovers[i].hover.parts) seeds.push_back(&part);
    }
  }
  REQUIRE(seeds.size() > 100);
  std::mt19937 random(20240229);  // NOLINT: the same run every time
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1));
  };
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 8 == 0 ? std::string() : seeds[below(seeds.size())]->value.substr(0, 3000);
    for (std::size_t edit = 1 + below(round % 8 == 0 ? 30 : 6); edit > 0; --edit) {
      const std::size_t at = below(text.size() + 1);
      switch (below(4)) {
        case 0:
          text.erase(at, below(20));
          break;
        case 1:
          text.insert(at, text.substr(below(text.size() + 1), below(60)));
          break;
        default:
          text.insert(at, pieces[below(std::size(pieces))]);
      }
    }
    CAPTURE(round);
    const auto form = static_cast<lsp::HoverPart::Form>(below(3));
    lsp::Hover hover{{{form, text}}, {}};
    if (round % 5 == 0)
      hover.parts.push_back({static_cast<lsp::HoverPart::Form>(below(3)), text.substr(text.size() / 2)});
    check_any(hover, round % 2 == 0 ? "f" : "");
  }
}

TEST_CASE("a hover of clangd's with ten thousand words and as many parameters takes linear time") {
  CHECK(grows_linearly(10'000, [](std::size_t count) {
    std::string parameters;
    std::string definition;
    for (std::size_t i = 0; i < count; ++i) {
      parameters += "- `zzzz`\n";
      definition += 'w' + std::to_string(i) + ' ';
    }
    const std::string text =
        "### function `f`\n\n---\nParameters:\n" + parameters + "\n---\n```cpp\n" + definition + "\n```";
    (void)flatten_hover({{{lsp::HoverPart::Form::markdown, text}}, {}}, 200, "f");
  }));
}

TEST_CASE("long hovers take linear time") {
  const char* const units[] = {"`",        "``a",          "`a``",       "*",           "*a ",
                               "a* ",      "**a_b ",       "_a",         "[",           "]",
                               "[a](",     "[a](b",        "[a](<",      "[a](b \"",    "![",
                               "[[a]](b)", "[a][",         "<",          "<a b=\"",     "<!--",
                               "<!-- --",  "<a@",          "&",          "&#1",         "\\",
                               "\\`",      "```\n",        "~~~\na\n",   "> ",          "- a\n",
                               "#\n",      "\r",           "a\n\n",      "|a|\n|-|\n",  "|",
                               "    a\n",  "[a]: b/c\n[a", "@param [",   "\n@param {{", "Parameters:\n",
                               "- `a`\n",  "\u2028",       "\xE2",       "(",           "): numb",
                               " | ",      "string<",      "*_ **_*_ a", "// In a\n",   "auto ",
                               "f ",       "---\n"};
  const std::string clangd = "### function `f`\n\n---\n\u2192 `auto ";
  const std::string prefixes[] = {"",
                                  clangd,
                                  clangd + "`\nParameters:\n",
                                  "[a]: b/c\n\n",
                                  "function f(): ",
                                  'a' + std::string(60'000, '*') + 'b'};
  for (const char* const unit : units) {
    for (const std::string& prefix : prefixes) {
      CAPTURE(std::string(unit));
      CAPTURE(prefix);
      CHECK(grows_linearly(40'000, [&](std::size_t bytes) {
        std::string text = prefix;
        while (text.size() < prefix.size() + bytes) text += unit;
        const std::string markdown = text + "\n\n---\n```cpp\nauto f()\n```";
        const std::string plain = "function f\n\n" + text + "\n\nauto f()";
        (void)flatten_hover({{{lsp::HoverPart::Form::markdown, markdown}}, {}}, 200, "f");
        (void)flatten_hover({{{lsp::HoverPart::Form::plaintext, plain}}, {}}, 200, "f");
        (void)flatten_hover({{{lsp::HoverPart::Form::plaintext, text}}, {}}, 200, "f");
      }));
    }
  }
}

}  // namespace
}  // namespace symbols::table
