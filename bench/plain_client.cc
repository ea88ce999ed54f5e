// The minimal client that asks a server for a file's symbols and all their hovers at once: no table, no
// retries, no time limits. What `symbols FILE` is measured against (bench/cold_start.mjs).
//
//   plain_client FILE LANGUAGE-ID SERVER [ARGUMENT…]
//   plain_client @LIST LANGUAGE-ID SERVER [ARGUMENT…]
//
// LIST has the paths of files, one a line, of which only the symbols are asked for, of as many at a time as
// there are processors (what `symbols index` is measured against, bench/index.mjs); each is closed when it is
// answered.
//
// Prints the number of hovers, or of symbols, that came; ends the server with shutdown and exit, then SIGTERM
// and SIGKILL.
#include <fcntl.h>
#include <poll.h>
#include <rapidjson/document.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "lsp/client_session.h"
#include "lsp/json/json.h"
#include "lsp/uri.h"

namespace {

using symbols::lsp::json_string;

int to_server = -1;
int from_server = -1;
std::string input;
std::string output;  // not yet written

void send(const std::string& body) {
  output += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void request(int id, const std::string& method, const std::string& params) {
  send("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"" + method + "\"" +
       (params.empty() ? "" : ",\"params\":" + params) + "}");
}

// Writes what is waiting and reads until a whole message is there.
std::string receive() {
  for (;;) {
    const std::size_t header = input.find("\r\n\r\n");
    if (header != std::string::npos) {
      const std::size_t at = input.find("Content-Length: ");
      const std::size_t length = std::strtoul(input.c_str() + at + 16, nullptr, 10);
      if (input.size() >= header + 4 + length) {
        std::string body = input.substr(header + 4, length);
        input.erase(0, header + 4 + length);
        return body;
      }
    }
    pollfd fds[2] = {{from_server, POLLIN, 0}, {to_server, POLLOUT, 0}};
    ::poll(fds, output.empty() ? 1 : 2, -1);
    if (!output.empty() && fds[1].revents != 0) {
      const ssize_t written = ::write(to_server, output.data(), output.size());
      if (written > 0) output.erase(0, static_cast<std::size_t>(written));
    }
    if (fds[0].revents != 0) {
      char buffer[65536];
      const ssize_t size = ::read(from_server, buffer, sizeof buffer);
      if (size <= 0) {
        std::fprintf(stderr, "plain_client: the server is gone\n");
        std::exit(1);
      }
      input.append(buffer, static_cast<std::size_t>(size));
    }
  }
}

// The next reply; the server's own requests are answered with null.
rapidjson::Document reply() {
  for (;;) {
    rapidjson::Document message;
    message.Parse(receive().c_str());
    if (!message.HasMember("method")) return message;
    if (!message.HasMember("id")) continue;
    const rapidjson::Value& id = message["id"];
    send("{\"jsonrpc\":\"2.0\",\"id\":" +
         (id.IsString() ? json_string(id.GetString()) : std::to_string(id.GetInt64())) + ",\"result\":null}");
  }
}

void ask_hovers(const rapidjson::Value& symbols, const std::string& uri, int& id) {
  for (const rapidjson::Value& symbol : symbols.GetArray()) {
    const rapidjson::Value& start = symbol["selectionRange"]["start"];
    request(++id, "textDocument/hover",
            "{\"textDocument\":{\"uri\":" + uri +
                "},\"position\":{\"line\":" + std::to_string(start["line"].GetUint()) +
                ",\"character\":" + std::to_string(start["character"].GetUint()) + "}}");
    if (symbol.HasMember("children")) ask_hovers(symbol["children"], uri, id);
  }
}

std::string uri_of(const std::filesystem::path& file) {
  return json_string(symbols::lsp::file_uri(file.string()));
}

void open_document(const std::filesystem::path& file, const std::string& language) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  send(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":)" + uri_of(file) +
       ",\"languageId\":\"" + language + R"(","version":1,"text":)" + json_string(text.str()) + "}}}");
}

std::size_t count(const rapidjson::Value& symbols) {
  if (!symbols.IsArray()) return 0;
  std::size_t sum = 0;
  for (const rapidjson::Value& symbol : symbols.GetArray())
    sum += 1 + (symbol.HasMember("children") ? count(symbol["children"]) : 0);
  return sum;
}

// The number of symbols. Requests count from `id` on.
std::size_t ask_symbols(const std::vector<std::filesystem::path>& files, const std::string& language,
                        int id) {
  const std::size_t at_once = std::max(2U, std::thread::hardware_concurrency());
  const auto first = static_cast<std::size_t>(id);
  std::size_t asked = 0;
  std::size_t found = 0;
  for (std::size_t answered = 0; answered < files.size(); ++answered) {
    for (; asked < files.size() && asked < answered + at_once; ++asked) {
      open_document(files[asked], language);
      request(static_cast<int>(first + asked), "textDocument/documentSymbol",
              "{\"textDocument\":{\"uri\":" + uri_of(files[asked]) + "}}");
    }
    const rapidjson::Document answer = reply();
    if (answer.HasMember("result")) found += count(answer["result"]);
    send(R"({"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":)" +
         uri_of(files[static_cast<std::size_t>(answer["id"].GetInt()) - first]) + "}}}");
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: plain_client FILE LANGUAGE-ID SERVER [ARGUMENT...]\n");
    return 2;
  }
  std::vector<std::filesystem::path> list;
  if (argv[1][0] == '@') {
    std::ifstream lines(argv[1] + 1);
    for (std::string line; std::getline(lines, line);) list.push_back(std::filesystem::canonical(line));
  }
  const std::filesystem::path file = list.empty() ? std::filesystem::canonical(argv[1]) : list.front();

  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  if (const char* path = std::getenv("SERVER_PATH")) ::setenv("PATH", path, 1);
  if (::posix_spawnp(&pid, argv[3], &actions, nullptr, argv + 3, environ) != 0) {
    std::fprintf(stderr, "plain_client: cannot run %s\n", argv[3]);
    return 1;
  }
  ::close(in[0]);
  ::close(out[1]);
  to_server = in[1];
  from_server = out[0];
  ::fcntl(to_server, F_SETFL, O_NONBLOCK);

  const std::string uri = uri_of(file);
  const char* root = std::getenv("ROOT");
  const std::string root_uri = json_string(symbols::lsp::file_uri(root ? root : file.parent_path().string()));
  const char* options = std::getenv("INITIALIZATION_OPTIONS");
  request(1, "initialize",
          "{\"processId\":null,\"rootUri\":" + root_uri + ",\"workspaceFolders\":[{\"uri\":" + root_uri +
              ",\"name\":\"bench\"}],\"capabilities\":" + symbols::lsp::client_capabilities() +
              (options ? ",\"initializationOptions\":" + std::string(options) : "") + "}");
  reply();
  send(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  int id = 2;
  std::size_t came = 0;
  if (!list.empty()) {
    came = ask_symbols(list, argv[2], id);
    id += static_cast<int>(list.size());
  } else {
    open_document(file, argv[2]);
    request(2, "textDocument/documentSymbol", "{\"textDocument\":{\"uri\":" + uri + "}}");
    const rapidjson::Document symbols = reply();
    if (std::getenv("NO_HOVERS") == nullptr) ask_hovers(symbols["result"], uri, id);
    came = static_cast<std::size_t>(id) - 2;
    for (std::size_t i = 0; i < came; ++i) reply();
  }
  request(++id, "shutdown", "");
  reply();
  send(R"({"jsonrpc":"2.0","method":"exit"})");
  while (!output.empty()) {
    const ssize_t written = ::write(to_server, output.data(), output.size());
    if (written > 0) output.erase(0, static_cast<std::size_t>(written));
  }
  ::close(to_server);
  // As symbols does: SIGTERM after 300 ms, SIGKILL after as long again.
  const auto ended = [&] {
    for (int i = 0; i < 300; ++i) {
      if (::waitpid(pid, nullptr, WNOHANG) != 0) return true;
      ::usleep(1000);
    }
    return false;
  };
  if (!ended()) ::kill(pid, SIGTERM);
  if (!ended()) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  std::printf("%zu %s\n", came, list.empty() ? "hovers" : "symbols");
}
