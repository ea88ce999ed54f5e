#include "proxy/settings/config_file.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <system_error>

#include "lsp/json/json.h"
#include "lsp/json/json_members.h"
#include "proxy/files/text_place.h"
#include "proxy/files/user_folders.h"
#include "table/escape.h"

namespace symbols::settings {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file = std::size_t{1} << 20;

// Of an object. The place of each is counted from the start of the file.
constexpr std::size_t max_members = 100;

Error error_at(const std::string& place, std::string_view what) {
  return {fmt::format("{}: {}", place, what), "correct it there"};
}

// Strict, unlike JsonMembers, which then finds the members' places.
Result<void> check_syntax(std::string_view text, const std::string& file) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::BaseReaderHandler<> ignore;
  rapidjson::Reader reader;
  const rapidjson::ParseResult parsed =
      reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, ignore);
  if (!parsed.IsError()) return {};
  std::string_view fault = rapidjson::GetParseError_En(parsed.Code());
  if (fault.ends_with('.')) fault.remove_suffix(1);
  return error_at(fmt::format("{}:{}", file, files::text_place(text, parsed.Offset())),
                  fmt::format("not JSON: {}", fault));
}

}  // namespace

fs::path user_config_file() {
  const fs::path folder = files::UserFolders::from_environment().config;
  return folder.empty() ? fs::path() : folder / "symbols" / "config.json";
}

Result<std::vector<ConfigMember>> parse_config(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (const Result<void> valid = check_syntax(text, file); !valid) return valid.error();
  const auto place = [&](std::size_t offset) {
    return fmt::format("{}:{}", file, files::text_place(text, offset));
  };
  std::vector<ConfigMember> members;
  lsp::JsonMembers json(text);
  std::string storage;
  while (json.next()) {
    const std::string_view name = lsp::unescape_json_string(json.name(), storage);
    if (std::ranges::count(members, name, &ConfigMember::name) > 0) {
      return error_at(place(json.member_offset()),
                      fmt::format("{} is given twice; once is allowed", table::quoted(name)));
    }
    if (members.size() == max_members) {
      return error_at(place(json.member_offset()),
                      fmt::format("more than {} members; there are not so many settings", max_members));
    }
    members.push_back({.name = std::string(name),
                       .value = std::string(json.value().value_or(std::string_view())),
                       .place = place(json.member_offset())});
  }
  if (json.state() != lsp::JsonMembers::State::end) {
    return error_at(place(lsp::skip_json_whitespace(text)),
                    "must be an object, such as {\"format\": \"tree\"}");
  }
  return members;
}

Result<std::vector<ConfigMember>> read_config(const fs::path& file, files::Symlinks symlinks) {
  std::error_code error;
  // A folder that we may not look into is most often somebody else's home.
  if (file.empty() || !fs::exists(fs::symlink_status(file, error))) return std::vector<ConfigMember>{};
  const Result<std::string> text = files::read_regular_file(file.string(), max_file, symlinks);
  if (!text) return text.error();
  return parse_config(*text, file.string());
}

}  // namespace symbols::settings
