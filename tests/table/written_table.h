// Rows as the table that an answer has when nobody asked for other fields.
#pragma once

#include <string>

#include "table/formats/table_format.h"

namespace symbols::table {

// With name, kind, range, selection and parent, and the hover if `rows.with_hover`.
inline std::string write_table(const SymbolRows& rows) {
  return write_table(rows, {fields_of(rows.with_hover ? Verbosity::full : Verbosity::standard), false});
}

}  // namespace symbols::table
