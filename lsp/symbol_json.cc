#include "lsp/symbol_json.h"

#include <cstdint>

#include "base/append_number.h"

namespace symbols::lsp {
namespace {

void append_position(std::string& out, const Position& position) {
  out += R"({"line":)";
  append_number(out, position.line);
  out += R"(,"character":)";
  append_number(out, position.character);
  out += '}';
}

}  // namespace

void append_range_json(std::string& out, const Range& range) {
  out += R"({"start":)";
  append_position(out, range.start);
  out += R"(,"end":)";
  append_position(out, range.end);
  out += '}';
}

void append_kind_members(std::string& out, const DocumentSymbol& symbol) {
  out += R"("kind":)";
  append_number(out, symbol.kind);
  if (!symbol.tags.empty()) {
    char before = '[';
    out += R"(,"tags":)";
    for (const std::int64_t tag : symbol.tags) {
      out += before;
      append_number(out, tag);
      before = ',';
    }
    out += ']';
  }
  if (symbol.deprecated) out += R"(,"deprecated":true)";
}

}  // namespace symbols::lsp
