#include "proxy/setup/written_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/number.h"
#include "base/split.h"

namespace symbols::setup {
namespace {

constexpr std::size_t checksum_digits = 16;

bool stays_inside(std::string_view path) {
  const std::filesystem::path named(path);
  return !path.empty() && named.is_relative() && named.lexically_normal().string() == path &&
         *named.begin() != ".." && path != ".";
}

}  // namespace

// FNV-1a: it detects edits by a person, not attempts to deceive.
std::uint64_t checksum(std::string_view text) {
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return sum;
}

WrittenFiles read_record(std::string_view text) {
  WrittenFiles written;
  for (const std::string_view line : split(text, '\n')) {
    if (line.size() < checksum_digits + 2 || line[checksum_digits] != ' ') continue;
    const auto sum = whole_number<std::uint64_t>(line.substr(0, checksum_digits), 16);
    const std::string_view path = line.substr(checksum_digits + 1);
    if (sum && stays_inside(path)) written.emplace(path, *sum);
  }
  return written;
}

std::string record_text(const WrittenFiles& files) {
  std::string out =
      "# Files that symbols setup wrote here. Unchanged ones are replaced without a backup, and removed when "
      "no longer shipped.\n";
  for (const auto& [path, sum] : files) out += fmt::format("{:016x} {}\n", sum, path);
  return out;
}

}  // namespace symbols::setup
