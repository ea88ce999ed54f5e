#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/formats/codecs.h"
#include "table/formats/row_cells.h"
#include "table/formats/tree_text.h"
#include "table/signature_text.h"

namespace symbols::table {
namespace {

constexpr std::size_t max_row = 120;  // bytes

using lsp::SymbolKind;

bool is_function_or_variable(std::int64_t kind) {
  return kind == SymbolKind::function || kind == SymbolKind::variable || kind == SymbolKind::constant;
}

// Symbols inside functions and variables have only their names.
bool names_what_is_inside(std::int64_t kind) {
  return is_function_or_variable(kind) || kind == SymbolKind::method || kind == SymbolKind::constructor;
}

bool has_signatures(const SymbolRows& rows) {
  return std::ranges::any_of(rows.all, [](const Row& row) { return !row.hover_parts.signature.empty(); });
}

class SignatureWriter {
 public:
  SignatureWriter(const SymbolRows& rows, const View& view)
      : rows_(rows),
        view_(view),
        from_details_(details_hold_signatures(rows) || !has_signatures(rows)),
        depths_(row_depths(rows)),
        inside_(depths_.size()) {}

  std::string write() {
    if (!depths_.empty()) out_ = tree_signatures_mark;
    for (std::size_t row = 0; row < depths_.size(); ++row) {
      const std::string text = text_of(row);
      if (joins(row, text)) {
        out_ += is_beside(row) ? ", " : "; ";
      } else {
        out_ += '\n';
        append_position(out_, view_, rows_, row);
        row_start_ = out_.size();
        out_.append(std::min<std::size_t>(depths_[row], max_indent), ' ');
        append_tree_place(out_, place_of(rows_.all[row]));
      }
      out_ += text;
    }
    return std::move(out_);
  }

 private:
  // Whether rows show what the symbol consists of: not its parameters, local variables and callbacks.
  bool has_member_rows(std::size_t row) const {
    return has_children(rows_, row) && !is_function_or_variable(rows_.all[row + 1].kind);
  }

  std::string text_of(std::size_t row) {
    const Row& symbol = rows_.all[row];
    if (const auto parent = parent_row(rows_, row)) {
      inside_[row] = inside_[*parent] || names_what_is_inside(rows_.all[*parent].kind);
    }
    std::string text;
    const std::string& signature = symbol.hover_parts.signature;
    if (from_details_ && !inside_[row]) {
      tree_text_escape.append(text, signature_from_detail(symbol));
    } else if (!signature.empty() && !inside_[row]) {
      tree_text_escape.append(text, signature_from_hover(symbol, signature, has_member_rows(row)));
    } else {
      tree_text_escape.append(text, symbol.name);
    }
    if (symbol.folded != Folded{}) {
      text += ' ';
      append_folded(text, symbol.folded);
    }
    return text;
  }

  TreePlace place_of(const lsp::DocumentSymbol& symbol) const {
    TreePlace place{.kind = symbol.kind, .kind_names = view_.kind_names};
    place.set_lines(symbol.range, view_.all_ends);
    return place;
  }

  bool is_beside(std::size_t row) const {
    return rows_.all[row].range.start.line == rows_.all[row - 1].range.start.line;
  }

  // Whether the symbol shares the row of the one before: of the same kind, on the same line or the next, both
  // without children.
  bool joins(std::size_t row, const std::string& text) const {
    if (row == 0 || depths_[row] != depths_[row - 1]) return false;
    const Row& symbol = rows_.all[row];
    const Row& before = rows_.all[row - 1];
    return symbol.kind == before.kind && !has_children(rows_, row) && !has_children(rows_, row - 1) &&
           !place_of(symbol).shows_last() && !place_of(before).shows_last() &&
           (is_beside(row) || symbol.range.start.line == std::uint64_t{before.range.start.line} + 1) &&
           out_.size() - row_start_ + text.size() + 2 <= max_row;
  }

  const SymbolRows& rows_;
  const View& view_;
  const bool from_details_;
  const std::vector<std::uint32_t> depths_;
  std::vector<bool> inside_;
  std::string out_;
  std::size_t row_start_ = 0;
};

}  // namespace

std::string write_tree_signatures(const SymbolRows& rows, const View& view) {
  return SignatureWriter(rows, view).write();
}

}  // namespace symbols::table
