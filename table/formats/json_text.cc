#include "table/formats/json_text.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <string>

#include "lsp/json/json.h"
#include "lsp/unicode.h"

namespace symbols::table {

Error unreadable(std::string_view what, std::string_view text, std::size_t offset, std::string_view reason) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  if (reason.ends_with('.')) reason.remove_suffix(1);     // RapidJSON's sentences
  return {fmt::format("cannot read {} at line {}, column {}: {}", what, lines + 1,
                      lsp::scalar_count(before.substr(line_start)) + 1, reason),
          {}};
}

std::optional<Error> json_fault(std::string_view what, std::string_view json) {
  std::string storage;
  const std::string_view mended = lsp::mend_lone_surrogates(json, storage);
  rapidjson::MemoryStream stream(mended.data(), mended.size());
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> nothing;
  reader.Parse<rapidjson::kParseIterativeFlag>(stream, nothing);
  if (reader.HasParseError()) {
    return unreadable(what, json, reader.GetErrorOffset(),
                      rapidjson::GetParseError_En(reader.GetParseErrorCode()));
  }
  // To RapidJSON a NUL is the end.
  if (stream.Tell() < json.size()) return unreadable(what, json, stream.Tell(), "expected the end");
  return {};
}

}  // namespace symbols::table
