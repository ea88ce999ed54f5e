// What `symbols find` prints, and notes of what an index leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proxy/index/index_store.h"
#include "proxy/terminal/near_path.h"

namespace symbols::index {

// With the header; `root` is what the rows' paths are relative to, those that are.
std::string found_symbols_text(const std::vector<FoundSymbol>& rows, const std::filesystem::path& root,
                               const terminal::NearPaths& near);

// For standard error. `how_to_get_more`: the option or argument to give.
std::string more_found_note(std::size_t limit, std::string_view how_to_get_more = "--limit N");
// Of `count` files of the index that are left out.
std::string changed_files_note(std::size_t count);

}  // namespace symbols::index
