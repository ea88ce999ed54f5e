// Many documents and servers that the test plays: which are asked, restarted, given up.
#include "proxy/batch/document_dispatcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "lsp/uri.h"
#include "tests/proxy/batch/scripted_servers.h"

namespace symbols::batch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* two_symbols =
    R"([{"name":"a","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},)"
    R"("selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}])";

struct Stage {
  relay::ScriptedTimers timers;
  ScriptedServers servers;
  DispatchOptions options;
  std::optional<ServerPool> pool;
  std::unique_ptr<DocumentDispatcher> dispatcher;
  std::map<std::string, std::string> answers;  // by path: "ok", or the error
  std::vector<std::string> notes;
  std::string blank;       // the path of a document without text
  std::string unreadable;  // and of one that cannot be read
  bool may_start = true;
  int finished = 0;

  explicit Stage(ScriptedServers::OnMessage on_message) : servers(timers, std::move(on_message)) {
    options.documents_per_server = 4;
  }

  // Documents "server:path", or "path" for a server of the name "fake".
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
      if (path != unreadable) {
        job.text = files::SourceText{.text = path == blank ? " \n" : "a\n", .notes = {}};
      }
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
  void pass(seconds time) {
    for (milliseconds step{0}; step < time; step += milliseconds(100)) {
      timers.pass(milliseconds(100));
    }
  }
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

TEST_CASE("dispatcher: documents of one server share it, and it is stopped after the last") {
  Stage stage(good_server());
  stage.dispatch({"a", "b", "c", "d", "e", "f"});
  stage.pass(seconds(1));
  CHECK(stage.count("ok") == 6);
  CHECK(stage.servers.all.size() == 1);
  CHECK(stage.servers.all[0]->received.back() == "exit");
  CHECK(stage.finished == 1);
  CHECK(stage.dispatcher->progress_text() == "");
}

TEST_CASE("dispatcher: one of several open documents crashes the server and costs only its own answer") {
  Stage stage(server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (!asks_symbols(message)) return false;
    if (message.rest.find("deadly") != std::string_view::npos) server.exit({.code = 5, .signal = 0});
    return server.id == 0;  // works on all that it has open until it dies
  }));
  stage.dispatch({"a", "b", "deadly", "d", "e"});
  stage.pass(seconds(1));
  CHECK(stage.answers.size() == 5);
  CHECK(stage.count("ok") == 4);
  CHECK(stage.answers["/deadly"].find("exited with status 5") != std::string::npos);
  // The second had the four that were open when the first died, each alone.
  CHECK(stage.servers.all.size() == 3);
  CHECK(stage.finished == 1);
}

TEST_CASE("dispatcher: a server that every document crashes is given up after three times in a row") {
  Stage stage(server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (asks_symbols(message)) server.exit({.code = 0, .signal = 11});
    return asks_symbols(message);
  }));
  std::vector<std::string> documents;
  for (int i = 0; i < 40; ++i) documents.push_back("f" + std::to_string(i));
  stage.dispatch(documents);
  stage.pass(seconds(10));
  CHECK(stage.count("was ended by signal 11") == 40);
  CHECK(stage.servers.all.size() == 3);
  CHECK(stage.finished == 1);
}

// Publishes an error before it answers, as clangd does, for documents whose name begins with "wrong".
ScriptedServers::OnMessage server_with_errors() {
  return server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (message.method != "textDocument/didOpen") return false;
    const std::size_t name = message.rest.find("/wrong");
    if (name == std::string_view::npos) return false;
    server.send(
        R"({"method":"textDocument/publishDiagnostics","params":{"uri":"file://)" +
        std::string(message.rest.substr(name, message.rest.find('"', name) - name)) +
        R"(","diagnostics":[{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":1}},)"
        R"("severity":1,"code":"pp_file_not_found","source":"clang","message":"'a.h' file not found"}]}})");
    return true;
  });
}

TEST_CASE("dispatcher: errors that make answers wrong are told in one line, at the end") {
  struct Case {
    std::vector<std::string> documents;
    std::vector<std::string> notes;  // their starts
  };
  const Case cases[] = {
      {{"a", "b"}, {}},
      {{"wrong"}, {"/wrong: 1 error, so types and symbols may be wrong; the first, in line 3: 'a.h' "}},
      {{"a", "wrong1", "b"}, {"/wrong1: 1 error, "}},
      {{"wrong1", "a", "wrong2", "b"}, {"2 of 4 files have errors, such as /wrong1: 1 error, "}},
      {{"wrong1", "other:a", "other:wrong2", "wrong3"},
       {"/wrong2: 1 error, ", "2 of 2 files have errors, such as /wrong1: "}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.documents.size());
    Stage stage(server_with_errors());
    stage.options.inquiry.document.hovers = false;
    stage.dispatch(c.documents);
    stage.pass(seconds(1));
    CHECK(stage.count("ok") == c.documents.size());
    std::ranges::sort(stage.notes);
    REQUIRE(stage.notes.size() == c.notes.size());
    for (std::size_t i = 0; i < c.notes.size(); ++i) CHECK(stage.notes[i].starts_with(c.notes[i]));
  }
}

TEST_CASE("dispatcher: an answer in between resets the count of crashes") {
  Stage stage(server_that([](ScriptedServer& server, const lsp::Envelope& message) {
    if (!asks_symbols(message, "deadly")) return false;
    server.exit({.code = 1, .signal = 0});
    return true;
  }));
  stage.options.documents_per_server = 1;
  stage.dispatch({"deadly1", "a", "deadly2", "b", "deadly3", "c", "deadly4", "d"});
  stage.pass(seconds(10));
  CHECK(stage.count("ok") == 4);
  CHECK(stage.count("exited with status 1") == 4);
}

TEST_CASE("dispatcher: a server that never gets ready is started once, and is the error of every document") {
  Stage stage([](ScriptedServer& server, const lsp::Envelope&) { server.exit({.code = 1, .signal = 0}); });
  stage.dispatch({"a", "b", "other:c"});
  stage.pass(seconds(1));
  CHECK(stage.count("exited with status 1 before it answered initialize") == 3);
  CHECK(stage.servers.all.size() == 2);
  CHECK(stage.finished == 1);
}

TEST_CASE("dispatcher: a server that falls silent costs its documents, after the limit and no later") {
  Stage stage(server_that(
      [](ScriptedServer&, const lsp::Envelope& message) { return asks_symbols(message, "silent"); }));
  stage.dispatch({"a", "silent", "other:b"});
  stage.pass(seconds(119));
  CHECK(stage.answers.size() == 2);
  CHECK(stage.dispatcher->progress_text() == "symbols: 2 of 3 files answered; fake: reading");
  stage.pass(seconds(2));
  CHECK(stage.answers["/silent"].find("has not answered for 120 s") != std::string::npos);
  CHECK(stage.finished == 1);
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

TEST_CASE("dispatcher: a server that takes too much memory is restarted between documents") {
  std::size_t memory = 0;  // of the first server
  Stage stage(server_that([&memory](ScriptedServer& server, const lsp::Envelope&) {
    if (server.id == 0) server.memory = memory;
    return false;
  }));
  stage.options.server_memory = 1000;
  std::vector<std::string> documents;
  for (int i = 0; i < 100; ++i) documents.push_back(std::to_string(i));
  SUBCASE("too much") {
    memory = 1001;
    stage.dispatch(documents);
    stage.pass(seconds(10));
    CHECK(stage.servers.all.size() == 2);  // the second takes little
    CHECK(stage.servers.most_alive == 1);
  }
  SUBCASE("just as much as it may") {
    memory = 1000;
    stage.dispatch(documents);
    stage.pass(seconds(10));
    CHECK(stage.servers.all.size() == 1);
  }
  CHECK(stage.count("ok") == 100);
  CHECK(stage.finished == 1);
}

TEST_CASE("dispatcher: no more than 64 documents ahead of one that is not answered are asked about") {
  std::set<std::string> asked;
  Stage stage(server_that([&asked](ScriptedServer&, const lsp::Envelope& message) {
    if (asks_symbols(message)) asked.emplace(message.rest);
    return asks_symbols(message, "/first");
  }));
  std::vector<std::string> documents{"first"};
  for (int i = 0; i < 300; ++i) documents.push_back(std::to_string(i));
  stage.dispatch(documents);
  stage.pass(seconds(10));
  CHECK(asked.size() == stage.options.documents_ahead);
  CHECK(stage.answers.size() == asked.size() - 1);
  stage.pass(seconds(200));
  CHECK(stage.count("ok") == 300);
  CHECK(stage.finished == 1);
}

TEST_CASE("dispatcher: no more than 8 documents are asked about at a time") {
  std::size_t asked = 0;
  Stage stage(server_that([&asked](ScriptedServer&, const lsp::Envelope& message) {
    if (asks_symbols(message)) ++asked;
    return asks_symbols(message);
  }));
  stage.options.documents_per_server = 100;
  std::vector<std::string> documents;
  for (int i = 0; i < 20; ++i) documents.push_back(std::to_string(i));
  stage.dispatch(documents);
  stage.pass(seconds(10));
  CHECK(asked == stage.options.documents_at_once);
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

TEST_CASE("dispatcher: aborted, it answers no more and finishes when no server is left") {
  Stage stage(
      server_that([](ScriptedServer&, const lsp::Envelope& message) { return asks_symbols(message, "b"); }));
  stage.dispatch({"a", "b", "other:c"});
  SUBCASE("in the middle of the work") {
    stage.pass(seconds(1));
    CHECK(stage.answers.size() == 2);
    stage.dispatcher->abort();
    CHECK(stage.finished == 0);
    // A progress line asks until all servers have gone.
    CHECK(stage.dispatcher->progress_text() == "symbols: 2 of 3 files answered");
    stage.pass(seconds(1));
    CHECK(stage.answers.size() == 2);
  }
  SUBCASE("before any server is ready") {
    stage.dispatcher->abort();
    stage.pass(seconds(1));
    CHECK(stage.answers.empty());
  }
  CHECK(stage.servers.alive() == 0);
  CHECK(stage.finished == 1);
}

TEST_CASE("dispatcher: a server that finds symbols in none of its documents is named") {
  // As pylsp without its plugins and rust-analyzer without cargo.
  const auto answering = [](std::string_view path_with_symbols) {
    return server_that([path_with_symbols](ScriptedServer& server, const lsp::Envelope& message) {
      if (!asks_symbols(message) || asks_symbols(message, path_with_symbols)) return false;
      server.reply(message, "[]");
      return true;
    });
  };
  const std::string advice = "; see what it says with --log FILE";
  struct Case {
    std::vector<std::string> documents;
    std::string path_with_symbols;
    std::string blank;       // the path of a document without text
    std::string unreadable;  // of one that is not there
    std::vector<std::string> notes;
  };
  const Case cases[] = {
      {{"a"}, "none", "", "", {"fake found no symbols in /a" + advice}},
      {{"a", "b", "good:c", "d"},
       "none",
       "",
       "",
       {"fake found no symbols in any of 3 files of /p" + advice, "good found no symbols in /c" + advice}},
      {{"a", "b", "c"}, "b", "", "", {}},
      {{"a"}, "none", "/a", "", {}},
      {{"a", "z"}, "none", "/z", "", {"fake found no symbols in /a" + advice}},
      {{"a", "z"}, "none", "", "/z", {"fake found no symbols in /a" + advice}},
      {{"a", "z"}, "none", "", "/a", {"fake found no symbols in /z" + advice}},
  };
  for (const Case& c : cases) {
    for (const bool tells : {true, false}) {
      Stage stage(answering(c.path_with_symbols));
      stage.options.inquiry.document.hovers = false;
      stage.options.inquiry.tell_if_none_found = tells;
      stage.blank = c.blank;
      stage.unreadable = c.unreadable;
      stage.dispatch(c.documents);
      stage.pass(seconds(20));
      CHECK(stage.count("ok") == c.documents.size() - (c.unreadable.empty() ? 0 : 1));
      std::sort(stage.notes.begin(), stage.notes.end());
      CHECK(stage.notes == (tells ? c.notes : std::vector<std::string>()));
    }
  }
}

TEST_CASE("dispatcher: a server without documentSymbol is an error of its documents") {
  Stage stage([](ScriptedServer& server, const lsp::Envelope& message) {
    if (message.method == "initialize") {
      server.reply(message, R"({"capabilities":{}})");
    } else {
      server.behaves(message);
    }
  });
  stage.dispatch({"a", "b"});
  stage.pass(seconds(1));
  CHECK(stage.count("fake does not answer documentSymbol; choose another server with --server") == 2);
  CHECK(stage.finished == 1);
}

}  // namespace
}  // namespace symbols::batch
