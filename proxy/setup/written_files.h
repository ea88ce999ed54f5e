// A record, in a folder of our own, of the files that setup wrote there and their content. When another
// version is written, unedited files need no backup, and files that are no longer shipped are removed, so no
// editor loads them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace symbols::setup {

// By path, relative to the folder.
class WrittenFiles {
 public:
  // The record's own name in the folder.
  static constexpr std::string_view file_name = ".symbols-setup";

  // Skips invalid lines, and paths that lead out of the folder.
  static WrittenFiles parse(std::string_view text);

  void add(const std::string& path, std::string_view text) { files_[path] = checksum(text); }
  bool has(const std::string& path) const { return files_.contains(path); }
  // Whether `text` is what setup wrote there.
  bool is_as_written(const std::string& path, std::string_view text) const;
  const std::map<std::string, std::uint64_t>& files() const { return files_; }

  // The text that parse reads.
  std::string text() const;

 private:
  static std::uint64_t checksum(std::string_view text);

  std::map<std::string, std::uint64_t> files_;
};

}  // namespace symbols::setup
