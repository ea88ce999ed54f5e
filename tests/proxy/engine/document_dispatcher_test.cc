// Many documents and servers that the test plays: which are asked, restarted, given up.
#include "proxy/engine/document_dispatcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "lsp/uri.h"
#include "tests/proxy/engine/scripted_servers.h"

namespace symbols::engine {
namespace document_dispatcher_test {

using std::chrono::seconds;

constexpr const char* two_symbols =
    R"([{"name":"a","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},)"
    R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}])";

struct Stage {
  io::ScriptedTimers timers;
  ScriptedServers servers;
  DispatchOptions options;
  std::optional<ServerPool> pool;
  std::unique_ptr<DocumentDispatcher> dispatcher;
  std::map<std::string, std::string> answers;  // by path: "ok", or the error
  std::vector<std::string> notes;
  bool may_start = true;
  int finished = 0;

  explicit Stage(ScriptedServers::OnMessage on_message) : servers(timers, std::move(on_message)) {
    options.documents_per_server = 4;
  }

  // Documents "server:path", or "path" for a server of the name "fake". What is called "blank" has no text,
  // what is called "unreadable" cannot be read.
  void dispatch(const std::vector<std::string>& documents) {
    std::vector<DocumentJob> jobs;
    for (const std::string& document : documents) {
      const std::size_t colon = document.find(':');
      const std::string server = colon == std::string::npos ? "fake" : document.substr(0, colon);
      const std::string path = "/" + document.substr(colon == std::string::npos ? 0 : colon + 1);
      DocumentJob job;
      job.display_path = job.path = path;
      job.language_id = "x";
      job.server.name = server;
      job.server.command.program = "/bin/" + server;
      job.root = "/p";
      if (path != "/unreadable")
        job.text = files::SourceText{.text = path == "/blank" ? " \n" : "a\n", .notes = {}};
      jobs.push_back(std::move(job));
      paths_.push_back(path);
    }
    pool.emplace(timers, servers.starter(), options.servers_at_once);
    dispatcher = std::make_unique<DocumentDispatcher>(
        timers, *pool, std::move(jobs), options,
        DocumentDispatcher::Callbacks{
            .on_answer =
                [this](std::size_t job, const DocumentAnswer& answer) {
                  CHECK(answers.count(paths_[job]) == 0);  // once
                  notes.insert(notes.end(), answer.notes.begin(), answer.notes.end());
                  answers[paths_[job]] = answer.error ? answer.error->text() : answer.rows ? "ok" : "nothing";
                },
            .may_start = [this] { return may_start; },
            .on_finished = [this] { pool->stop([this] { ++finished; }); }});
    dispatcher->resume();
  }
  void pass(seconds time) { timers.pass(time); }
  std::size_t count(const std::string& answer) const {
    return static_cast<std::size_t>(std::count_if(answers.begin(), answers.end(), [&](const auto& entry) {
      return entry.second.find(answer) != std::string::npos;
    }));
  }

 private:
  std::vector<std::string> paths_;
};

bool asks_symbols(const lsp::Envelope& message, std::string_view path = "") {
  return message.method == "textDocument/documentSymbol" && message.rest.find(path) != std::string_view::npos;
}

// Answers documentSymbol at once, unless `odd` handles the message.
ScriptedServers::OnMessage server_that(std::function<bool(ScriptedServer&, const lsp::Envelope&)> odd) {
  return [odd = std::move(odd)](ScriptedServer& server, const lsp::Envelope& message) {
    if (odd(server, message) || server.behaves(message)) return;
    if (asks_symbols(message)) server.reply(message, two_symbols);
  };
}

ScriptedServers::OnMessage good_server() {
  return server_that([](ScriptedServer&, const lsp::Envelope&) { return false; });
}

TEST_CASE(
    "dispatcher: documents share their server, which is started again for those after one that kills it") {
  Stage stage(server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (!asks_symbols(message, "deadly")) return false;
    server.exit({.code = 5, .signal = 0});
    return true;
  }));
  stage.options.documents_per_server = 1;
  stage.dispatch({"a", "b", "deadly1", "c", "deadly2", "d", "deadly3", "e", "deadly4", "f"});
  stage.pass(seconds(10));
  CHECK(stage.count("ok") == 6);
  CHECK(stage.count("exited with status 5") == 4);
  CHECK(stage.servers.all.size() == 5);
  CHECK(stage.servers.alive() == 0);
  CHECK(stage.finished == 1);
  CHECK(stage.dispatcher->progress_text() == "");
}

TEST_CASE("dispatcher: once the symbols of all open documents are there, the limit of silence is shorter") {
  Stage stage(server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (message.method == "initialize") {
      server.reply(message, R"({"capabilities":{"documentSymbolProvider":true,"hoverProvider":true}})");
      return true;
    }
    return asks_symbols(message, "silent");  // and no hover is ever answered
  }));
  SUBCASE("they are") {
    stage.dispatch({"a", "b"});
    stage.pass(seconds(29));
    CHECK(stage.answers.empty());
    CHECK(stage.dispatcher->progress_text() == "symbols: 0 of 2 files answered; fake: 0 of 2 hovers");
    stage.pass(seconds(6));  // it is checked eight times in 30 s
    CHECK(stage.servers.all.size() == 2);
    stage.pass(seconds(70));
    CHECK(stage.count("has not answered for 30 s") == 2);
  }
  SUBCASE("one is still awaited") {
    stage.dispatch({"a", "silent"});
    stage.pass(seconds(119));
    CHECK(stage.servers.all.size() == 1);
    stage.pass(seconds(6));
    CHECK(stage.servers.all.size() == 2);
  }
}

TEST_CASE("dispatcher: an idle server makes room for one that has none") {
  Stage stage(good_server());
  stage.options.servers_at_once = 1;
  stage.dispatch({"one:a", "two:b", "one:c", "three:d"});
  stage.pass(seconds(10));
  CHECK(stage.count("ok") == 4);
  CHECK(stage.servers.most_alive == 1);
  CHECK(stage.servers.all.size() == 3);  // "one" was kept for its second document
  CHECK(stage.finished == 1);
}

TEST_CASE(
    "dispatcher: no more than 8 documents at a time, and 64 ahead of one that is not answered, are asked") {
  std::set<std::string> asked;
  std::size_t most_at_once = 0;
  std::optional<Stage> stage;
  stage.emplace(server_that([&](ScriptedServer&, const lsp::Envelope& message) {
    if (asks_symbols(message)) asked.emplace(message.rest);
    most_at_once = std::max(most_at_once, asked.size() - stage->answers.size());
    return asks_symbols(message, "/first");
  }));
  stage->options.documents_per_server = 100;
  std::vector<std::string> documents = {"first"};
  for (int i = 0; i < 300; ++i) documents.push_back(std::to_string(i));
  stage->dispatch(documents);
  stage->pass(seconds(10));
  CHECK(asked.size() == stage->options.documents_ahead);
  CHECK(most_at_once == stage->options.documents_at_once);
  CHECK(stage->answers.size() == asked.size() - 1);
  stage->pass(seconds(200));
  CHECK(stage->count("ok") == 300);
  CHECK(stage->finished == 1);
}

TEST_CASE("dispatcher: nothing is asked while the output lags behind") {
  Stage stage(good_server());
  stage.may_start = false;
  stage.dispatch({"a", "b"});
  stage.pass(seconds(1));
  CHECK(stage.answers.empty());
  CHECK(stage.servers.all.empty());
  stage.may_start = true;
  stage.dispatcher->resume();
  stage.pass(seconds(1));
  CHECK(stage.count("ok") == 2);
}

TEST_CASE("dispatcher: a server that finds symbols in none of its documents is named") {
  // As pylsp without its plugins and rust-analyzer without cargo.
  const auto no_symbols = server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (!asks_symbols(message) || asks_symbols(message, "/some")) return false;
    server.reply(message, "[]");
    return true;
  });
  const std::string advice = "; see what it says with --log FILE";
  struct Case {
    std::vector<std::string> documents;
    std::vector<std::string> notes;
  };
  const Case cases[] = {
      {{"a"}, {"fake found no symbols in /a" + advice}},
      {{"a", "b", "good:c", "d"},
       {"fake found no symbols in any of 3 files of /p" + advice, "good found no symbols in /c" + advice}},
      {{"a", "some", "c"}, {}},
      {{"blank"}, {}},
      {{"a", "blank"}, {"fake found no symbols in /a" + advice}},
      {{"a", "unreadable"}, {"fake found no symbols in /a" + advice}},
      {{"unreadable", "z"}, {"fake found no symbols in /z" + advice}},
  };
  for (const Case& c : cases) {
    for (const bool tells : {true, false}) {
      Stage stage(no_symbols);
      stage.options.inquiry.document.hovers = false;
      stage.options.inquiry.tell_if_none_found = tells;
      stage.dispatch(c.documents);
      stage.pass(seconds(20));
      CHECK(stage.answers.size() == c.documents.size());
      std::sort(stage.notes.begin(), stage.notes.end());
      CHECK(stage.notes == (tells ? c.notes : std::vector<std::string>()));
    }
  }
}

}  // namespace document_dispatcher_test
}  // namespace symbols::engine
