// The server of bench/relay.mjs: answers what bench/relay_client.cc asks, as fast as two system calls a
// message allow.
//
//   initialize      its capabilities; serverInfo.pid tells its process from the relay's
//   bench/echo      a small reply
//   bench/reply     {"bytes":N}: a reply of N bytes
//   bench/send      {"bytes":N,"count":M}: M notifications of N bytes, then a small reply
//   bench/received  how many bytes of bodies came since it was asked last
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "raw_messages.h"

namespace {

// A notification or reply that is `bytes` long, header left out: text as in a document's symbols, with a
// non-ASCII letter.
std::string of_size(std::string start, std::size_t bytes) {
  constexpr std::string_view unit = R"({"name":"pr\u00fcfe","detail":"ü | \"x\"","kind":12},)";
  start += R"("items":[)";
  constexpr std::string_view end = "0]}}";
  while (start.size() + unit.size() + end.size() <= bytes) start += unit;
  if (start.size() + end.size() < bytes) start.append(bytes - start.size() - end.size(), ' ');
  return start.append(end);
}

// A message that is asked for again and again with one size is built once.
class LargeMessage {
 public:
  explicit LargeMessage(std::string start) : start_(std::move(start)) {}

  /** Header and body, which is `bytes` long, with `id` in place of the start's first blanks, if it has any.
   */
  const std::string& of(std::size_t bytes, std::string_view id) {
    if (bytes != bytes_) {
      message_ = bench::framed(of_size(start_, bytes));
      bytes_ = bytes;
      id_at_ = message_.find("  ");
    }
    if (!id.empty()) {
      message_.replace(id_at_, id_room, id_room, ' ');
      message_.replace(id_at_, id.size(), id);
    }
    return message_;
  }

  static constexpr std::size_t id_room = 40;

 private:
  std::string start_;
  std::string message_;
  std::size_t bytes_ = 0;
  std::size_t id_at_ = 0;
};

}  // namespace

int main() {
  bench::MessageReader input(0);
  bench::Message message;
  std::size_t received = 0;
  LargeMessage large_reply(R"({"jsonrpc":"2.0","id":)" + std::string(LargeMessage::id_room, ' ') +
                           R"(,"result":{)");
  LargeMessage large_notification(R"({"jsonrpc":"2.0","method":"bench/sent","params":{)");
  while (input.next(message)) {
    received += message.length;
    const std::string_view body = message.start;
    const auto is = [&](std::string_view method) { return body.find(method) != std::string_view::npos; };
    if (is(R"("exit")")) return 0;
    if (!is(R"("id":)")) continue;
    // The id's own bytes: a relay may send strings of its own.
    std::string_view id = body.substr(body.find(R"("id":)") + 5);
    id = id.substr(0, id.find(','));
    const std::string reply = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)";
    if (is(R"("initialize")")) {
      bench::write_all(
          1,
          // Its client reads the first bytes of a message alone, and a relay may add to capabilities.
          bench::framed(reply + R"({"serverInfo":{"name":"relay_server","pid":)" +
                        std::to_string(::getpid()) +
                        R"(},"capabilities":{"hoverProvider":true,"documentSymbolProvider":true,)"
                        R"("textDocumentSync":1}}})"));
    } else if (is(R"("bench/reply")")) {
      const std::size_t bytes = bench::number_after(body, R"("bytes":)");
      bench::write_all(1, large_reply.of(bytes, id));
    } else if (is(R"("bench/send")")) {
      const std::size_t bytes = bench::number_after(body, R"("bytes":)");
      const std::string& notification = large_notification.of(bytes, {});
      for (std::size_t left = bench::number_after(body, R"("count":)"); left > 0; --left) {
        bench::write_all(1, notification);
      }
      bench::write_all(1, bench::framed(reply + "null}"));
    } else if (is(R"("bench/received")")) {
      bench::write_all(1, bench::framed(reply + std::to_string(received) + "}"));
      received = 0;
    } else {
      bench::write_all(
          1,
          bench::framed(reply + R"({"contents":{"kind":"plaintext","value":"int area(int width)  "},"range":)"
                                R"({"start":{"line":12,"character":4},"end":{"line":12,"character":17}}}})"));
    }
  }
  return 0;
}
