// The fields of a symbol, and which of them an answer shows (docs/spec.md, sections 1 and 4).
// To add one: here with its names in field.cc, then its text in rows.h or its cell in formats/row_cells.cc,
// and the formats with a layout of their own (tree, packed, ndjson).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace symbols::table {

// In the order of section 1, which is that of a table's columns.
enum class Field {
  name,
  kind,
  range,
  selection,
  parent,
  hover,
  detail,     // the server's own
  lines,      // of the range, one-based, both included: 53-59
  signature,  // the code part of the hover
  doc,        // the first sentence of its prose
  depth,      // 0 at top level
  children,   // how many, direct ones
  tags,       // LSP's SymbolTag numbers
};

inline constexpr std::array all_fields = {Field::name,      Field::kind,  Field::range,  Field::selection,
                                          Field::parent,    Field::hover, Field::detail, Field::lines,
                                          Field::signature, Field::doc,   Field::depth,  Field::children,
                                          Field::tags};

// "selection": its name in options, and as a column of tsv and toon.
std::string_view field_name(Field field);
// "SELECTION", "HOVER_INFO": its title in a table.
std::string_view column_title(Field field);
// The field of that name, in lower case; none if there is no such field.
std::optional<Field> find_field(std::string_view name);
// The field with that title in a table; none if there is no such field.
std::optional<Field> find_column(std::string_view title);

// Whether its text comes from the hover, so a hover is needed for it.
constexpr bool needs_hover(Field field) {
  return field == Field::hover || field == Field::signature || field == Field::doc;
}

inline bool holds(const std::vector<Field>& fields, Field field) {
  return std::ranges::find(fields, field) != fields.end();
}

// The option `verbosity`.
enum class Verbosity { counts, minimal, signatures, standard, full };

// The fields of the rows that an answer shows.
struct View {
  std::vector<Field> fields;  // each once, in the order in which they are shown
  bool kind_names = false;    // Class instead of 5
  bool positions = false;     // before each line of rows that of its first symbol's name, for editors
  // Only `tree` looks at these:
  bool signatures = false;  // instead of names: verbosity `signatures`
  bool all_ends = false;    // with verbosity `minimal` or `signatures`: last lines of short symbols too

  bool shows(Field field) const { return holds(fields, field); }
  bool needs_hovers() const;
  bool operator==(const View&) const = default;
};

// minimal: name kind range; signatures: name kind lines signature; standard: minimal + selection parent;
// full:
// + hover. counts has no rows; its fields are those of minimal.
std::vector<Field> fields_of(Verbosity verbosity);

}  // namespace symbols::table
