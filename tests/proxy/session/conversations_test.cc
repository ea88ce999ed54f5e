// Plays conversations/*.txt: a client on the left, a server on the right, the session between them.
//
//   let NAME = TEXT             `$NAME` stands for TEXT in the lines below
//   === TITLE                   a conversation; the session is initialized unless the next lines say
//   otherwise
//   @ proxy {"format":"json"} --restart      the options of the proxy, first those of its answers
//   @ initialize PARAMS | CAPABILITIES       members of both messages; `@ not initialized`: neither was sent
//   --> 1 method {…}            the client sends a request; `method {…}` is a notification, `1 = …` a reply,
//           --> #1 method {…}   the server gets it, `1 ! -32800 words` an error, all else a body as it stands
//           <-- #1 = …          the server replies; #1 is the id of the session's own first request
//   <-- 1 = …                   the client gets the reply
//   ==> method {…}              the client sends what passes as it came; <== the server does
//   ==> 1 as #1 method {…}      it passes, but under an id of the session
//   @ each change: TEXT         the conversation is played with each such TEXT as $change
//   @ EVENT                     something else happens, or is asked: see Player::happen()
//
// What the session does about a line stands below it, in its order; after a line that ends in `(any order)`
// it is sorted. SYMBOLS_UPDATE_GOLDENS=1 writes it anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "proxy/cli/command_line.h"
#include "proxy/options/option_table.h"
#include "tests/proxy/session/session_stage.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::session {
namespace conversations_test {

using Names = std::vector<std::pair<std::string, std::string>>;
constexpr std::string_view at_server = "        ";
constexpr std::string_view any_order = " (any order)";

std::pair<std::string_view, std::string_view> cut(std::string_view text, char at = ' ') {
  const std::size_t end = std::min(text.find(at), text.size());
  return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

// The longest first: a name may begin another one, a text another one.
Names by_size(Names names, std::string Names::value_type::*by) {
  std::ranges::stable_sort(names, std::greater(), [by](const auto& one) { return (one.*by).size(); });
  return names;
}

std::string expand(std::string_view text, const Names& names) {
  std::string all(text);
  for (const auto& [name, value] : by_size(names, &Names::value_type::first))
    replace_all(all, "$" + name, value);
  return all;
}

bool is_method(std::string_view word) {
  return word.find_first_of("{}[]\"':") == std::string_view::npos &&
         (word.find('/') != std::string_view::npos || word.starts_with("initialize") || word == "shutdown" ||
          word == "exit");
}

// The body that a line stands for.
std::string whole(std::string_view line) {
  const auto [first, rest] = cut(line);
  if (is_method(first)) return lsp::notification_body(first, rest);
  const auto [second, last] = cut(rest);
  if (is_method(second)) return lsp::request_body(first, second, last);
  if (second == "=") return lsp::result_body(first, last);
  if (second != "!") return std::string(line);
  const auto [code, message] = cut(last);
  return lsp::error_body(
      first, R"({"code":)" + std::string(code) + R"(,"message":")" + std::string(message) + "\"}");
}

// The line that stands for a body.
std::string brief(const std::string& body) {
  const Result<lsp::Envelope> read = lsp::read_envelope(body);
  if (!read) return body;
  const std::string rest(lsp::whole_json_value(read->rest));
  const std::string id(read->id);
  std::string line;
  switch (read->kind) {
    case lsp::Envelope::Kind::request:
      line = id + " " + read->method + (rest.empty() ? "" : " ") + rest;
      break;
    case lsp::Envelope::Kind::notification:
      line = read->method + (rest.empty() ? "" : " ") + rest;
      break;
    case lsp::Envelope::Kind::reply:
      line = id + " = " + rest;
      break;
    case lsp::Envelope::Kind::error: {
      std::string message(lsp::member_value(rest, "message").value_or("\"\""));
      message = message.substr(1, message.size() - 2);
      line = id + " ! " + std::string(lsp::member_value(rest, "code").value_or("")) + " " + message;
    }
  }
  return whole(line) == body ? line : body;
}

class Player {
 public:
  explicit Player(Names names) : names_(std::move(names)) {
    const std::string folder = "file://" + folder_.path();
    for (auto& [name, value] : names_) replace_all(value, "$folder", folder);
    names_.emplace_back("folder", folder);
  }

  // All lines of the conversation, with what the session did.
  std::string play(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) play(line);
    return std::move(played_);
  }

 private:
  void play(const std::string& line) {
    const std::string_view all = line;
    const bool sorted = all.ends_with(any_order);
    const std::string_view text = all.substr(0, all.size() - (sorted ? any_order.size() : 0));
    const std::string suffix(sorted ? any_order : "");
    if (text.starts_with("--> ") || text.starts_with("==> ")) {
      std::string brief_body(text.substr(4));
      if (const std::size_t as = brief_body.find(" as #"); as != std::string::npos)
        brief_body.erase(as, brief_body.find(' ', as + 4) - as);
      const std::string body = whole(expanded(brief_body));
      stage().client(body);
      show("-->", "==>", {true, body}, suffix);
    } else if (text.starts_with("        <-- ") || text.starts_with("<== ")) {
      const std::string body = whole(expanded(text.substr(text.find('<') + 4)));
      stage().server(body);
      show("        <--", "<==", {false, body}, suffix);
    } else if (text.starts_with("@ ")) {
      const std::string event(text.substr(2));
      if (!is_outcome(event)) show("@ " + happen(event) + suffix, sorted);
    } else if (!text.starts_with("<-- ") && !text.starts_with("        --> ")) {
      played_ += line + "\n";
    }
  }

  static bool is_outcome(std::string_view event) {
    return event.starts_with("warned: ") || event.starts_with("introduced: ") || event == "exit received" ||
           event == "shutdown answered";
  }

  // What a conversation can say behind `@`. A question is given back with its answer.
  std::string happen(const std::string& event) {
    const auto [what, rest] = cut(event);
    if (what == "each") return event;
    if (what == "proxy") {
      read_options(rest);
      return event;
    }
    if (what == "initialize") {
      const std::string members = expanded(rest);
      const auto [params, capabilities] = cut(members, '|');
      start().initialize(std::string(params), std::string(capabilities));
      return event;
    }
    if (event == "not initialized") {
      start();
    } else if (event == "next turn") {
      stage().delayed.run(std::chrono::milliseconds(0));
    } else if (event == "time passes") {
      stage().delayed.run();
    } else if (what == "file") {
      const auto [name, content] = cut(rest);
      folder_.write(std::string(name), std::string(content));
    } else if (what == "remove") {
      std::filesystem::remove(folder_.path(std::string(rest)));
    } else if (event.starts_with("server lost: ")) {
      stage().interceptor.server_lost({event.substr(13), {}});
    } else if (event.starts_with("server gone: ")) {
      stage().interceptor.server_gone(event.substr(13));
    } else if (event == "new server") {
      stage().interceptor.introduce([this](const Result<std::size_t>& done) {
        stage_->events.push_back("introduced: " + (done ? std::to_string(*done) : done.error().text()));
      });
    } else if (event == "shutdown") {
      stage().interceptor.shutdown([this] { stage_->events.emplace_back("shutdown answered"); });
    } else if (event == "exit") {
      stage().interceptor.exit();
    } else {
      const std::string question = event.substr(0, event.find('?') + 1);
      return question + " " + answer(question);
    }
    return event;
  }

  std::string answer(std::string_view question) {
    const Interceptor& session = stage().interceptor;
    const auto yes = [](bool is) { return std::string(is ? "yes" : "no"); };
    if (question == "client waits?") return yes(session.client_waits());
    if (question == "server owes?") return yes(session.server_owes());
    if (question == "wants shutdown?") return yes(session.wants_shutdown());
    if (question == "wants exit?") return yes(session.wants_exit());
    if (question == "can be replaced?") return yes(session.can_be_replaced());
    if (question == "bytes answered?") return std::to_string(session.bytes_answered());
    if (question == "times all were answered?") return std::to_string(std::exchange(stage().all_answered, 0));
    if (question == "delays?") {
      std::string all;
      for (const std::chrono::milliseconds delay : stage().delayed.delays())
        all += (all.empty() ? "" : " ") + std::to_string(delay.count());
      return all;
    }
    if (question == "stats?") {
      std::string report = stage().stats.report();
      replace_all(report, "\n", "; ");
      return report;
    }
    FAIL("no such event: " << question);
    return {};
  }

  void read_options(std::string_view text) {
    for (const std::string_view word : split(text, ' ')) {
      if (word.starts_with('{')) {
        options_.answers = *options::read_answer_options(word);
      } else if (word.starts_with("--answer=")) {
        options_.answered_methods = *cli::answered_methods(word.substr(9));
      } else if (word == "--restart") {
        options_.restart.enabled = true;
      } else if (word == "--confine") {
        options_.confine = true;
      } else if (word == "--auto-open=default") {
        options_.auto_open.reset();
      } else {
        REQUIRE(word == "--auto-open");
        options_.auto_open = true;
      }
    }
  }

  SessionStage& start() {
    stage_.emplace(options_);
    return *stage_;
  }
  SessionStage& stage() {
    if (!stage_) start().initialize();
    return *stage_;
  }

  void show(std::string_view arrow, std::string_view passing_arrow, const SessionStage::Sent& message,
            const std::string& suffix) {
    std::string line = abbreviated(brief(message.body));
    const bool one = stage_->sent.size() == 1 && stage_->events.empty();
    bool passes = one && stage_->sent[0] == message;
    if (one && !passes && message.to_server && stage_->sent[0].to_server) {
      // Under an id of ours, but else as it came?
      const std::string sent = abbreviated(brief(stage_->sent[0].body));
      const auto [id, rest] = cut(line);
      const auto [own_id, own_rest] = cut(sent);
      passes = own_id.starts_with('#') && rest == own_rest;
      if (passes) line = std::string(id) + " as " + sent;
    }
    if (passes) stage_->sent.clear();
    show(std::string(passes ? passing_arrow : arrow) + " " + line + suffix, !suffix.empty());
  }
  void show(const std::string& line, bool sorted) {
    played_ += line + "\n";
    if (!stage_) return;
    std::vector<std::string> outcome;
    for (const auto& [to_server, body] : std::exchange(stage_->sent, {}))
      outcome.push_back((to_server ? "        --> " : "<-- ") + abbreviated(brief(body)));
    for (const std::string& event : std::exchange(stage_->events, {}))
      outcome.push_back("@ " + abbreviated(event));
    if (sorted) std::ranges::sort(outcome);
    for (const std::string& one : outcome) played_ += one + "\n";
  }

  std::string expanded(std::string_view text) const {
    std::string all = expand(text, names_);
    for (std::size_t at = 0; (at = all.find('#', at)) != std::string::npos;) {
      const std::size_t end = std::min(all.find_first_not_of("0123456789", ++at), all.size());
      if (end > at) all.replace(at - 1, end - at + 1, "\"own-" + all.substr(at, end - at) + "\"");
    }
    return all;
  }
  std::string abbreviated(std::string text) const {
    for (const auto& [name, value] : by_size(names_, &Names::value_type::second))
      replace_all(text, value, "$" + name);
    for (std::size_t at = 0; (at = text.find("\"own-", at)) != std::string::npos; ++at) {
      const std::size_t end = text.find_first_not_of("0123456789", at + 5);
      if (end != std::string::npos && end > at + 5 && text[end] == '"')
        text.replace(at, end + 1 - at, "#" + text.substr(at + 5, end - at - 5));
    }
    return text;
  }

  TemporaryFolder folder_;
  Names names_;
  // Documents that exist nowhere are not looked for.
  ProxyOptions options_{.auto_open = false};
  std::optional<SessionStage> stage_;
  std::string played_;
};

// All conversations of a file, played; CHECKs each.
std::string played(std::istream& file) {
  std::string all;
  Names names;
  std::vector<std::string> lines;
  const auto play = [&] {
    if (lines.empty()) return;
    std::string expected;
    std::vector<Names> variants;
    for (const std::string& line : lines) {
      expected += line + "\n";
      if (!line.starts_with("@ each ")) continue;
      const auto [name, value] = cut(std::string_view(line).substr(7), ':');
      variants.emplace_back(names).emplace_back(name, expand(value.substr(1), names));
    }
    if (variants.empty()) variants.push_back(names);
    for (const Names& variant : variants) {
      CAPTURE(lines.front());
      CAPTURE(variant.back().second);
      const std::string actual = Player(variant).play(lines);
      if (std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr) expected = actual;
      CHECK(actual == expected);
    }
    all += expected;
    lines.clear();
  };
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) play();
    if (!lines.empty() || line.starts_with("=== ")) {
      lines.push_back(line);
      continue;
    }
    all += line + "\n";
    if (!line.starts_with("let ")) continue;
    const std::size_t equals = line.find(" = ");
    names.emplace_back(line.substr(4, equals - 4), expand(line.substr(equals + 3), names));
  }
  play();
  return all;
}

TEST_CASE("conversations") {
  const std::filesystem::path folder = FIXTURES_DIR "/../tests/proxy/session/conversations";
  for (const char* name : {"passing", "life", "answers", "hovers", "documents", "restart"}) {
    CAPTURE(name);
    const std::filesystem::path path = folder / (std::string(name) + ".txt");
    std::ifstream file(path);
    REQUIRE(file.is_open());
    const std::string text = played(file);
    file.close();
    if (std::getenv("SYMBOLS_UPDATE_GOLDENS") != nullptr) std::ofstream(path) << text;
  }
}

}  // namespace conversations_test
}  // namespace symbols::session
