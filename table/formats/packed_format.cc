// The `packed` format: minified JSON for programs, every string once, positions as bare numbers.
//
//   {"v":"2.0","strings":["f","int f()"],"symbols":[[0,12,1,4,3,1,1,8,1,9,-1,1]]}
//
// A symbol's elements are those of packed_fields, then one for each further field:
//
//   range, selection         four: start line, start character, end line, end character
//   kind                     LSP's number; with `kind_names` the word, if there is one
//   parent                   index into `symbols`, smaller than the symbol's own; -1 at top level
//   depth, children; tags    a number; an array of numbers
//   any other                index into `strings`, -1 for an empty text
//
// Further members, each only if it is not empty:
//
//   "fields"       names of the further fields, in the order of their elements
//   "omitted"      names of those of packed_fields, but the hover, that were not requested. In their place is
//                  a filler: -1 (name, parent), 0 (kind, range), the empty range at the range's start
//   "containers"   [[symbol, string], …]: container names that match no row (lsp::DocumentSymbol)
//   "truncated"    what a budget left out (budget.h)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/formats/row_cells.h"
#include "table/rows.h"

namespace symbols::table {
namespace {

constexpr std::string_view packed_version = "2.0";

// The fields that each symbol has elements for, in their order.
constexpr std::array packed_fields = {Field::name,      Field::kind,   Field::range,
                                      Field::selection, Field::parent, Field::hover};

class PackedWriter {
 public:
  PackedWriter(const SymbolRows& rows, const View& view)
      : rows_(rows), view_(view), further_(further_fields(view.fields)), cells_(rows, {further_, false}) {}

  std::string write(std::string_view notice) {
    constexpr std::size_t expected_size = 60;  // of one symbol, with line numbers of five digits
    symbols_.reserve(rows_.size() * expected_size);
    for (std::size_t row = 0; cells_.next(); ++row) append_symbol(row);

    std::vector<Field> omitted;
    std::ranges::copy_if(packed_fields, std::back_inserter(omitted), [this](Field field) {
      return field != Field::hover && !view_.shows(field);  // of a hover, -1 is enough
    });
    std::string out = fmt::format(R"({{"v":"{}")", packed_version);
    append_field_names(out, "fields", further_);
    append_field_names(out, "omitted", omitted);
    out.append(R"(,"strings":[)").append(strings_).append(R"(],"symbols":[)").append(symbols_) += ']';
    if (!containers_.empty()) out.append(R"(,"containers":[)").append(containers_) += ']';
    if (!notice.empty()) {
      out += R"(,"truncated":)";
      lsp::append_json_string(out, notice);
    }
    return out + '}';
  }

 private:
  static std::vector<Field> further_fields(std::vector<Field> fields) {
    std::erase_if(fields, [](Field field) { return field <= packed_fields.back(); });
    return fields;
  }

  static void append_field_names(std::string& out, std::string_view member,
                                 const std::vector<Field>& fields) {
    if (fields.empty()) return;
    std::vector<std::string_view> names(fields.size());
    std::ranges::transform(fields, names.begin(), field_name);
    out += fmt::format(R"(,"{}":["{}"])", member, fmt::join(names, R"(",")"));
  }

  void append_symbol(std::size_t row) {
    const Row& symbol = rows_.all[row];
    const lsp::Range range = view_.shows(Field::range) ? symbol.range : lsp::Range{};
    const lsp::Range selection =
        view_.shows(Field::selection) ? symbol.selection_range : lsp::Range{range.start, range.start};
    const std::optional<std::size_t> parent = parent_row(rows_, row);
    const bool shows_parent = view_.shows(Field::parent);
    symbols_ += row > 0 ? ",[" : "[";
    append_number(symbols_, view_.shows(Field::name) ? index_of(symbol.name) : -1);
    append_kind(view_.shows(Field::kind) ? symbol.kind : 0);
    for (const lsp::Position& position : {range.start, range.end, selection.start, selection.end}) {
      append(position.line);
      append(position.character);
    }
    append(shows_parent && parent ? symbol.parent : -1);
    if (shows_parent && !parent && !symbol.container_name.empty()) {
      containers_ += containers_.empty() ? "" : ",";
      containers_ += fmt::format("[{},{}]", row, index_of(symbol.container_name));
    }
    append_text(view_.shows(Field::hover) ? std::string_view(symbol.hover) : std::string_view());
    for (const Field field : further_) append_further(field, symbol);
    symbols_ += ']';
  }

  // The index of a text in `strings`, which has each once, in the order of their first use.
  std::int64_t index_of(std::string_view text) {
    if (const auto found = indices_.find(text); found != indices_.end()) return found->second;
    const auto index = static_cast<std::int64_t>(indices_.size());
    indices_.emplace(text, index);
    if (index > 0) strings_ += ',';
    lsp::append_json_string(strings_, text);
    return index;
  }

  void append(std::int64_t number) {
    symbols_ += ',';
    append_number(symbols_, number);
  }

  void append_text(std::string_view text) { append(text.empty() ? -1 : index_of(text)); }

  void append_kind(std::int64_t kind) {
    const std::string name = view_.kind_names ? kind_name(kind) : std::string();
    if (name.empty() || !is_letter(name[0])) return append(kind);
    symbols_ += ',';
    lsp::append_json_string(symbols_, name);
  }

  void append_further(Field field, const Row& symbol) {
    if (field == Field::tags) {
      symbols_ += fmt::format(",[{}]", fmt::join(symbol.tags, ","));
      return;
    }
    const CellText cell = cells_.cell(field);
    if (cell.form != CellText::Form::number) return append_text(cell.text);
    symbols_ += ',';
    symbols_ += cell.text;
  }

  const SymbolRows& rows_;
  const View& view_;
  const std::vector<Field> further_;
  RowCells cells_;  // of those
  std::unordered_map<std::string, std::int64_t, StringHash, std::equal_to<>> indices_;
  // The elements of the arrays.
  std::string strings_;
  std::string symbols_;
  std::string containers_;
};

constexpr std::string_view packed_symbols = "the packed symbols";

// Bytes of all names and hovers: many references to a long string would need memory quadratic in the input.
constexpr std::size_t max_text = std::size_t{1} << 30;

using rapidjson::Value;

// A description of the value found, for an error.
std::string shown(const Value* value) {
  if (value == nullptr) return "nothing";
  if (value->IsObject()) return "an object";
  if (value->IsArray()) return fmt::format("an array of {} elements", value->Size());
  if (value->IsString()) return quoted({value->GetString(), value->GetStringLength()});
  if (value->IsInt64()) return std::to_string(value->GetInt64());
  if (value->IsNumber()) return fmt::format("{}", value->GetDouble());
  return value->IsNull() ? "null" : value->GetBool() ? "true" : "false";
}

bool is_index(const Value& value, std::size_t count) {
  return value.IsUint64() && value.GetUint64() < count;
}

// Checks the document member by member. Functions that return false have set error_.
class PackedReader {
 public:
  explicit PackedReader(const Value& document) : document_(document) {}

  Result<SymbolRows> read() {
    const Value* const version = lsp::member(document_, "v");
    if (version == nullptr || lsp::text_of(*version) != packed_version) {
      fail("v", fmt::format("version \"{}\"", packed_version), version);
      return error_;
    }
    const bool all = each("strings", true, &PackedReader::read_string) &&
                     each("fields", false, &PackedReader::read_field) &&
                     each("omitted", false, &PackedReader::check_omitted) &&
                     each("symbols", true, &PackedReader::read_symbol) &&
                     each("containers", false, &PackedReader::read_container);
    if (!all) return std::move(error_);
    return std::move(rows_);
  }

 private:
  bool fail(std::string_view where, std::string_view expected, const Value* found) {
    error_ = {fmt::format("cannot read {}: {}: expected {}, found {}", packed_symbols, where, expected,
                          shown(found)),
              {}};
    return false;
  }
  // Refuses the element that was read last.
  bool refuse(std::string_view expected) {
    return fail(fmt::format("symbols[{}][{}] ({})", rows_.size(), next_ - elements_ - 1, field_name(field_)),
                expected, next_ - 1);
  }

  // Reads the elements of the array `name`, which may be missing if it is not needed.
  bool each(std::string_view name, bool needed, bool (PackedReader::*read)(const Value&)) {
    const Value* const array = lsp::member(document_, name);
    if (array == nullptr ? needed : !array->IsArray()) return fail(name, "an array", array);
    const std::span<const Value> elements = lsp::array_member(document_, name);
    return std::ranges::all_of(elements, [&](const Value& one) { return (this->*read)(one); });
  }

  bool read_string(const Value& string) {
    strings_.push_back(lsp::text_of(string));
    return string.IsString() || fail(fmt::format("strings[{}]", strings_.size() - 1), "a string", &string);
  }

  bool read_field(const Value& name) {
    const std::optional<Field> field = find_field(lsp::text_of(name));
    if (!field || holds(fields_, *field)) return fail("fields", "names of further fields, each once", &name);
    fields_.push_back(*field);
    return true;
  }

  // A row does not need a selection, nor a parent if it has a depth.
  bool check_omitted(const Value& name) {
    const std::optional<Field> field = find_field(lsp::text_of(name));
    if (field == Field::selection) rows_.lacking = {Field::selection};
    nests_by_depth_ = nests_by_depth_ || (field == Field::parent && holds(fields_, Field::depth));
    const bool needed = field == Field::name || field == Field::kind || field == Field::range ||
                        (field == Field::parent && !nests_by_depth_);
    if (!needed) return true;
    error_ = {fmt::format("cannot read {}: it was written without {}", packed_symbols, field_name(*field)),
              "write it with verbosity standard or full"};
    return false;
  }

  bool read_symbol(const Value& elements) {
    const std::size_t expected = fields_.size() + 6;  // each of two ranges has four
    if (!elements.IsArray() || elements.Size() != expected) {
      return fail(fmt::format("symbols[{}]", rows_.size()), fmt::format("an array of {} elements", expected),
                  &elements);
    }
    next_ = elements_ = elements.Begin();
    Row symbol;
    for (const Field field : fields_) {
      field_ = field;
      if (!read_element(symbol)) return false;
    }
    rows_.with_hover = rows_.with_hover || !symbol.hover.empty();
    rows_.all.push_back(std::move(symbol));
    return true;
  }

  bool read_range(lsp::Range& range) {
    for (std::uint32_t* number :
         {&range.start.line, &range.start.character, &range.end.line, &range.end.character}) {
      const Value& value = *next_++;
      if (!value.IsUint()) return refuse("a number from 0 to 4294967295");
      *number = value.GetUint();
    }
    return true;
  }

  // The next elements of the symbol, for field_.
  bool read_element(Row& symbol) {
    if (field_ == Field::range) return read_range(symbol.range);
    if (field_ == Field::selection) return read_range(symbol.selection_range);
    const Value& value = *next_++;
    std::string derived;  // follows from other fields of the row
    std::string* const text = text_of(symbol, field_);
    switch (field_) {
      case Field::kind: {
        const auto kind = value.IsInt64() ? value.GetInt64() : find_kind(lsp::text_of(value));
        symbol.kind = kind.value_or(0);
        return kind || refuse("the number or name of a symbol kind");
      }
      case Field::parent:
        return nests_by_depth_ || read_parent(value, symbol);
      case Field::depth:
        if (!nests_by_depth_) return value.IsUint() || refuse("a number");
        if (!value.IsUint() || value.GetUint() > path_.size())
          return refuse(fmt::format("a depth from 0 to {}", path_.size()));
        symbol.parent = path_.enter(rows_.size(), value.GetUint());
        return true;
      case Field::children:
        return value.IsUint() || refuse("a number");
      case Field::tags:
        for (const Value& tag : lsp::elements_of(value)) {
          if (!tag.IsInt64()) return refuse("an array of numbers");
          symbol.tags.push_back(tag.GetInt64());
        }
        return value.IsArray() || refuse("an array of numbers");
      default:
        return read_text(value, text != nullptr ? *text : derived);
    }
  }

  bool read_text(const Value& value, std::string& text) {
    const bool may_lack = field_ != Field::name;
    if (may_lack && value.IsInt64() && value.GetInt64() == -1) return true;
    if (!is_index(value, strings_.size()))
      return refuse(fmt::format("an index of strings{}", may_lack ? ", or -1" : ""));
    return take_string(value, text);
  }

  bool read_parent(const Value& value, Row& symbol) {
    const bool is_top = value.IsInt64() && value.GetInt64() == -1;
    std::optional<std::size_t> depth;
    if (is_top) depth = 0;
    if (is_index(value, rows_.size())) depth = path_.depth_inside(value.GetUint64());
    if (!depth) return refuse("-1, or the index of the symbol before this one or of one around that");
    symbol.parent = path_.enter(rows_.size(), *depth);
    return true;
  }

  // The string of that index; false if all texts that were taken are too long together.
  bool take_string(const Value& index, std::string& text) {
    text = strings_[static_cast<std::size_t>(index.GetUint64())];
    texts_ += text.size();
    if (texts_ <= max_text) return true;
    error_ = {fmt::format("cannot read {}: their texts take more than 1 GiB", packed_symbols), {}};
    return false;
  }

  bool read_container(const Value& pair) {
    std::vector<Row>& all = rows_.all;
    const bool fits = pair.IsArray() && pair.Size() == 2 && is_index(pair[0], all.size()) &&
                      is_index(pair[1], strings_.size()) && all[pair[0].GetUint64()].parent == -1;
    if (!fits) return fail("containers", "the indices of a symbol at top level and of a string", &pair);
    return take_string(pair[1], all[pair[0].GetUint64()].container_name);
  }

  const Value& document_;
  std::vector<std::string> strings_;
  std::size_t texts_ = 0;  // bytes of the strings used so far
  std::vector<Field> fields_{packed_fields.begin(), packed_fields.end()};
  bool nests_by_depth_ = false;
  // The symbol's elements, its next one and the field that this is for.
  const Value* elements_ = nullptr;
  const Value* next_ = nullptr;
  Field field_ = Field::name;
  SymbolRows rows_;
  ParentPath path_{rows_.all};
  Error error_;
};

}  // namespace

std::string write_packed(const SymbolRows& rows, const View& view, std::string_view notice) {
  return PackedWriter(rows, view).write(notice);
}

Result<SymbolRows> read_packed(std::string_view text) {
  if (std::optional<Error> fault = json_fault(packed_symbols, text)) return *std::move(fault);
  const Result<rapidjson::Document> document = lsp::parse_json(text);
  if (!document) return document.error();
  return PackedReader(*document).read();
}

}  // namespace symbols::table
