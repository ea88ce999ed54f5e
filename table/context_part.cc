#include "table/context_part.h"

#include "base/append_number.h"
#include "table/formats/table_format.h"
#include "table/hover/cut_text.h"

namespace symbols::table {
namespace {

constexpr std::size_t longest_failure = 300;

}  // namespace

void append_heading(std::string& out, std::string_view name) {
  if (!out.empty()) out += '\n';
  out += "# ";
  out += name;
}

void append_failure(std::string& out, std::string_view name, std::string_view failure) {
  append_heading(out, name);
  out += ": ";
  table_cell_escape.append(out, cut_text(failure, longest_failure));
}

void append_count(std::string& out, std::size_t shown, std::size_t total) {
  out += ' ';
  if (shown < total) {
    append_number(out, shown);
    out += " of ";
  }
  append_number(out, total);
}

}  // namespace symbols::table
