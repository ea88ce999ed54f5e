// What it costs to turn a documentSymbol reply into text, beside what RapidJSON needs to read its bytes into
// nothing. bench/render.mjs runs it, in turn with Node.
//
//   render FILE FORMAT ITERATIONS      FILE: the reply's `result`; FORMAT: table or tree, without hovers
//
// Each iteration times all three, one after the other, so that what disturbs one disturbs the others as well.
// Prints JSON: of each the times in ms, one for each iteration, and what it rendered: rows and bytes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lsp/document_symbol.h"
#include "table/formats/format.h"
#include "table/rows.h"

namespace {

using namespace symbols;

using Write = std::string (*)(const table::SymbolRows&);

// What is rendered by name.
const std::map<std::string, Write> formats{
    {"table",
     [](const table::SymbolRows& rows) {
       return table::write_table(rows, {table::fields_of(table::Verbosity::standard)});
     }},
    {"tree",
     [](const table::SymbolRows& rows) {
       return table::write_tree(rows, {table::fields_of(table::Verbosity::standard)});
     }},
};

// The reference: every byte parsed, every event dropped. False where it is not JSON.
bool read_into_nothing(const std::string& json) {
  rapidjson::MemoryStream stream(json.data(), json.size());
  rapidjson::BaseReaderHandler<> nothing;
  return !rapidjson::Reader().Parse(stream, nothing).IsError();
}

template <class Work>
double milliseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void print(const char* name, const std::vector<double>& times) {
  fmt::print("\"{}\":[{:.3f}],", name, fmt::join(times, ","));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 || !formats.contains(argv[2])) {
    std::fputs("usage: render FILE FORMAT ITERATIONS\n", stderr);
    return 2;
  }
  std::ostringstream bytes;
  bytes << std::ifstream(argv[1], std::ios::binary).rdbuf();
  const std::string json = std::move(bytes).str();
  const Write write = formats.at(argv[2]);

  std::vector<double> nothing;
  std::vector<double> decoded;
  std::vector<double> rendered;
  std::size_t rows = 0;
  std::string text;
  for (int left = std::atoi(argv[3]); left > 0; --left) {
    bool is_json = false;
    nothing.push_back(milliseconds([&] { is_json = read_into_nothing(json); }));
    bool is_reply = false;
    decoded.push_back(milliseconds([&] { is_reply = lsp::decode_document_symbols(json).has_value(); }));
    if (!is_json || !is_reply) {
      std::fprintf(stderr, "%s is no documentSymbol reply\n", argv[1]);
      return 1;
    }
    text = {};
    rendered.push_back(milliseconds([&] {
      const table::SymbolRows read(*lsp::decode_document_symbols(json));
      rows = read.size();
      text = write(read);
    }));
  }
  fmt::print("{{");
  print("nothing", nothing);
  print("decoded", decoded);
  print("rendered", rendered);
  fmt::print("\"rows\":{},\"bytes\":{}}}\n", rows, text.size());
}
