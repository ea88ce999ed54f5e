// A record, in a folder of our own, of the files that setup wrote there and their content. When another
// version is written, unedited files need no backup, and files that are no longer shipped are removed, so no
// editor loads them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace symbols::setup {

// The record's own name in the folder.
inline constexpr std::string_view record_name = ".symbols-setup";

// The checksum of each file's content, by its path relative to the folder.
using WrittenFiles = std::map<std::string, std::uint64_t>;

std::uint64_t checksum(std::string_view text);

// The record in `text`. Skips invalid lines, and paths that lead out of the folder.
WrittenFiles read_record(std::string_view text);

// The text that read_record reads.
std::string record_text(const WrittenFiles& files);

}  // namespace symbols::setup
