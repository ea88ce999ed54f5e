// The time that a document's symbols with all their hovers take a client, asked for in several ways in turn
// (bench/hover_collecting.mjs). One process, so that all ways meet the same noise; the servers stay running,
// so that they are warm.
//
//   hover_client FILE LANGUAGE-ID ROUNDS WAYS
//
// WAYS is JSON: [{"name":…,"command":[…],"proxied":{…}},…]. Ways with the same command share one server. With
// `proxied` the hovers come inside the reply to documentSymbol, whose params get these members too; otherwise
// the client asks for all at once. From the environment: ROOT, INITIALIZATION_OPTIONS (JSON), SERVER_PATH,
// the PATH of the servers (not of the command's lookup).
//
// Each round does for each way: forget (a second document is opened and closed, after which nothing
// remembered counts), wait until the server answers again, ask for symbols and hovers (`first`), ask for the
// same again (`again`, the quickest of five; not proxied: for the symbols alone). The first round is not
// counted. Prints a line of JSON for each round and way, in milliseconds: `first`, `again`, what the proxy
// alone ran on a processor in each, `work`, what it, the server and this client together ran for `first`; and
// the number of hovers that came with text.
#include <fcntl.h>
#include <poll.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/client_session.h"
#include "lsp/json/json.h"
#include "lsp/uri.h"
#include "process_usage.h"

namespace {

using symbols::lsp::json_string;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "hover_client: %s\n", why.c_str());
  std::exit(1);
}

double now() {  // in milliseconds
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Of this process, in milliseconds on a processor.
double client_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

std::string text_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

class Session {
 public:
  explicit Session(const std::vector<std::string>& command) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) fail("cannot make pipes");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) {
      fail("cannot run " + command[0]);
    }
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_server_ = in[1];
    from_server_ = out[0];
    ::fcntl(to_server_, F_SETFL, O_NONBLOCK);
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  ~Session() {
    request("shutdown", "");
    reply();
    notify("exit", "");
    flush();
    ::close(to_server_);
    for (int i = 0; i < 1000; ++i) {
      if (::waitpid(pid_, nullptr, WNOHANG) != 0) return;
      ::usleep(1000);
    }
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  // Milliseconds on a processor: the command alone, and with the processes below it.
  double own_time() const { return bench::usage_of({pid_}).processor / 1e3; }
  double all_time() const {
    return own_time() + bench::usage_of(bench::descendants(pid_, 0)).processor / 1e3;
  }

  void notify(std::string_view method, std::string_view params) {
    send("{\"jsonrpc\":\"2.0\",\"method\":\"" + std::string(method) + "\"" +
         (params.empty() ? "" : ",\"params\":" + std::string(params)) + "}");
  }

  void request(std::string_view method, std::string_view params) {
    send("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(++id_) + ",\"method\":\"" + std::string(method) +
         "\"" + (params.empty() ? "" : ",\"params\":" + std::string(params)) + "}");
  }

  // The next reply, valid until the next call; the server's own requests are answered with null.
  std::string_view reply() {
    for (;;) {
      const std::string_view body = receive();
      if (body.substr(0, 200).find("\"method\":") == std::string_view::npos) return body;
      rapidjson::Document message;
      message.Parse(body.data(), body.size());
      if (!message.HasMember("id")) continue;
      send("{\"jsonrpc\":\"2.0\",\"id\":" + text_of(message["id"]) + ",\"result\":null}");
    }
  }

 private:
  void send(const std::string& body) {
    output_ += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  void flush() {
    while (!output_.empty()) write_some();
  }

  void write_some() {
    const ssize_t written = ::write(to_server_, output_.data(), output_.size());
    if (written > 0) output_.erase(0, static_cast<std::size_t>(written));
    if (written < 0 && errno != EAGAIN) fail("cannot write: the server is gone");
  }

  // Writes what is waiting and reads until a whole message is there.
  std::string_view receive() {
    if (!output_.empty()) write_some();
    for (;;) {
      const std::string_view unread = std::string_view(input_).substr(taken_);
      const std::size_t header = unread.find("\r\n\r\n");
      if (header != std::string_view::npos) {
        const std::size_t at = unread.find("Content-Length: ");
        const std::size_t length = std::strtoul(unread.data() + at + 16, nullptr, 10);
        if (unread.size() >= header + 4 + length) {
          taken_ += header + 4 + length;
          return unread.substr(header + 4, length);
        }
      }
      input_.erase(0, taken_);
      taken_ = 0;
      pollfd fds[2] = {{from_server_, POLLIN, 0}, {to_server_, POLLOUT, 0}};
      if (::poll(fds, output_.empty() ? 1 : 2, 120'000) == 0) fail("no answer for two minutes");
      if (!output_.empty() && fds[1].revents != 0) write_some();
      if (fds[0].revents == 0) continue;
      constexpr std::size_t block = 262'144;
      const std::size_t had = input_.size();
      input_.resize(had + block);
      const ssize_t size = ::read(from_server_, input_.data() + had, block);
      if (size <= 0) fail("the server is gone");
      input_.resize(had + static_cast<std::size_t>(size));
    }
  }

  int to_server_ = -1;
  int from_server_ = -1;
  pid_t pid_ = -1;
  std::size_t id_ = 0;
  std::string input_;
  std::size_t taken_ = 0;
  std::string output_;
};

struct Way {
  std::string name;
  std::vector<std::string> command;
  bool proxied = false;
  std::string params;  // further members of documentSymbol's params, each with its comma
  Session* session = nullptr;
};

struct Document {
  std::string uri;  // as JSON
  std::string language;
  std::string text;   // as JSON
  std::string other;  // uri of the second document, as JSON
};

struct Outcome {
  double milliseconds = 0;
  double own = 0;  // of them on a processor: the proxy's main thread, its server left out
  std::size_t hovers = 0;
};

std::vector<Way> parse_ways(const char* json) {
  rapidjson::Document parsed;
  if (parsed.Parse(json).HasParseError() || !parsed.IsArray()) fail("WAYS is no JSON array");
  std::vector<Way> ways;
  for (const rapidjson::Value& value : parsed.GetArray()) {
    Way& way = ways.emplace_back();
    way.name = value["name"].GetString();
    for (const rapidjson::Value& word : value["command"].GetArray())
      way.command.emplace_back(word.GetString());
    way.proxied = value.HasMember("proxied");
    if (way.proxied) {
      for (const auto& [name, option] : value["proxied"].GetObject()) {
        way.params += "," + text_of(name) + ":" + text_of(option);
      }
    }
  }
  return ways;
}

// In pre-order, one hover's params each, by a list of what is still to do.
std::vector<std::string> hover_params(const rapidjson::Value& symbols, const std::string& uri) {
  std::vector<std::string> params;
  std::vector<const rapidjson::Value*> unseen;
  const auto add = [&](const rapidjson::Value& siblings) {
    for (rapidjson::SizeType i = siblings.Size(); i > 0; --i) unseen.push_back(&siblings[i - 1]);
  };
  add(symbols);
  while (!unseen.empty()) {
    const rapidjson::Value& symbol = *unseen.back();
    unseen.pop_back();
    const rapidjson::Value& start = symbol["selectionRange"]["start"];
    params.push_back("{\"textDocument\":{\"uri\":" + uri +
                     "},\"position\":{\"line\":" + std::to_string(start["line"].GetUint()) +
                     ",\"character\":" + std::to_string(start["character"].GetUint()) + "}}");
    if (symbol.HasMember("children")) add(symbol["children"]);
  }
  return params;
}

Outcome ask_symbols(const Way& way, const Document& document) {
  const double own = way.session->own_time();
  const double begin = now();
  way.session->request("textDocument/documentSymbol",
                       "{\"textDocument\":{\"uri\":" + document.uri + "}" + way.params + "}");
  const std::string_view body = way.session->reply();
  Outcome outcome;
  outcome.milliseconds = now() - begin;
  outcome.own = way.session->own_time() - own;
  // The rows of a table that have a hover; newlines are escaped in JSON.
  const auto count = [body](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = body.find(what, at)) != std::string_view::npos; at += what.size()) ++found;
    return found;
  };
  if (way.proxied) outcome.hovers = count(" | <<<") - count(" |  | <<<");
  return outcome;
}

Outcome ask_symbols_and_hovers(const Way& way, const Document& document) {
  if (way.proxied) return ask_symbols(way, document);
  const double begin = now();
  way.session->request("textDocument/documentSymbol", "{\"textDocument\":{\"uri\":" + document.uri + "}}");
  rapidjson::Document symbols;
  const std::string_view body = way.session->reply();
  Outcome outcome;
  symbols.Parse(body.data(), body.size());
  if (!symbols.HasMember("result") || !symbols["result"].IsArray())
    fail("no symbols: " + std::string(body.substr(0, 300)));
  const std::vector<std::string> params = hover_params(symbols["result"], document.uri);
  for (const std::string& one : params) way.session->request("textDocument/hover", one);
  for (std::size_t answered = 0; answered < params.size(); ++answered) {
    if (way.session->reply().find("\"contents\"") != std::string_view::npos) ++outcome.hovers;
  }
  outcome.milliseconds = now() - begin;
  return outcome;
}

void open(const Way& way, const Document& document) {
  const char* root = std::getenv("ROOT");
  const char* options = std::getenv("INITIALIZATION_OPTIONS");
  const std::string root_uri = json_string(symbols::lsp::file_uri(root != nullptr ? root : "/"));
  way.session->request("initialize",
                       "{\"processId\":null,\"rootUri\":" + root_uri +
                           ",\"workspaceFolders\":[{\"uri\":" + root_uri +
                           ",\"name\":\"bench\"}],\"capabilities\":" + symbols::lsp::client_capabilities() +
                           (options ? ",\"initializationOptions\":" + std::string(options) : "") + "}");
  way.session->reply();
  way.session->notify("initialized", "{}");
  way.session->notify("textDocument/didOpen", "{\"textDocument\":{\"uri\":" + document.uri +
                                                  ",\"languageId\":\"" + document.language +
                                                  "\",\"version\":1,\"text\":" + document.text + "}}");
}

void forget(const Way& way, const Document& document) {
  way.session->notify("textDocument/didOpen", "{\"textDocument\":{\"uri\":" + document.other +
                                                  ",\"languageId\":\"" + document.language +
                                                  "\",\"version\":1,\"text\":\"\"}}");
  way.session->notify("textDocument/didClose", "{\"textDocument\":{\"uri\":" + document.other + "}}");
  ::usleep(100'000);
  way.session->request("textDocument/hover", "{\"textDocument\":{\"uri\":" + document.uri +
                                                 "},\"position\":{\"line\":0,\"character\":0}}");
  way.session->reply();
  ::usleep(100'000);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: hover_client FILE LANGUAGE-ID ROUNDS WAYS\n");
    return 2;
  }
  ::signal(SIGPIPE, [](int) {});  // not SIG_IGN, which the servers would inherit
  const std::filesystem::path file = std::filesystem::canonical(argv[1]);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::filesystem::path other =
      file.parent_path() / ("symbols-bench-other" + file.extension().string());
  const Document document{json_string(symbols::lsp::file_uri(file.string())), argv[2],
                          json_string(text.str()), json_string(symbols::lsp::file_uri(other.string()))};
  if (const char* path = std::getenv("SERVER_PATH")) ::setenv("PATH", path, 1);

  std::vector<Way> ways = parse_ways(argv[4]);
  std::map<std::vector<std::string>, std::unique_ptr<Session>> sessions;
  for (Way& way : ways) {
    std::unique_ptr<Session>& session = sessions[way.command];
    const bool fresh = session == nullptr;
    if (fresh) session = std::make_unique<Session>(way.command);
    way.session = session.get();
    if (fresh) open(way, document);
  }
  const int rounds = std::atoi(argv[3]);
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Way& way = ways[round % 2 == 0 ? i : ways.size() - 1 - i];
      forget(way, document);
      const double work_before = way.session->all_time() + client_time();
      const Outcome first = ask_symbols_and_hovers(way, document);
      const double work = way.session->all_time() + client_time() - work_before;
      // The quickest of a few, each after a rest: the server tidies up behind its work.
      Outcome again;
      for (int repeat = 0; repeat < 5; ++repeat) {
        ::usleep(50'000);
        const Outcome one = ask_symbols(way, document);
        if (repeat == 0 || one.milliseconds < again.milliseconds) again = one;
      }
      if (round == 0) continue;
      std::printf(
          R"({"name":%s,"first":%.3f,"firstOwn":%.3f,"work":%.3f,"again":%.3f,"againOwn":%.3f,"hovers":%zu})"
          "\n",
          json_string(way.name).c_str(), first.milliseconds, way.proxied ? first.own : 0, work,
          again.milliseconds, way.proxied ? again.own : 0, first.hovers);
      std::fflush(stdout);
    }
  }
  return 0;
}
