// LSP's names of its symbol kinds (LSP 3.17, "SymbolKind"): the option `kind_names`, filters, counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace symbols::table {

// "Class" for 5; the number itself if LSP has no name for it.
std::string kind_name(std::int64_t kind);

// The kind with that name ("Class", in any case) or number ("5", "255", "-1"); none for anything else.
std::optional<std::int64_t> find_kind(std::string_view text);

}  // namespace symbols::table
