// The `ndjson` format: one JSON object a row, each complete in itself, for DuckDB, Spark and jq:
//
//   {"path":"a.ts","row":1,"name":"f","kind":"Method","start_line":4,"start_character":2,"end_line":6,…}
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <optional>

#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/rows.h"

namespace symbols::table {
namespace {

constexpr std::array range_members = {"start_line", "start_character", "end_line", "end_character"};
constexpr std::array selection_members = {"selection_start_line", "selection_start_character",
                                          "selection_end_line", "selection_end_character"};

class NdjsonWriter {
 public:
  NdjsonWriter(const SymbolRows& rows, const View& view, std::string_view path)
      : rows_(rows), view_(view), cells_(rows, {view.fields, true}) {
    start_ndjson_line(start_, path);
  }

  std::string write() && {
    for (std::size_t row = 0; cells_.next(); ++row) {
      if (row > 0) out_ += '\n';
      out_ += start_;
      append_number("row", row);
      for (const Field field : view_.fields) append(field, rows_.all[row]);
      const std::string& container = rows_.all[row].container_name;
      if (!container.empty() && view_.shows(Field::parent)) append_text("container", container);
      out_ += '}';
    }
    return std::move(out_);
  }

 private:
  void append(Field field, const Row& symbol) {
    const std::string_view name = field_name(field);
    switch (field) {
      case Field::range:
        return append_range(range_members, symbol.range);
      case Field::selection:
        return append_range(selection_members, symbol.selection_range);
      case Field::parent:
        return append_raw(name, symbol.parent < 0 ? "null" : std::to_string(symbol.parent));
      case Field::lines:
        append_number("first_line", std::uint64_t{symbol.range.start.line} + 1);
        return append_number("last_line", std::uint64_t{symbol.range.end.line} + 1);
      case Field::tags:
        return append_raw(name, fmt::format("[{}]", fmt::join(symbol.tags, ",")));
      case Field::depth:
      case Field::children:
        return append_raw(name, cells_.cell(field).text);
      default:
        return append_text(name, cells_.cell(field).text, field == Field::name || field == Field::kind);
    }
  }

  void append_raw(std::string_view name, std::string_view json) {
    if (out_.back() != '{' && out_.back() != ',') out_ += ',';
    out_.append(1, '"').append(name).append("\":").append(json);
  }
  void append_number(std::string_view name, std::uint64_t number) {
    append_raw(name, fmt::format_int(number).c_str());
  }
  void append_text(std::string_view name, std::string_view text, bool never_null = false) {
    if (text.empty() && !never_null) return append_raw(name, "null");
    append_raw(name, {});
    lsp::append_json_string(out_, text);
  }
  void append_range(const std::array<const char*, 4>& names, const lsp::Range& range) {
    append_number(names[0], range.start.line);
    append_number(names[1], range.start.character);
    append_number(names[2], range.end.line);
    append_number(names[3], range.end.character);
  }

  const SymbolRows& rows_;
  const View& view_;
  RowCells cells_;
  std::string start_;
  std::string out_;
};

class NdjsonReader : LineReader {
 public:
  explicit NdjsonReader(std::string_view text) : LineReader("the NDJSON", text) {}

  Result<SymbolRows> read() && {
    while (!rest_.empty()) {
      next_line();
      if (lsp::skip_json_whitespace(line_) < line_.size() && !read_line()) return error_;
    }
    if (lacks_selection_) rows_.lacking.push_back(Field::selection);
    return std::move(rows_);
  }

 private:
  bool read_line() {
    const std::size_t length = lsp::skip_json_value(line_);
    if (length == std::string_view::npos) return fail(line_.size(), "expected the rest of a JSON object");
    if (const std::size_t more = lsp::skip_json_whitespace(line_, length); more < line_.size())
      return fail(more, "expected the end of the line");
    const Result<rapidjson::Document> object = lsp::parse_json(line_);
    if (!object) return fail(0, object.error().message);
    if (!object->IsObject()) return fail(0, "expected a JSON object");
    if (lsp::member(*object, "error") != nullptr)
      return fail(0, "this file was not answered: " + lsp::text_member(*object, "error"));
    const bool is_row = lsp::member(*object, "name") != nullptr;
    const bool is_beside = lsp::member(*object, "diagnostics") != nullptr ||
                           lsp::member(*object, "_diagnostics_error") != nullptr;
    if (!is_row && is_beside) return true;
    if (std::string path = lsp::text_member(*object, "path"); !path_ || *path_ == path) {
      path_ = std::move(path);
    } else {
      return fail(0, "rows of a second file", "convert the rows of one path at a time");
    }
    return read_row(*object);
  }

  bool read_row(const rapidjson::Value& object) {
    const std::optional<std::string> name = lsp::string_member(object, "name");
    if (!name) return fail(0, "expected the member name, a string");
    std::optional<std::int64_t> kind = lsp::integer_member(object, "kind");
    if (!kind) kind = find_kind(lsp::text_member(object, "kind"));
    if (!kind) return fail(0, "expected the member kind, a word of LSP or a number");
    const std::optional<lsp::Range> range = range_of(object, range_members);
    if (!range) return fail(0, "expected start_line, start_character, end_line and end_character, numbers");
    const std::optional<lsp::Range> selection = range_of(object, selection_members);
    if (!selection && lsp::member(object, selection_members[0]) != nullptr)
      return fail(0, "expected the four members selection_…, numbers");
    lacks_selection_ = lacks_selection_ || !selection;
    Row symbol{{.name = *name,
                .detail = lsp::text_member(object, "detail"),
                .kind = *kind,
                .range = *range,
                .selection_range = selection.value_or(lsp::Range{range->start, range->start}),
                .container_name = lsp::text_member(object, "container")}};
    for (const rapidjson::Value& tag : lsp::array_member(object, "tags")) {
      if (!tag.IsInt64()) return fail(0, "expected numbers in tags");
      symbol.tags.push_back(tag.GetInt64());
    }
    const std::optional<std::size_t> depth = depth_of(object);
    if (!depth) return false;
    if (*depth > 0 && !symbol.container_name.empty())
      return fail(0, "a row within another has no container besides it");
    if (lsp::member(object, "hover") != nullptr) rows_.with_hover = true;
    symbol.hover = lsp::text_member(object, "hover");
    symbol.hover_parts = {lsp::text_member(object, "signature"), lsp::text_member(object, "doc")};
    symbol.parent = path_to_row_.enter(rows_.size(), *depth);
    rows_.all.push_back(std::move(symbol));
    return true;
  }

  // None: error_ is set.
  std::optional<std::size_t> depth_of(const rapidjson::Value& object) {
    const rapidjson::Value* const parent = lsp::member(object, "parent");
    const rapidjson::Value* const depth = lsp::member(object, "depth");
    std::optional<std::size_t> found;
    if (parent != nullptr && parent->IsNull()) {
      found = 0;
    } else if (parent != nullptr && parent->IsUint()) {
      found = path_to_row_.depth_inside(parent->GetUint());
    } else if (parent == nullptr && depth != nullptr && depth->IsUint() &&
               depth->GetUint() <= path_to_row_.size()) {
      found = depth->GetUint();
    }
    if (!found) {
      fail(0,
           "expected the member parent, null or the number of the row before or of one around that, or the "
           "member depth, a number at most one larger than that of the row before");
    }
    return found;
  }

  static std::optional<lsp::Range> range_of(const rapidjson::Value& object,
                                            const std::array<const char*, 4>& names) {
    std::array<std::uint32_t, 4> numbers{};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const rapidjson::Value* const number = lsp::member(object, names[i]);
      if (number == nullptr || !number->IsUint()) return {};
      numbers[i] = number->GetUint();
    }
    return lsp::Range{{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
  }

  SymbolRows rows_;
  ParentPath path_to_row_{rows_.all};
  std::optional<std::string> path_;
  bool lacks_selection_ = false;
};

}  // namespace

void start_ndjson_line(std::string& out, std::string_view path) {
  out += '{';
  if (path.empty()) return;
  out += "\"path\":";
  lsp::append_json_string(out, path);
  out += ',';
}

std::string write_ndjson(const SymbolRows& rows, const View& view, std::string_view path) {
  return NdjsonWriter(rows, view, path).write();
}

Result<SymbolRows> read_ndjson(std::string_view text) {
  return NdjsonReader(text).read();
}

}  // namespace symbols::table
