// Writes JSON-RPC 2.0 messages: the only place that knows their members. Each function returns a whole body,
// to be framed and sent. Ids, params, results and errors are raw JSON and are inserted unchanged; a method is
// plain ASCII.
#pragma once

#include <string>
#include <string_view>

namespace symbols::lsp {

// Empty params are left out: `shutdown` takes none, and some servers refuse a null.
std::string request_body(std::string_view id, std::string_view method, std::string_view params);
std::string notification_body(std::string_view method, std::string_view params);
// $/cancelRequest for the request with this id.
std::string cancel_body(std::string_view id);

std::string result_body(std::string_view id, std::string_view result);
// `error` is a ResponseError as JSON: error_json writes one.
std::string error_body(std::string_view id, std::string_view error);

// {"code":…,"message":…}, and "data" if raw JSON is given for it. `message` is UTF-8, written as pure ASCII.
std::string error_json(int code, std::string_view message, std::string_view data = {});

}  // namespace symbols::lsp
