// Hover text of all recorded hovers, of mutations of them, and of inputs made to be slow.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lsp/document_symbol.h"
#include "lsp/json/raw_json.h"
#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "table/hover/hover_text.h"
#include "table/one_line.h"
#include "tests/growth.h"
#include "tests/table/captures.h"

namespace symbols::table {
namespace hover_captures_test {

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
  const lsp::SymbolTree tree = load_tree(
      {capture.name, capture.path.parent_path() /
                         (std::filesystem::path(capture.name).filename().string() + ".symbols.json")});
  CapturedHovers captured{capture.name, capture.name.starts_with("clangd"), {}};
  const auto total = lsp::for_each_element(read_file(capture.path), [&](std::string_view element) {
    const Result<lsp::Hover> hover = lsp::decode_hover(element);
    REQUIRE(hover.has_value());
    REQUIRE(captured.hovers.size() < tree.symbols.size());
    captured.hovers.push_back({tree.symbols[captured.hovers.size()].name, *hover});
  });
  REQUIRE(total.has_value());
  CHECK(captured.hovers.size() == tree.symbols.size());
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

      if (capture.clangd) {
        for (const std::string_view own :
             {"###", " --- ", "\u2192", "Parameters:", "// In ", "Offset: ", "Size: ", "provided by "}) {
          CHECK(text.prose.find(own) == std::string::npos);
        }
      }
      const std::string flat =
          join_hover(split_hover(captured.hover, captured.name), default_hover_characters);
      CHECK(lsp::scalar_count(flat) <= default_hover_characters);
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
      text += join_hover(split_hover(captured.hover, captured.name), default_hover_characters) + '\n';
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
    (void)join_hover(split_hover({{{lsp::HoverPart::Form::markdown, text}}, {}}, "f"), 200);
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
        (void)join_hover(split_hover({{{lsp::HoverPart::Form::markdown, markdown}}, {}}, "f"), 200);
        (void)join_hover(split_hover({{{lsp::HoverPart::Form::plaintext, plain}}, {}}, "f"), 200);
        (void)join_hover(split_hover({{{lsp::HoverPart::Form::plaintext, text}}, {}}, "f"), 200);
      }));
    }
  }
}

}  // namespace hover_captures_test
}  // namespace symbols::table
