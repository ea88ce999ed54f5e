// Which row a PARENT cell means (docs/spec.md, section 2, "A table decodes back to exactly the tree it came
// from"): shared by writers and readers of the formats that name the parent, so they cannot disagree.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_hash.h"
#include "lsp/document_symbol.h"

namespace symbols::table {

// The path from the root to the row before the current one. Rows enter it one after the other, in pre-order.
//
// Names are looked up in an index. Among rows of one name, whole stretches that cannot contain the range are
// skipped, so a chain of 100,000 rows of one name takes milliseconds, wherever their ranges are. A lookup is
// linear in the depth only if ranges lie alternately on both sides of the wanted one.
class ParentPath {
 public:
  // Reads names and ranges of `symbols`, which may grow but must outlive the path.
  explicit ParentPath(const std::vector<lsp::DocumentSymbol>& symbols) : symbols_(symbols) {}
  ParentPath(const ParentPath&) = delete;  // its steps point into its own index
  ParentPath& operator=(const ParentPath&) = delete;

  // Row `row` follows at `depth`: the path from there on is left. If `depth` is beyond the path's end, the
  // row goes to its end.
  void enter(std::size_t row, std::size_t depth);

  // Number of rows on the path, and the one at `depth`, which must be below size().
  std::size_t size() const { return path_.size(); }
  std::size_t row_at(std::size_t depth) const { return path_[depth].row; }

  // The rule: of the rows on the path named `name`, the depth of the deepest whose range contains `range`,
  // else of the deepest; none if no row has the name.
  std::optional<std::size_t> find(std::string_view name, const lsp::Range& range) const;

 private:
  // The rows on the path with one name, from the root on.
  class NameStack {
   public:
    void push(std::size_t depth, const lsp::Range& range);
    void pop() { entries_.pop_back(); }
    // The depth of the deepest, and of the deepest whose range contains `range`.
    std::optional<std::size_t> deepest() const;
    std::optional<std::size_t> deepest_containing(const lsp::Range& range) const;

   private:
    // Entry i, counted from 1, also bounds the last lowest_bit(i) entries up to itself (a Fenwick tree): a
    // range that starts before `least_start` or ends after `greatest_end` is contained in none of them.
    // Entries do not depend on later ones, so pushing and popping leave the others unchanged.
    struct Entry {
      std::size_t depth;
      lsp::Range range;
      lsp::Position least_start;
      lsp::Position greatest_end;
    };
    std::vector<Entry> entries_;
  };

  struct Step {
    std::size_t row;
    NameStack* indexed;  // null for the path's last row: most rows have no children and never need the index
  };

  const std::vector<lsp::DocumentSymbol>& symbols_;
  std::vector<Step> path_;
  std::unordered_map<std::string, NameStack, StringHash, std::equal_to<>> stacks_;
};

}  // namespace symbols::table
