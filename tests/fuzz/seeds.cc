#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "lsp/document_symbol.h"
#include "lsp/frame.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/setup/setup_targets.h"
#include "table/formats/format.h"

namespace symbols::fuzz {
namespace {

namespace fs = std::filesystem;

// What is longer is cut or left out: mutations of long inputs are slow, and say no more.
constexpr std::size_t longest = 8192;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Files below fixtures/ whose names end so, in order.
std::vector<fs::path> fixtures(std::string_view folder, std::string_view ending) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCES) / "fixtures" / folder)) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string name_of(const fs::path& path) {
  return path.parent_path().filename().string() + "." + path.filename().string();
}

// The messages of the recorded sessions; `mark`: "-->" those of clients, "<--" those of servers, empty for
// both.
void for_each_message(std::string_view mark,
                      const std::function<void(const std::string& name, std::string_view body)>& visit) {
  for (const fs::path& path : fixtures("sessions", ".txt")) {
    std::ifstream stream(path);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line); ++number) {
      if (!line.starts_with("-->") && !line.starts_with("<--")) continue;
      if (!line.starts_with(mark) || line.size() > longest) continue;
      visit(path.stem().string() + "." + std::to_string(number), std::string_view(line).substr(4));
    }
  }
}

// The first elements of a JSON array, as many as are no longer than that together.
std::string beginning(const std::string& array, std::size_t most) {
  std::string cut = "[";
  lsp::for_each_element(array, [&](std::string_view element) {
    if (cut.size() + element.size() > most) return;
    if (cut.size() > 1) cut += ',';
    cut += element;
  });
  return cut + ']';
}

std::vector<Seed> frames() {
  std::vector<Seed> seeds;
  std::string stream;
  for_each_message("", [&](const std::string& name, std::string_view body) {
    if (body.size() > 500) return;
    stream += lsp::frame(body);
    if (stream.size() < 2000) return;
    seeds.push_back({name, std::exchange(stream, {}) + "\x07\x01"});
  });
  return seeds;
}

std::vector<Seed> messages() {
  std::vector<Seed> seeds;
  for_each_message("", [&](const std::string& name, std::string_view body) {
    if (body.size() < 2000) seeds.push_back({name, std::string(body)});
  });
  return seeds;
}

std::vector<Seed> replies() {
  std::vector<Seed> seeds;
  for (const char* const ending : {".symbols.json", ".flat.json"}) {
    for (const fs::path& path : fixtures("captures", ending)) {
      seeds.push_back({name_of(path), beginning(read(path), 3000) + "\x01" + std::string(1, '\0')});
    }
  }
  return seeds;
}

std::vector<Seed> hovers() {
  std::vector<Seed> seeds;
  for (const fs::path& path : fixtures("captures", ".hovers.json")) {
    std::size_t number = 0;
    lsp::for_each_element(read(path), [&](std::string_view hover) {
      // Of the many that look the same, some.
      if (number++ % 25 != 0 || hover.size() > longest) return;
      const std::string name = name_of(path) + "." + std::to_string(number);
      seeds.push_back({name, std::string(hover) + std::string("\x01\0\xc8", 3)});
      const Result<lsp::Hover> decoded = lsp::decode_hover(hover);
      if (!decoded || decoded->parts.empty()) return;
      seeds.push_back({name + ".text", decoded->parts[0].value + std::string(3, '\0')});
    });
  }
  return seeds;
}

std::vector<Seed> diagnostics() {
  std::vector<Seed> seeds;
  for_each_message("<--", [&](const std::string& name, std::string_view body) {
    if (const auto list = lsp::value_at(body, {"params", "diagnostics"}))
      seeds.push_back({name, std::string(*list) + std::string("\0\x05", 2)});
    if (const auto list = lsp::value_at(body, {"result", "items"})) {
      seeds.push_back({name, "{\"kind\":\"full\",\"items\":" + std::string(*list) + "}\x01\x05"});
    }
  });
  return seeds;
}

std::vector<Seed> formats() {
  using table::Field;
  using table::Format;
  constexpr Format read_back[] = {Format::table, Format::tree, Format::packed, Format::json, Format::ndjson};
  std::vector<Seed> seeds;
  for (const fs::path& path : fixtures("captures", ".symbols.json")) {
    Result<lsp::SymbolTree> tree = lsp::decode_document_symbols(beginning(read(path), 2500));
    if (!tree) continue;
    table::SymbolRows rows = std::move(*tree);
    rows.with_hover = true;
    for (table::Row& row : rows.all) row.hover = "hover of " + row.name;
    for (std::size_t i = 0; i < std::size(read_back); ++i) {
      table::View view{.fields = {Field::name, Field::kind, Field::range, Field::selection, Field::parent}};
      const std::string end =
          std::string("\xff\x40", 2) + std::to_string((i + 1) % std::size(read_back)) + std::to_string(i);
      const auto add = [&](const char* which) {
        seeds.push_back({name_of(path) + "." + std::string(table::format_name(read_back[i])) + which,
                         table::render(rows, {.format = read_back[i], .view = view}).text + end});
      };
      add("");
      view.fields.insert(view.fields.end(),
                         {Field::hover, Field::detail, Field::lines, Field::depth, Field::tags});
      add(".more");
    }
  }
  return seeds;
}

// The recorded sessions, and scripts (session.cc has the letters) of what they do not have.
std::vector<Seed> sessions() {
  std::vector<Seed> seeds;
  std::size_t part = 0;
  for (const fs::path& path : fixtures("sessions", ".txt")) {
    std::ifstream stream(path);
    std::string script(2, '\0');
    for (std::string line; std::getline(stream, line);) {
      if (!line.starts_with("-->") && !line.starts_with("<--")) continue;
      if (line.size() > 1500) continue;
      script += std::string(1, line[0] == '-' ? '>' : '<') + line.substr(4) + "\n";
      if (script.size() < 5000) continue;
      seeds.push_back(
          {path.stem().string() + "." + std::to_string(++part), std::exchange(script, std::string(2, '\0'))});
    }
  }
  const std::string zero(1, '\0');
  const std::string answer = "r" + zero + zero;
  const std::string hover = "r" + zero + "\x04";
  const std::string scripts[] = {
      "i1r" + zero + "\x18o0s00" + answer + hover + hover + "c0s00" + answer + "d0ze",
      "i2r" + zero + "\x18o0s20h000" + answer + answer + hover + "k" + zero + hover + "t7",
      "i0r" + zero + "\x18m0120" + answer + answer + hover + "n00" + answer + hover + hover + "x",
      "i0q2p1s00r" + zero + "\x03t6" + answer + "p2u" + zero + "\x04p3p4p5p7p8p9",
      "g\x02i1r" + zero + "\x1ao2s02s05r" + zero + "\x06" + answer + "x",
      // What --restart is for.
      "i1r" + zero + "\x18w0o0C01o1C12s00p4p5p2a" + zero + "xs00w3t4r" + zero + "\x18p4a" + zero + "a" +
          zero + answer + hover,
      "i1r" + zero + "\x18w1w2o0C04o1d1xt5r" + zero + "\x18" + "C01c0s00" + answer + "xy1t6y0",
      "i1r" + zero + "\x18o0s00X\x20" + "0t5p\x0er" + zero + "\x18" + answer + "X\xf0" + "4t5r" + zero +
          "\x18s00X" + zero + "0t7",
      "i1r" + zero + "\x18o0p5p\x0bp\x0axo1t5r" + zero + "\x02s00xt5t7t7r" + zero + "\x18" + answer + "ze",
  };
  for (const std::string& script : scripts) {
    for (const char how : {'\0', '\x02', '\x09', '\x11', '\x26', '\x40', '\x49'}) {
      for (const char format : {'\0', '\x01', '\x02'})
        seeds.push_back({"script." + std::to_string(++part), std::string{how, format} + script});
    }
  }
  return seeds;
}

// Sessions of both kinds of revision, with and without roots.
std::vector<Seed> mcp_sessions() {
  const auto request = [](const std::string& id, const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}\n";
  };
  const auto note = [](const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","method":"notifications/)" + method + R"(","params":)" + params + "}\n";
  };
  const auto modern = [](const std::string& more, const std::string& capabilities = "{}") {
    return R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":)" +
           capabilities + R"(,"progressToken":"p"})" + more + "}";
  };
  const std::string roots = R"("result":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}})";
  const std::string outline =
      R"({"name":"outline","arguments":{"paths":["a.ts"]},"_meta":{"progressToken":1}})";
  const std::string start =
      request("1", "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"roots":{}}})");
  const std::string sessions[] = {
      start + note("initialized", "{}") + R"({"jsonrpc":"2.0","id":"roots-1",)" + roots + "\n" +
          request("2", "tools/list", "{}") + request("3", "tools/call", outline) + "=0\n" +
          request("4", "tools/call", R"({"name":"outline"})") + request("4", "ping", "{}") + "=1\n" +
          request("5", "tools/call", R"({"name":"other"})") +
          request("6", "tools/list", R"({"cursor":"x"})") + request("7", "x/y", "{}"),
      start + request("2", "tools/call", outline) + note("cancelled", R"({"requestId":2})") +
          request("3", "tools/call", outline) + R"({"jsonrpc":"2.0","id":"roots-1",)" + roots + "\n+\n=0\n" +
          note("roots/list_changed", "{}") + request("4", "tools/call", outline) +
          R"({"jsonrpc":"2.0","id":"roots-2","error":{"code":-32601,"message":"no"}})" + "\n=0\n",
      start + request("2", "tools/call", outline) + "++++++++++++++++++++\n=0\n" +
          request("\"a\"", "tools/call", R"({"name":"outline","arguments":[]})") + "[]\n{}\nx\n" +
          R"({"jsonrpc":"2.0","id":{},"method":"ping"})" + "\n",
      request("1", "tools/list", "{}") + request("2", "initialize", "{}") + request("3", "ping", "[]") +
          request("4", "server/discover", "{}") + request("5", "initialize", R"({"protocolVersion":"1"})") +
          request("6", "tools/call", outline) + "=0\n",
      request("1", "server/discover", modern("")) + request("2", "tools/list", modern("")) +
          request("3", "tools/list", modern(R"(,"cursor":"x")")) +
          request("4", "tools/call", modern(R"(,"name":"outline","arguments":{})")) + "=0\n" +
          request("5", "tools/call", modern(R"(,"name":"outline")", R"({"roots":{}})")) +
          request("6", "tools/call",
                  modern(R"(,"name":"outline","inputResponses":{"roots":{"roots":[{"uri":"file:///a"}]}})",
                         R"({"roots":{}})")) +
          "=0\n" + request("7", "subscriptions/listen", modern("")) +
          note("cancelled", R"({"requestId":7})") + request("8", "subscriptions/listen", modern("")) +
          request("9", "x/y", modern("")) + request("10", "tools/list", modern("", "1")) +
          request("11", "tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}})"),
  };
  std::vector<Seed> seeds;
  for (const std::string& session : sessions) {
    for (const char asks_for_roots : {'0', '1'})
      seeds.push_back({"session." + std::to_string(seeds.size()), session + asks_for_roots});
  }
  return seeds;
}

// What editors ship with us is what their users have, more or less.
std::vector<Seed> configurations() {
  std::vector<Seed> seeds;
  for (const setup::EditorFile& file : setup::editor_files()) {
    if (file.text.size() > longest || file.name.ends_with(".md")) continue;
    std::string name(file.name);
    std::replace(name.begin(), name.end(), '/', '.');
    seeds.push_back({name, std::string(file.text)});
  }
  return seeds;
}

}  // namespace

std::vector<Seed> kept_inputs_of(std::string_view target) {
  const Result<rapidjson::Document> inputs =
      lsp::parse_json(read(fs::path(SOURCES) / "tests/fuzz/corpus" / (std::string(target) + ".json")));
  std::vector<Seed> kept;
  if (!inputs) return kept;
  for (const rapidjson::Value& input : lsp::elements_of(*inputs)) {
    Seed& seed = kept.emplace_back(Seed{"kept." + std::to_string(kept.size()), {}});
    const std::string text = lsp::text_of(input);
    for (std::string_view rest = text; !rest.empty();) {
      const lsp::Decoded c = lsp::decode_utf8(rest);
      seed.bytes += static_cast<char>(c.code_point);
      rest.remove_prefix(c.length);
    }
  }
  return kept;
}

std::vector<Seed> seeds_of(std::string_view target) {
  static const std::map<std::string_view, std::vector<Seed> (*)()> makers = {
      {"frames", frames},    {"envelope", messages},       {"json_edit", messages}, {"symbols", replies},
      {"hover", hovers},     {"diagnostics", diagnostics}, {"formats", formats},    {"setup", configurations},
      {"session", sessions}, {"mcp", mcp_sessions},
  };
  const auto maker = makers.find(target);
  return maker == makers.end() ? std::vector<Seed>() : maker->second();
}

}  // namespace symbols::fuzz
