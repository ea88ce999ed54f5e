// A whole session (proxy/session/): the input is a script of what the client and the server say, in which
// order, and what goes wrong. What must hold of any session is in session_world.h.
//
// The first byte chooses options (session() below), the second the format. Then come steps, each a letter and
// what it needs:
//   s V D   the client requests the symbols of document D, with the options V
//   h V L D a hover in line L      m V D D symbols of two documents by the command
//   n V D   a context      q D   a request that is not ours
//   o D     opens the document unless it is open      d D   closes it
//   c D     changes it      C D V   changes it in way V      w V   sends another notification
//   a N     answers the Nth request of the server's
//   k N     cancels its Nth request      i V   initialize      z   shutdown      e   exit
//   r N V   the server answers the Nth request that it has: V is what      u N V   answers it twice
//   p V     it publishes diagnostics, reports progress, requests something
//   t N     time passes      g N   from here on bytes come in chunks of N
//   x       the server dies      X N V   while it writes what p would, after N bytes
//   y V     from here on another one can be started, or cannot
//   > < the rest of the line is a message of the client's, of the server's
// Covers: proxy/session/interceptor.cc
// Covers: proxy/session/session_documents.cc
// Covers: proxy/session/initialize_rewrite.cc
// Covers: proxy/session/session_lifecycle.cc proxy/session/session_replay.cc
// Covers: proxy/io/relay_direction.cc
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "lsp/messages.h"
#include "proxy/cli/command_line.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/session_world.h"

namespace symbols::fuzz::session_target {

using std::chrono::milliseconds;

constexpr std::string_view two_symbols =
    R"([{"name":"a","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":9}},"selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}},)"
    R"({"name":"b","kind":5,"range":{"start":{"line":1,"character":0},"end":{"line":3,"character":9}},"selectionRange":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"children":[]}])";

struct Request {
  char letter;
  std::string_view method;
  std::string_view params;  // $V stands for options, $L for a line, $D for a document's URI
};
constexpr Request requests[] = {
    {'s', "textDocument/documentSymbol", R"({"textDocument":{"uri":"$D"}$V})"},
    {'h', "textDocument/hover", R"({"textDocument":{"uri":"$D"},"position":{"line":$L,"character":0}$V})"},
    {'m', "workspace/executeCommand",
     R"({"command":"symbols.documentSymbols","arguments":[{"textDocuments":[{"uri":"$D"},{"uri":"$D"}]$V}]})"},
    {'n', "workspace/executeCommand",
     R"({"command":"symbols.context","arguments":[{"name":"b","textDocument":{"uri":"$D"}$V}]})"},
    {'q', "textDocument/definition", R"({"textDocument":{"uri":"$D"},"position":{"line":0,"character":0}})"},
};

class Script {
 public:
  Script(std::string_view text, SessionWorld& world) : text_(text), world_(world) {}

  // What a script can show, it shows in few steps.
  void run() {
    for (int steps = 0; steps < 300 && !text_.empty() && !world_.server_is_dead(); ++steps) step();
  }

 private:
  std::uint8_t byte() {
    if (text_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(text_.front());
    text_.remove_prefix(1);
    return first;
  }
  std::string_view line() {
    const std::string_view line = text_.substr(0, text_.find('\n'));
    text_.remove_prefix(std::min(line.size() + 1, text_.size()));
    return line;
  }
  // Digits stand for themselves, as in Input.
  std::size_t below(std::size_t limit) {
    const std::uint8_t value = byte();
    return (value >= '0' && value <= '9' ? value - std::size_t{'0'} : value) % limit;
  }

  template <class Array>
  auto choose(const Array& all) {
    return all[below(all.size())];
  }

  std::string uri() {
    static const std::array<std::string, 4> uris = {"file:///a.c", "untitled:b",
                                                    "file://" SOURCES "/fixtures/geometry.cpp",
                                                    "file://" SOURCES "/fixtures/geometry.ts"};
    return choose(uris);
  }
  std::string options() {
    static constexpr std::array options = {
        "",
        R"(,"format":"table")",
        R"(,"format":"json")",
        R"(,"format":"tree","verbosity":"signatures")",
        R"(,"include_hover":false)",
        R"(,"max_tokens":20)",
        R"(,"include":["diagnostics"])",
        R"(,"hover_reply":"row")",
        R"(,"timeout":1)",
        R"(,"format":7)",
        R"(,"format":"json","kind_names":true,"filter_kind":[12])",
    };
    return choose(options);
  }

  void request(const Request& request) {
    std::string params(request.params);
    const auto fill = [&](std::string_view mark, const auto& next) {
      for (std::size_t at = params.find(mark); at != params.npos; at = params.find(mark))
        params.replace(at, mark.size(), next());
    };
    fill("$V", [&] { return options(); });
    fill("$L", [&] { return std::to_string(below(4)); });
    fill("$D", [&] { return uri(); });
    ask(request.method, params);
  }
  void ask(std::string_view method, const std::string& params) {
    world_.client_says(lsp::request_body(world_.new_client_id(), method, params));
  }
  void tell(std::string_view method, const std::string& params) {
    world_.client_says(lsp::notification_body(method, params));
  }

  void answer(bool twice) {
    const std::vector<SessionWorld::Asked>& owed = world_.server_owes();
    const std::size_t which = byte();
    const std::uint8_t what = byte();
    if (owed.empty()) return;
    const std::string id = owed[which % owed.size()].id;
    static constexpr std::array results = {
        two_symbols,
        std::string_view(R"({"contents":{"kind":"markdown","value":"```c\nint a\n```\ntext"}})"),
        std::string_view("null"),
        std::string_view("[]"),
        std::string_view("{}"),
        std::string_view(
            R"([{"name":"f","kind":12,"location":{"uri":"file:///a.c","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":9}}}}])"),
        std::string_view(
            R"({"capabilities":{"hoverProvider":true,"documentSymbolProvider":true,"positionEncoding":"utf-16","diagnosticProvider":{}}})"),
        std::string_view("7"),
    };
    static constexpr std::array codes = {-32801, -32802, -32800, -32603};
    std::string body;
    if (what % 4 == 3) {
      body = lsp::error_body(id, lsp::error_json(codes[what / 4 % codes.size()], "no"));
    } else if (what % 4 == 2) {
      // As gopls has it; long now and then, so that the id comes last and late.
      body = R"({"jsonrpc":"2.0","result":)" + std::string(results[what / 4 % results.size()]) +
             std::string(what % 8 == 6 ? 700 : 0, ' ') + R"(,"id":)" + id + "}";
    } else {
      body = lsp::result_body(id, results[what / 4 % results.size()]);
    }
    world_.server_says(body);
    if (twice) world_.server_says(body);
  }

  // What the server says next.
  std::string server_message() {
    static constexpr std::array said = {
        R"({"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a.c","diagnostics":[]}})",
        R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"t"}}})",
        R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"end"}}})",
        R"({"jsonrpc":"2.0","id":N,"method":"workspace/inlayHint/refresh"})",
        R"({"jsonrpc":"2.0","id":N,"method":"client/registerCapability","params":{"registrations":[{"id":"1","method":"textDocument/hover"}]}})",
        R"({"jsonrpc":"2.0","id":N,"method":"workspace/configuration","params":{"items":[{},{}]}})",
        R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"m"}})",
        R"({"jsonrpc":"2.0","id":"own-99","result":null})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})",
        "started",
        R"({"jsonrpc":"2.0","id":"N","method":"client/unregisterCapability","params":{"unregisterations":[{"id":"1","method":"textDocument/hover"}]}})",
        R"({"jsonrpc":"2.0","id":N,"method":"window/workDoneProgress/create","params":{"token":1}})",
        R"({"jsonrpc":"2.0","id":N,"method":"workspace/workspaceFolders"})",
        R"({"jsonrpc":"2.0","id":N,"method":"own/question"})",
        R"({"jsonrpc":"2.0","id":N,"method":"window/showMessageRequest","params":{"type":3,"message":"m"}})",
    };
    std::string body = choose(said);
    if (const std::size_t id = body.find('N'); id != std::string::npos)
      body.replace(id, 1, std::to_string(world_.new_server_id()));
    return body;
  }

  // With the last it says before that cut, or with words for a person.
  void server_breaks_off() {
    const std::size_t bytes = byte();
    const std::string message = lsp::frame(server_message());
    if (bytes == 0) return world_.server_dies("out of memory");
    world_.server_dies(std::string_view(message).substr(0, std::min(bytes, message.size() - 1)));
  }

  // What else a client tells a server.
  void tell_more() {
    static constexpr std::array said = {
        R"({"jsonrpc":"2.0","method":"initialized","params":{}})",
        R"({"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}})",
        R"({"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{}}})",
        R"({"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[],"removed":[]}}})",
        R"({"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[]}})",
        R"({"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///a.c"}}})",
        R"({"jsonrpc":"2.0","method":"own/notice"})",
        "started",
    };
    world_.client_says(choose(said));
  }

  void change(const std::string& uri, std::size_t how) {
    static constexpr std::array changes = {
        R"([{"text":"b\n"}])",
        R"([{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"zz"}])",
        R"([{"range":{"start":{"line":1,"character":1},"end":{"line":0,"character":0}},"text":""},)"
        R"({"range":{"start":{"line":0,"character":9},"end":{"line":9,"character":0}},"rangeLength":3,"text":"\n"}])",
        R"([{"text":"1\n2\n","range":null},)"
        R"({"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"text":""}])",
        R"([{"range":{"start":{"line":0},"end":{"line":0,"character":1}},"text":"y"}])",
        R"([{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":7}])",
        R"([{"text":{}}])",
        R"([])",
        R"({})",
        R"([{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"\u0041"},)"
        R"({"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":1}},"text":"\t"}])",
    };
    const std::string version = how % 3 == 0 ? "" : R"(,"version":)" + std::to_string(how);
    tell("textDocument/didChange", R"({"textDocument":{"uri":")" + uri + "\"" + version +
                                       R"(},"contentChanges":)" + changes[how % changes.size()] + "}");
  }

  void initialize() {
    static constexpr std::array params = {
        R"({"capabilities":{}})",
        R"({"capabilities":{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}},"rootUri":"file:///a"})",
        R"({"capabilities":{},"initializationOptions":{"symbols":{"format":"tree"}}})",
        R"({"capabilities":{},"initializationOptions":{"symbols":{"format":"json"},"other":1}})",
        R"({"capabilities":{},"initializationOptions":{"symbols":{"format":1}}})",
    };
    ask("initialize", choose(params));
  }

  void step() {
    const std::uint8_t letter = byte();
    for (const Request& each : requests) {
      if (each.letter == letter) return request(each);
    }
    switch (letter) {
      case 'o': {
        const std::string which = uri();
        if (!open_.insert(which).second) return;
        return tell("textDocument/didOpen", R"({"textDocument":{"uri":")" + which +
                                                R"(","languageId":"c","version":1,"text":"a\nbb\nc"}})");
      }
      case 'c':
      case 'C': {
        const std::string which = uri();
        const std::size_t how = letter == 'C' ? below(30) : 0;
        return open_.contains(which) ? change(which, how) : void();
      }
      case 'w':
        return tell_more();
      case 'a':
        return world_.client_answers(byte(), "null");
      case 'd': {
        const std::string which = uri();
        if (open_.erase(which) == 0) return;
        return tell("textDocument/didClose", R"({"textDocument":{"uri":")" + which + "\"}}");
      }
      case 'k': {
        const std::size_t which = byte();
        const std::vector<std::string>& waits = world_.client_awaits();
        if (waits.empty()) return;
        return world_.client_says(lsp::cancel_body(waits[which % waits.size()]));
      }
      case 'i':
        return initialize();
      case 'z':
        return ask("shutdown", "");
      case 'e':
        return tell("exit", "");
      case 'r':
        return answer(false);
      case 'u':
        return answer(true);
      case 'p':
        return world_.server_says(server_message());
      case 't': {
        static constexpr std::array times = {0, 1, 10, 60, 250, 1000, 5000, 30'000};
        return world_.pass_time(milliseconds(choose(times)));
      }
      case 'x':
        return world_.server_dies();
      case 'X':
        return server_breaks_off();
      case 'y':
        return world_.set_start_fails(below(2) == 1);
      case 'g':
        return world_.set_portion(std::size_t{1} + byte());
      case '>':
        world_.all_may_be_said();
        return world_.client_says(line());
      case '<':
        world_.all_may_be_said();
        return world_.server_says(line());
      default:
        return;
    }
  }

  std::string_view text_;
  SessionWorld& world_;
  std::set<std::string> open_;
};

void session(std::string_view data) {
  if (data.size() < 2) return;
  const auto how = static_cast<std::uint8_t>(data.front());
  const auto more = static_cast<std::uint8_t>(data[1]);
  session::ProxyOptions options;
  options.program = "/bin/fake";
  options.version = "1.2";
  if ((how & 2U) != 0) options.auto_open = (how & 4U) != 0;
  if ((how & 8U) != 0) options.answered_methods = *cli::answered_methods("all");
  constexpr std::array formats = {table::Format::table, table::Format::json, table::Format::tree,
                                  table::Format::packed};
  options.answers.format = formats[more % formats.size()];
  options.restart.enabled = (how & 64U) != 0;
  SessionWorld world(std::move(options));
  Script(data.substr(2), world).run();
  if ((how & 16U) != 0) world.server_dies();
  world.settle((how & 32U) != 0 ? "null" : two_symbols);
}

const Registration registration("session", session);

}  // namespace symbols::fuzz::session_target
