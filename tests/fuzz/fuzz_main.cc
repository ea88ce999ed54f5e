// fuzz TARGET: runs the target over tests/fuzz/corpus/TARGET.json, an array of strings in which each
// character is a byte. A failing input aborts the program; the last number printed is its index.
//
// With libFuzzer the arguments are libFuzzer's, and the variable SYMBOLS_FUZZ_TARGET names the target.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "lsp/json/json_document.h"
#include "lsp/unicode.h"
#include "tests/fuzz/fuzz_target.h"

namespace symbols::fuzz {
namespace {

std::map<std::string_view, Target>& targets() {
  static std::map<std::string_view, Target> all;
  return all;
}

}  // namespace

Registration::Registration(std::string_view name, Target run) {
  targets().emplace(name, run);
}

void holds(bool condition, std::string_view what) {
  if (condition) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void same_text(std::string_view left, std::string_view right, std::string_view what) {
  if (left == right) return;
  for (const std::string_view text : {left, right}) {
    std::fputs("---\n", stderr);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fputs("\n", stderr);
  }
  holds(false, what);
}

void valid_utf8(std::string_view text, std::string_view what) {
  holds(lsp::find_invalid_utf8(text) == std::string_view::npos, what);
}

#ifndef SYMBOLS_LIBFUZZER
// The exit status: 1 if nothing was kept.
int replay(const std::string& name, Target run) {
  std::ifstream file(SOURCES "/tests/fuzz/corpus/" + name + ".json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Result<rapidjson::Document> inputs = lsp::parse_json(text);
  holds(inputs.has_value(), "the kept inputs are JSON");
  std::size_t number = 0;
  for (const rapidjson::Value& input : lsp::elements_of(*inputs)) {
    std::printf("%zu\n", ++number);
    std::fflush(stdout);
    std::string bytes;
    const std::string characters = lsp::text_of(input);
    for (std::string_view rest = characters; !rest.empty();) {
      const lsp::Decoded c = lsp::decode_utf8(rest);
      bytes += static_cast<char>(c.code_point);
      rest.remove_prefix(c.length);
    }
    run(bytes);
  }
  std::printf("%zu kept inputs hold\n", number);
  return number == 0 ? 1 : 0;
}
#endif

}  // namespace symbols::fuzz

#ifdef SYMBOLS_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto target = [] {
    const char* const name = std::getenv("SYMBOLS_FUZZ_TARGET");
    const auto found = symbols::fuzz::targets().find(name == nullptr ? "" : name);
    if (found != symbols::fuzz::targets().end()) return found->second;
    std::fputs("set SYMBOLS_FUZZ_TARGET to a target (scripts/fuzz --list)\n", stderr);
    std::exit(2);
  }();
  target({reinterpret_cast<const char*>(data), size});
  return 0;
}
#else
int main(int count, char** arguments) {
  const auto target = symbols::fuzz::targets().find(count == 2 ? arguments[1] : "");
  if (target != symbols::fuzz::targets().end()) return symbols::fuzz::replay(arguments[1], target->second);
  std::fputs("usage: fuzz TARGET\n", stderr);
  return 2;
}
#endif
