// Which files setup wrote into a folder of its own, and what they were, kept in that folder: when another
// version is written, what nobody edited since needs no copy, and what is no longer shipped is taken away, so
// that no editor loads it.
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

  // Lines that are no entry, or whose path leads out of the folder, are passed over.
  static WrittenFiles parse(std::string_view text);

  void add(const std::string& path, std::string_view text) { files_[path] = checksum(text); }
  bool has(const std::string& path) const { return files_.contains(path); }
  // Whether `text` is what was written there.
  bool is_as_written(const std::string& path, std::string_view text) const;
  const std::map<std::string, std::uint64_t>& files() const { return files_; }

  // To be read by parse.
  std::string text() const;

 private:
  static std::uint64_t checksum(std::string_view text);

  std::map<std::string, std::uint64_t> files_;
};

}  // namespace symbols::setup
