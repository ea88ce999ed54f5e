// The `packed` format: minified JSON for programs, every string once, positions as
// bare numbers.
//
//   {"v":"2.0","strings":["f","int f()"],"symbols":[[0,12,1,4,3,1,1,8,1,9,-1,1]]}
//
// A symbol's elements, in this order:
//
//   0      name        index into `strings`
//   1      kind        LSP's number; with `kind_names` the word as a JSON string, if there is one
//   2-5    range       start line, start character, end line, end character
//   6-9    selection   likewise
//   10     parent      index into `symbols`, smaller than the symbol's own; -1 at top level
//   11     hover       index into `strings`; -1 if there is none
//
// These twelve are always there. Further members, each only if it is not empty:
//
//   "fields"       names of further fields (field.h); each symbol has an element for each after the
//                  twelve, in this order: for depth and children a number, for tags an array of numbers,
//                  for the others an index into `strings` or -1
//   "omitted"      names of fields among the first eleven elements that were not requested. In their
//                  place is a filler: -1 (name, parent), 0 (kind, range), or the empty range at the
//                  range's start (selection)
//   "containers"   [[symbol, string], …]: container names that match no row (lsp::DocumentSymbol)
//   "truncated"    what a budget left out (budget.h)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "table/escape.h"
#include "table/formats/codecs.h"
#include "table/formats/row_cells.h"
#include "table/symbol_kind.h"

namespace symbols::table {
namespace {

constexpr std::string_view packed_version = "2.0";

// Those that go into `omitted`. A hover that was not requested does not: -1 is enough.
constexpr std::array packed_row_fields = {Field::name, Field::kind, Field::range, Field::selection,
                                          Field::parent};

// Whether the field is among the first twelve elements.
constexpr bool is_packed_element(Field field) {
  return field <= Field::hover;
}

class PackedWriter {
 public:
  PackedWriter(const SymbolRows& rows, const View& view)
      : rows_(rows),
        view_(view),
        depths_(row_depths(rows)),
        further_(further_fields(view.fields)),
        cells_(rows, {further_, false}) {}

  std::string write(std::string_view notice) {
    constexpr std::size_t expected_size = 60;  // of one symbol, with line numbers of five digits
    symbols_.reserve(rows_.size() * expected_size);
    for (std::size_t row = 0; cells_.next(); ++row) append_symbol(row);

    std::vector<Field> omitted;
    std::ranges::copy_if(packed_row_fields, std::back_inserter(omitted),
                         [this](Field field) { return !view_.shows(field); });
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
    std::erase_if(fields, is_packed_element);
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
    const bool is_top = depths_[row] == 0;
    const bool shows_parent = view_.shows(Field::parent);
    symbols_ += row > 0 ? ",[" : "[";
    append_number(symbols_, view_.shows(Field::name) ? index_of(symbol.name) : -1);
    append_kind(view_.shows(Field::kind) ? symbol.kind : 0);
    for (const lsp::Position& position : {range.start, range.end, selection.start, selection.end}) {
      append(position.line);
      append(position.character);
    }
    append(shows_parent && !is_top ? symbol.parent : -1);
    if (shows_parent && is_top && !symbol.container_name.empty()) {
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
    const bool is_word = !name.empty() && name[0] >= 'A';  // else the number
    if (!is_word) return append(kind);
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
  const std::vector<std::uint32_t> depths_;
  const std::vector<Field> further_;
  RowCells cells_;  // of those
  std::unordered_map<std::string, std::int64_t, StringHash, std::equal_to<>> indices_;
  // The elements of the arrays.
  std::string strings_;
  std::string symbols_;
  std::string containers_;
};

constexpr std::string_view packed_symbols = "the packed symbols";

// Bytes of all names and hovers together. A long string with many references would otherwise need memory
// quadratic in the input.
constexpr std::size_t max_text = std::size_t{1} << 30;

using rapidjson::Value;

// A description of the value found, for an error.
std::string shown(const Value& value) {
  if (value.IsNull()) return "null";
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsObject()) return "an object";
  if (value.IsArray()) return "an array";
  if (value.IsString()) return quoted({value.GetString(), value.GetStringLength()});
  if (value.IsInt64()) return std::to_string(value.GetInt64());
  return fmt::format("{}", value.GetDouble());
}

// The fields of a symbol's first elements, in their order.
constexpr std::array packed_elements = {
    Field::name,      Field::kind,      Field::range,     Field::range,     Field::range,  Field::range,
    Field::selection, Field::selection, Field::selection, Field::selection, Field::parent, Field::hover};

bool is_index(const Value& value, std::size_t count) {
  return value.IsUint64() && value.GetUint64() < count;
}

// Checks the document member by member. Functions that return false have set error_.
class PackedReader {
 public:
  explicit PackedReader(const Value& document) : document_(document) {}

  Result<SymbolRows> read() {
    const bool all = check_version() && read_strings() && read_fields() && check_omitted() &&
                     read_symbols() && read_containers();
    if (!all) return std::move(error_);
    return std::move(rows_);
  }

 private:
  bool fail(std::string_view what) {
    error_ = {fmt::format("cannot read {}: {}", packed_symbols, what), {}};
    return false;
  }
  bool refuse(std::string_view where, std::string_view expected, const Value& found) {
    return fail(fmt::format("{}: expected {}, found {}", where, expected, shown(found)));
  }
  bool refuse_at(std::string_view name, std::size_t index, std::string_view expected, const Value& found) {
    return refuse(fmt::format("{}[{}]", name, index), expected, found);
  }
  // Fails at the symbol's element that was read last.
  bool fail_here(std::string_view what) {
    const std::size_t element = next_element_ - 1;
    const Field field = element < packed_elements.size() ? packed_elements[element]
                                                         : further_[element - packed_elements.size()];
    return fail(fmt::format("symbols[{}][{}] ({}): {}", rows_.size(), element, field_name(field), what));
  }
  bool refuse_here(const Value& found, std::string_view expected) {
    return fail_here(fmt::format("expected {}, found {}", expected, shown(found)));
  }

  bool check_version() {
    if (!document_.IsObject()) return fail("expected an object, found " + shown(document_));
    const Value* version = lsp::member(document_, "v");
    if (version == nullptr) return fail("no member \"v\", the format's version");
    return lsp::text_of(*version) == packed_version ||
           refuse("v", fmt::format("version \"{}\"", packed_version), *version);
  }

  // The array of that name; an empty one if it is missing and not `needed`. Null: an error.
  const Value* find_array(std::string_view name, bool needed) {
    static const Value none(rapidjson::kArrayType);
    const Value* array = lsp::member(document_, name);
    if (array == nullptr && !needed) return &none;
    if (array != nullptr && array->IsArray()) return array;
    if (array == nullptr) {
      fail(fmt::format("no member \"{}\"", name));
    } else {
      refuse(name, "an array", *array);
    }
    return nullptr;
  }

  bool read_strings() {
    const Value* strings = find_array("strings", true);
    if (strings == nullptr) return false;
    for (const Value& string : strings->GetArray()) {
      if (!string.IsString()) return refuse_at("strings", strings_.size(), "a string", string);
      strings_.push_back(lsp::text_of(string));
    }
    return true;
  }

  // The field names in the member `name`.
  bool read_field_names(std::string_view name, std::vector<Field>& fields) {
    const Value* names = find_array(name, false);
    if (names == nullptr) return false;
    for (const Value& one : names->GetArray()) {
      const std::optional<Field> field = find_field(lsp::text_of(one));
      if (!field) return refuse_at(name, fields.size(), "the name of a field", one);
      fields.push_back(*field);
    }
    return true;
  }

  bool read_fields() {
    if (!read_field_names("fields", further_)) return false;
    for (const Field field : further_) {
      const std::string_view fault = is_packed_element(field) ? "is one of the first twelve elements"
                                     : std::ranges::count(further_, field) > 1 ? "appears twice"
                                                                               : "";
      if (!fault.empty()) return fail(fmt::format("fields: {} {}", field_name(field), fault));
    }
    return true;
  }

  // A row does not need a selection, nor a parent if it has a depth.
  bool check_omitted() {
    std::vector<Field> omitted;
    if (!read_field_names("omitted", omitted)) return false;
    if (holds(omitted, Field::selection)) rows_.lacking.push_back(Field::selection);
    nests_by_depth_ = holds(omitted, Field::parent) && holds(further_, Field::depth);
    std::vector<std::string_view> missing;
    for (const Field field : packed_row_fields) {
      const bool needless = field == Field::selection || (field == Field::parent && nests_by_depth_);
      if (holds(omitted, field) && !needless) missing.push_back(field_name(field));
    }
    if (missing.empty()) return true;
    fail(fmt::format("it was written without {}", fmt::join(missing, ", ")));
    error_.advice = "write it with verbosity standard or full";
    return false;
  }

  bool read_symbols() {
    const Value* symbols = find_array("symbols", true);
    if (symbols == nullptr) return false;
    if (symbols->Size() > std::numeric_limits<std::int32_t>::max()) return fail("too many symbols");
    rows_.all.reserve(symbols->Size());
    return std::ranges::all_of(symbols->GetArray(), [this](const Value& one) { return read_symbol(one); });
  }

  bool read_symbol(const Value& elements) {
    const std::size_t expected = packed_elements.size() + further_.size();
    if (!elements.IsArray() || elements.Size() != expected) {
      const std::string found = elements.IsArray() ? std::to_string(elements.Size()) : shown(elements);
      return fail(fmt::format("symbols[{}]: expected an array of {} elements, found {}", rows_.size(),
                              expected, found));
    }
    elements_ = &elements;
    next_element_ = 0;
    Row symbol;
    const bool all = read_text(symbol.name, false) && read_kind(symbol.kind) && read_range(symbol.range) &&
                     read_range(symbol.selection_range) && read_parent(symbol.parent) &&
                     read_text(symbol.hover, true) &&
                     std::ranges::all_of(further_, [&](Field field) { return read_further(field, symbol); });
    if (!all) return false;
    rows_.with_hover = rows_.with_hover || !symbol.hover.empty();
    rows_.all.push_back(std::move(symbol));
    return true;
  }

  // The next element of the symbol, which has as many as are read.
  const Value& element() { return (*elements_)[next_element_++]; }

  // The string of that index; false if all texts that were taken are too long together.
  bool take_string(const Value& index, std::string& text) {
    text = strings_[static_cast<std::size_t>(index.GetUint64())];
    texts_ += text.size();
    return texts_ <= max_text;
  }

  bool read_text(std::string& text, bool optional) {
    const Value& value = element();
    if (optional && value.IsInt64() && value.GetInt64() == -1) return true;
    if (!is_index(value, strings_.size())) {
      return refuse_here(value, fmt::format("an index below {}, the number of strings{}", strings_.size(),
                                            optional ? ", or -1" : ""));
    }
    return take_string(value, text) || fail_here("the symbols' texts take more than 1 GiB");
  }

  bool read_kind(std::int64_t& kind) {
    const Value& value = element();
    const std::optional<std::int64_t> found =
        value.IsInt64() ? value.GetInt64() : find_kind(lsp::text_of(value));
    kind = found.value_or(0);
    return found || refuse_here(value, "the number or name of a symbol kind");
  }

  bool read_range(lsp::Range& range) {
    for (std::uint32_t* number :
         {&range.start.line, &range.start.character, &range.end.line, &range.end.character}) {
      const Value& value = element();
      if (!value.IsUint()) return refuse_here(value, "a number from 0 to 4294967295");
      *number = value.GetUint();
    }
    return true;
  }

  bool read_parent(std::int32_t& parent) {
    const Value& value = element();
    if (nests_by_depth_) return true;
    const bool is_top = value.IsInt64() && value.GetInt64() == -1;
    if (!is_top && !is_index(value, rows_.size())) {
      return refuse_here(value, "the index of a symbol before this one, or -1");
    }
    const std::optional<std::size_t> depth = is_top ? 0 : path_.depth_inside(value.GetUint64());
    if (!depth) {
      return refuse_here(value,
                         "the symbol directly before or one of its ancestors, as symbols come in pre-order");
    }
    parent = path_.enter(rows_.size(), *depth);
    return true;
  }

  bool read_further(Field field, Row& symbol) {
    if (field == Field::tags) return read_tags(symbol.tags);
    if (field == Field::depth && nests_by_depth_) {
      const Value& value = element();
      if (!value.IsUint() || value.GetUint() > path_.size()) {
        return refuse_here(value, fmt::format("a depth from 0 to {}", path_.size()));
      }
      symbol.parent = path_.enter(rows_.size(), value.GetUint());
      return true;
    }
    if (field == Field::depth || field == Field::children) {
      const Value& value = element();
      return value.IsUint() || refuse_here(value, "a number from 0 to 4294967295");
    }
    std::string derived;  // follows from other fields of the row
    std::string* const text = text_of(symbol, field);
    return read_text(text != nullptr ? *text : derived, true);
  }

  bool read_tags(std::vector<std::int64_t>& tags) {
    const Value& value = element();
    const std::string_view expected = "an array of numbers";
    if (!value.IsArray()) return refuse_here(value, expected);
    for (const Value& tag : value.GetArray()) {
      if (!tag.IsInt64()) return refuse_here(tag, expected);
      tags.push_back(tag.GetInt64());
    }
    return true;
  }

  bool read_containers() {
    const Value* containers = find_array("containers", false);
    if (containers == nullptr) return false;
    std::vector<Row>& all = rows_.all;
    for (const Value& pair : containers->GetArray()) {
      const bool fits = pair.IsArray() && pair.Size() == 2 && is_index(pair[0], all.size()) &&
                        is_index(pair[1], strings_.size()) && all[pair[0].GetUint64()].parent == -1;
      if (!fits) return fail("containers: expected the indices of a symbol at top level and of a string");
      if (!take_string(pair[1], all[pair[0].GetUint64()].container_name)) {
        return fail("containers: the symbols' texts take more than 1 GiB");
      }
    }
    return true;
  }

  const Value& document_;
  std::vector<std::string> strings_;
  std::size_t texts_ = 0;  // bytes of the strings used so far
  std::vector<Field> further_;
  bool nests_by_depth_ = false;
  const Value* elements_ = nullptr;  // of the symbol that is being read
  rapidjson::SizeType next_element_ = 0;
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
