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

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> documents;
  for (std::size_t i = 0; i < count; ++i) documents.push_back(std::to_string(i));
  return documents;
}

TEST_CASE("dispatcher: a server that fails is started again for its documents, and given up in the end") {
  // Crashes when it is asked about a document of such a name; until then it works on what it has open.
  const auto crashing = [](const std::string& name) {
    return server_that([name](ScriptedServer& server, const lsp::Envelope& message) {
      if (!asks_symbols(message, name)) return false;
      server.exit({.code = 5, .signal = 0});
      return true;
    });
  };
  const std::string exited = "exited with status 5";
  struct Case {
    const char* what;
    ScriptedServers::OnMessage on_message;
    std::size_t documents_per_server;
    std::vector<std::string> documents;
    std::size_t ok;
    std::string error;  // the answer of the others
    std::size_t starts;
  };
  const Case cases[] = {
      {"none fails: documents share their server", good_server(), 4, numbered(6), 6, "", 1},
      {"one of several open documents costs only itself: those that were open are asked about alone",
       server_that([](ScriptedServer& server, const lsp::Envelope& message) {
         if (asks_symbols(message, "deadly")) server.exit({.code = 5, .signal = 0});
         return asks_symbols(message) && server.id == 0;
       }),
       4,
       {"a", "b", "deadly", "d", "e"},
       4,
       exited,
       3},
      {"three times in a row", crashing(""), 4, numbered(40), 0, exited, 3},
      {"an answer in between",
       crashing("deadly"),
       1,
       {"deadly1", "a", "deadly2", "b", "deadly3", "c", "deadly4", "d"},
       4,
       exited,
       5},
      {"never ready: once for each server",
       [](ScriptedServer& server, const lsp::Envelope&) { server.exit({.code = 5, .signal = 0}); },
       4,
       {"a", "b", "other:c"},
       0,
       exited + " before it answered initialize",
       2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    Stage stage(c.on_message);
    stage.options.documents_per_server = c.documents_per_server;
    stage.dispatch(c.documents);
    stage.pass(seconds(10));
    CHECK(stage.answers.size() == c.documents.size());
    CHECK(stage.count("ok") == c.ok);
    if (!c.error.empty()) CHECK(stage.count(c.error) == c.documents.size() - c.ok);
    CHECK(stage.servers.all.size() == c.starts);
    CHECK(stage.servers.alive() == 0);
    CHECK(stage.finished == 1);
    CHECK(stage.dispatcher->progress_text() == "");
  }
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

TEST_CASE("dispatcher: no more than 64 documents ahead of one that is not answered are asked about") {
  std::set<std::string> asked;
  Stage stage(server_that([&asked](ScriptedServer&, const lsp::Envelope& message) {
    if (asks_symbols(message)) asked.emplace(message.rest);
    return asks_symbols(message, "/first");
  }));
  std::vector<std::string> documents = numbered(300);
  documents.insert(documents.begin(), "first");
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
  stage.dispatch(numbered(20));
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

}  // namespace
}  // namespace symbols::batch
