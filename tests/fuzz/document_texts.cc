#include "tests/fuzz/document_texts.h"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <algorithm>

namespace symbols::fuzz {
namespace {

using rapidjson::Value;

const Value* at(const Value& value, const char* path) {
  return rapidjson::Pointer(path).Get(value);
}

// The offset of a position; what is behind the end of a line is at it, what is behind the last line at the
// end.
std::optional<std::size_t> offset(const std::string& text, const Value* line, const Value* character) {
  if (line == nullptr || !line->IsUint() || character == nullptr || !character->IsUint()) return {};
  std::size_t start = 0;
  for (unsigned i = 0; i < line->GetUint(); ++i) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string::npos) return text.size();
    start = end + 1;
  }
  return std::min(start + character->GetUint(), std::min(text.find('\n', start), text.size()));
}

// The text after a change; none where that is not understood, or where the one before is not known and
// needed.
std::optional<std::string> changed(std::optional<std::string> text, const Value& change) {
  const Value* const inserted = at(change, "/text");
  if (inserted == nullptr || !inserted->IsString()) return {};
  const Value* const range = at(change, "/range");
  if (range == nullptr || range->IsNull()) return inserted->GetString();
  if (!text) return {};
  auto start = offset(*text, at(*range, "/start/line"), at(*range, "/start/character"));
  auto end = offset(*text, at(*range, "/end/line"), at(*range, "/end/character"));
  if (!start || !end) return {};
  if (*end < *start) std::swap(start, end);
  return text->replace(*start, *end - *start, inserted->GetString());
}

}  // namespace

void DocumentTexts::notified(std::string_view method, const std::string& params) {
  if (!method.starts_with("textDocument/did")) return;
  rapidjson::Document read;
  read.Parse<rapidjson::kParseStopWhenDoneFlag>(params.c_str());
  if (read.HasParseError() || !read.IsObject()) return;
  const Value* const uri = at(read, "/textDocument/uri");
  if (uri == nullptr || !uri->IsString()) return;
  if (method == "textDocument/didClose") {
    texts_.erase(uri->GetString());
  } else if (method == "textDocument/didOpen") {
    const Value* const text = at(read, "/textDocument/text");
    std::optional<std::string>& kept = texts_[uri->GetString()];
    kept.reset();
    if (text != nullptr && text->IsString()) kept = text->GetString();
  } else if (method == "textDocument/didChange" && is_open(uri->GetString())) {
    std::optional<std::string>& kept = texts_[uri->GetString()];
    const Value* const changes = at(read, "/contentChanges");
    if (changes == nullptr || !changes->IsArray()) {
      kept.reset();
      return;
    }
    for (const Value& change : changes->GetArray()) kept = changed(std::move(kept), change);
  }
}

}  // namespace symbols::fuzz
