#include "proxy/mcp/mcp_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "lsp/messages.h"
#include "lsp/uri.h"

namespace symbols::mcp {
namespace {

// That whose requests name their revision, and those that begin with `initialize`, the newest first.
constexpr std::string_view modern_revision = "2026-07-28";
constexpr std::array<std::string_view, 4> revisions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                       "2024-11-05"};

using namespace lsp::error_code;
constexpr int parse_error = -32700;
constexpr int unsupported_revision = -32022;

// A client that says it has roots and then does not tell them must not hold up its calls.
constexpr milliseconds roots_limit{5'000};
constexpr std::size_t max_roots = 100;
// A client may show each one.
constexpr milliseconds progress_interval{500};
constexpr std::uint64_t list_lifetime = 3'600'000;  // in milliseconds; the tools are those of this program

constexpr std::string_view roots_key = "roots";
constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";

// A raw member; empty if there is none. `object` has been parsed.
std::string_view raw_member(std::string_view object, std::string_view name) {
  return lsp::member_value(object, name).value_or(std::string_view());
}

std::string string_member(std::string_view object, std::string_view name) {
  return lsp::json_string_text(raw_member(object, name)).value_or(std::string());
}

// The folders of a ListRootsResult. None for anything else, such as an error.
std::optional<std::vector<std::string>> read_roots(std::string_view result) {
  std::vector<std::string> paths;
  const auto roots = lsp::for_each_element(raw_member(result, roots_key), [&](std::string_view root) {
    std::optional<std::string> path = lsp::file_path(string_member(root, "uri"));
    if (path && paths.size() < max_roots) paths.push_back(std::move(*path));
  });
  return roots ? std::optional(std::move(paths)) : std::nullopt;
}

}  // namespace

// Its views are of the message.
struct McpSession::Request {
  std::string_view id;
  std::string_view method;
  std::string_view params;  // raw; empty if there are none
  std::string_view meta;    // likewise
  bool is_modern;
};

McpSession::McpSession(SessionOptions options, io::Timers& timers, std::function<void(std::string)> send)
    : options_(std::move(options)), timers_(timers), send_(std::move(send)) {}

void McpSession::receive(std::string_view message) {
  const std::size_t start = lsp::skip_json_whitespace(message);
  if (start == message.size()) return;
  const std::size_t length = lsp::skip_json_value(message);
  const Result<rapidjson::Document> parsed = lsp::parse_json(message);
  if (!parsed) return fail("null", parse_error, parsed.error().message);
  if (length == std::string_view::npos || lsp::skip_json_whitespace(message, length) != message.size())
    return fail("null", parse_error, "one message a line is expected, and nothing behind it");
  // 2025-03-26 has batches. Each of their requests gets a message of its own.
  if (!parsed->IsArray() || parsed->Empty()) return receive_one(message);
  (void)lsp::for_each_element(message, [this](std::string_view element) { receive_one(element); });
}

void McpSession::refuse(std::string_view why) {
  fail("null", invalid_request, why);
}

void McpSession::receive_one(std::string_view message) {
  const Result<lsp::Envelope> envelope = lsp::read_envelope(message);
  if (!envelope) {
    const std::string_view id = raw_member(message, "id");
    return fail(lsp::is_json_string_or_number(id) ? id : "null", invalid_request,
                "no message of JSON-RPC 2.0: " + envelope.error().message);
  }
  const std::string_view rest = trim(lsp::whole_json_value(envelope->rest));
  switch (envelope->kind) {
    case lsp::Envelope::Kind::notification:
      return receive_notification(envelope->method, rest);
    case lsp::Envelope::Kind::reply:
      return receive_reply(envelope->id, rest);
    case lsp::Envelope::Kind::error:
      return receive_reply(envelope->id, {});
    case lsp::Envelope::Kind::request:
      break;
  }
  if (!lsp::is_json_string_or_number(envelope->id))
    return fail("null", invalid_request, "an id is a string or a number");
  if (!rest.empty() && !rest.starts_with('{'))
    return fail(envelope->id, invalid_params, "params are no object");
  const std::string_view meta = raw_member(rest, "_meta");
  receive_request({envelope->id, envelope->method, rest, meta, !raw_member(meta, version_key).empty()});
}

void McpSession::receive_notification(std::string_view method, std::string_view params) {
  if (method == "notifications/cancelled") return cancel(raw_member(params, "requestId"));
  const bool may_have_roots = method == "notifications/roots/list_changed" ||
                              (method == "notifications/initialized" && roots_state_ == Roots::unknown);
  if (initialized_ && may_have_roots) ask_for_roots();
}

void McpSession::receive_reply(std::string_view id, std::string_view result) {
  if (roots_state_ != Roots::asked || id != fmt::format("\"roots-{}\"", roots_requests_)) return;
  roots_known(read_roots(result));
}

void McpSession::receive_request(const Request& request) {
  if (calls_.contains(request.id) || subscriptions_.contains(request.id))
    return fail(request.id, invalid_request, "this id is that of a request that is being answered");
  if (request.is_modern) return receive_modern(request);
  if (request.method == "initialize") return receive_initialize(request);
  if (request.method == "ping") return reply(request.id, false, "");
  // Without an `initialize` the present revision holds, which has this error for a request that lacks what it
  // must have in `_meta` (basic/index, "Per-request protocol fields").
  const bool is_modern_only = request.method == "server/discover" || request.method == "subscriptions/listen";
  if (!initialized_ || is_modern_only) {
    return fail(request.id, invalid_params,
                fmt::format("{}name the protocol version in _meta ({})",
                            is_modern_only ? "" : "send initialize first, or ", modern_revision));
  }
  receive_of_tools(request);
}

// Each request stands for itself.
void McpSession::receive_modern(const Request& request) {
  const std::string asked = string_member(request.meta, version_key);
  if (asked != modern_revision) {
    return fail(
        request.id, unsupported_revision, "unsupported protocol version",
        fmt::format(R"({{"supported":["{}"],"requested":{}}})", modern_revision, lsp::json_string(asked)));
  }
  if (!raw_member(request.meta, capabilities_key).starts_with('{'))
    return fail(request.id, invalid_params, "_meta needs io.modelcontextprotocol/clientCapabilities");
  if (request.method == "server/discover") {
    return reply(
        request.id, true,
        fmt::format(R"("supportedVersions":["{}"],"capabilities":{{"tools":{{}}}},"instructions":{},)"
                    R"("ttlMs":{},"cacheScope":"public")",
                    modern_revision, lsp::json_string(options_.instructions), list_lifetime));
  }
  if (request.method == "subscriptions/listen") return listen(request);
  receive_of_tools(request);
}

// What both kinds of revisions have.
void McpSession::receive_of_tools(const Request& request) {
  if (request.method == "tools/call") return call_tool(request);
  if (request.method != "tools/list")
    return fail(request.id, method_not_found, fmt::format("no method {}", request.method));
  if (const std::string_view cursor = raw_member(request.params, "cursor");
      !cursor.empty() && cursor != "null")
    return fail(request.id, invalid_params, "there is one page of tools; leave out the cursor");
  std::string list = tool_list();
  if (request.is_modern) list += fmt::format(R"(,"ttlMs":{},"cacheScope":"public")", list_lifetime);
  reply(request.id, request.is_modern, list);
}

void McpSession::receive_initialize(const Request& request) {
  const std::string asked = string_member(request.params, "protocolVersion");
  if (asked.empty()) return fail(request.id, invalid_params, "initialize needs the protocolVersion");
  // A client closes the connection if it does not support the version in the answer.
  const bool is_known = std::ranges::find(revisions, asked) != revisions.end();
  client_has_roots_ = !raw_member(raw_member(request.params, "capabilities"), roots_key).empty();
  // Claude Code 2.1 closes the connection if it reads a call's last progress with its result: the MCP SDK for
  // TypeScript handles the result first, and Claude Code takes the SDK's error for the server's end.
  client_takes_progress_ = string_member(raw_member(request.params, "clientInfo"), "name") != "claude-code";
  initialized_ = true;
  reply(
      request.id, false,
      fmt::format(R"("protocolVersion":{},"capabilities":{{"tools":{{}}}},"serverInfo":{},"instructions":{})",
                  lsp::json_string(is_known ? asked : revisions.front()), server_info(),
                  lsp::json_string(options_.instructions)));
}

void McpSession::call_tool(const Request& request) {
  const std::string name = string_member(request.params, "name");
  if (std::ranges::find(options_.tools, name, &Tool::name) == options_.tools.end()) {
    std::vector<std::string_view> names;
    for (const Tool& tool : options_.tools) names.push_back(tool.name);
    return fail(
        request.id, invalid_params,
        fmt::format("unknown tool: {}; the tools are {}", lsp::json_string(name), fmt::join(names, ", ")));
  }
  std::string_view arguments = raw_member(request.params, "arguments");
  if (arguments.empty() || arguments == "null") arguments = "{}";
  if (!arguments.starts_with('{')) return fail(request.id, invalid_params, "arguments are no object");
  ToolCall call{.tool = name, .arguments = std::string(arguments)};
  if (calls_.size() >= max_calls) {
    return fail(request.id, invalid_request,
                fmt::format("{} calls are being answered; wait for one of them", max_calls));
  }
  if (request.is_modern && options_.asks_for_roots &&
      !raw_member(raw_member(request.meta, capabilities_key), roots_key).empty()) {
    const std::string_view roots = raw_member(raw_member(request.params, "inputResponses"), roots_key);
    if (roots.empty()) {
      return send_(lsp::result_body(
          request.id,
          R"({"resultType":"input_required","inputRequests":{"roots":{"method":"roots/list"}}})"));
    }
    call.roots = read_roots(roots);
  }
  Call& entry = calls_[std::string(request.id)];
  entry.is_modern = request.is_modern;
  const std::string_view token = raw_member(request.meta, "progressToken");
  if (client_takes_progress_ && lsp::is_json_string_or_number(token)) entry.progress_token = token;
  if (!request.is_modern && options_.asks_for_roots && client_has_roots_) {
    // Some clients never say that they are initialized.
    if (roots_state_ == Roots::unknown) ask_for_roots();
    if (roots_state_ == Roots::asked) {
      entry.waiting = std::move(call);
      return;
    }
    call.roots = roots_;
  }
  start(std::string(request.id), std::move(call));
}

// There is nothing to be told of: the tools stay. The client is told so, and may end the subscription.
void McpSession::listen(const Request& request) {
  if (subscriptions_.size() >= max_calls)
    return fail(request.id, invalid_request, fmt::format("there are {} subscriptions", max_calls));
  subscriptions_.emplace(request.id);
  send_(lsp::notification_body(
      "notifications/subscriptions/acknowledged",
      fmt::format(R"({{"_meta":{{"io.modelcontextprotocol/subscriptionId":{}}},"notifications":{{}}}})",
                  request.id)));
}

void McpSession::end_input() {
  for (const std::string& id : std::exchange(subscriptions_, {})) {
    send_(lsp::result_body(
        id,
        fmt::format(R"({{"resultType":"complete","_meta":{{"io.modelcontextprotocol/subscriptionId":{}}}}})",
                    id)));
  }
}

void McpSession::ask_for_roots() {
  if (!options_.asks_for_roots || !client_has_roots_) return;
  roots_state_ = Roots::asked;
  send_(lsp::request_body(fmt::format("\"roots-{}\"", ++roots_requests_), "roots/list", {}));
  roots_timer_.start(roots_limit, [this] { roots_known(roots_); });
}

void McpSession::roots_known(std::optional<std::vector<std::string>> roots) {
  roots_timer_.stop();
  roots_state_ = Roots::known;
  roots_ = std::move(roots);
  // To start one changes nothing of the others.
  for (auto& [id, call] : calls_) {
    if (!call.waiting) continue;
    call.waiting->roots = roots_;
    start(id, *std::exchange(call.waiting, std::nullopt));
  }
}

void McpSession::start(const std::string& id, ToolCall call) {
  calls_.at(id).cancel = options_.start(
      std::move(call), {.progress = [this, id](const std::string& text) { tell_progress(id, text); },
                        .done = [this, id](ToolResult result) { finish(id, std::move(result)); }});
}

void McpSession::finish(const std::string& id, ToolResult result) {
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  const bool is_modern = call->second.is_modern;
  calls_.erase(call);
  reply(id, is_modern,
        fmt::format(R"("content":[{{"type":"text","text":{}}}],"isError":{})", lsp::json_string(result.text),
                    result.is_error));
  if (calls_.empty()) on_idle();
}

void McpSession::tell_progress(const std::string& id, const std::string& text) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || found->second.progress_token.empty() || text.empty()) return;
  Call& call = found->second;
  if (call.told > 0 && timers_.now() - call.told_at < progress_interval) return;
  call.told_at = timers_.now();
  send_(lsp::notification_body("notifications/progress",
                               fmt::format(R"({{"progressToken":{},"progress":{},"message":{}}})",
                                           call.progress_token, ++call.told, lsp::json_string(text))));
}

void McpSession::cancel(std::string_view id) {
  subscriptions_.erase(std::string(id));
  const auto cancelled = calls_.extract(std::string(id));
  if (!cancelled) return;
  if (cancelled.mapped().cancel) cancelled.mapped().cancel();
  if (calls_.empty()) on_idle();
}

// `members`: of the result.
void McpSession::reply(std::string_view id, bool is_modern, std::string_view members) {
  if (!is_modern) return send_(lsp::result_body(id, fmt::format("{{{}}}", members)));
  send_(lsp::result_body(
      id,
      fmt::format(R"({{"resultType":"complete",{}{}"_meta":{{"io.modelcontextprotocol/serverInfo":{}}}}})",
                  members, members.empty() ? "" : ",", server_info())));
}

void McpSession::fail(std::string_view id, int code, std::string_view message, std::string_view data) {
  send_(lsp::error_body(id, lsp::error_json(code, message, data)));
}

std::string McpSession::tool_list() const {
  std::vector<std::string> tools;
  for (const Tool& tool : options_.tools) {
    tools.push_back(fmt::format(
        R"({{"name":{},"title":{},"description":{},"inputSchema":{},)"
        R"("annotations":{{"title":{},"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}}})",
        lsp::json_string(tool.name), lsp::json_string(tool.title), lsp::json_string(tool.description),
        tool.input_schema, lsp::json_string(tool.title)));
  }
  return fmt::format(R"("tools":[{}])", fmt::join(tools, ","));
}

std::string McpSession::server_info() const {
  return fmt::format(R"({{"name":"symbols","version":{}}})", lsp::json_string(options_.version));
}

}  // namespace symbols::mcp
