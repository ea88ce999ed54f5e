#include "proxy/index/checked_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/descriptor.h"
#include "base/filesystem.h"
#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/json_document.h"
#include "lsp/json/raw_json.h"
#include "proxy/files/regular_file.h"
#include "proxy/index/index_store.h"
#include "table/diagnostics_text.h"

namespace symbols::index {
namespace {

constexpr std::size_t max_bytes = std::size_t{256} << 20;

Result<fs::path> file_of(const fs::path& root) {
  const Result<fs::path> folder = index_folder();
  if (!folder) return folder.error();
  return {boost::system::in_place_value, index_file(*folder, root).replace_extension(".checked")};
}

}  // namespace

// A line of JSON for the commit, and one for each text and each list.
Result<CheckedState> CheckedState::load(const std::string& folder) {
  for (fs::path root = folder;; root = root.parent_path()) {
    const Result<fs::path> file = file_of(root);
    if (!file) return file.error();
    if (const Result<std::string> text = files::read_regular_file(file->string(), max_bytes)) {
      CheckedState state{.root = root.string(), .commit = {}};
      for (const std::string_view line : split(*text, '\n')) {
        const Result<rapidjson::Document> entry = lsp::parse_json(line);
        if (!entry || !entry->IsObject()) return Error{file->string() + " is damaged", "remove it"};
        const std::string path = lsp::text_member(*entry, "path");
        if (path.empty()) {
          state.commit = lsp::text_member(*entry, "commit");
        } else if (const auto known = lsp::member_value(line, "known")) {
          if (Result<lsp::DiagnosticList> list = lsp::decode_diagnostics(*known))
            state.known[path] = std::move(list->first);
        } else {
          state.texts[path] = lsp::string_member(*entry, "text");
        }
      }
      if (state.commit.empty()) return Error{file->string() + " is damaged", "remove it"};
      return state;
    }
    if (root == root.parent_path())
      return Error{"nothing has been checked here before", "leave out --since last"};
  }
}

Result<void> CheckedState::save() const {
  std::string lines = fmt::format(R"({{"commit":{}}})", lsp::json_string(commit)) + '\n';
  for (const auto& [path, text] : texts)
    lines += fmt::format(R"({{"path":{},"text":{}}})", lsp::json_string(path),
                         text ? lsp::json_string(*text) : "null") +
             '\n';
  for (const auto& [path, list] : known)
    lines += fmt::format(R"({{"path":{},"known":{}}})", lsp::json_string(path),
                         table::diagnostics_json({list, list.size()})) +
             '\n';
  const Result<fs::path> file = file_of(root);
  if (!file) return file.error();
  std::string fresh = file->string() + ".XXXXXX";
  std::error_code failure;
  fs::create_directories(file->parent_path(), failure);
  // For the user alone: it has source texts.
  const Descriptor out(lines.size() > max_bytes ? -1 : ::mkostemp(fresh.data(), O_CLOEXEC));
  const bool is_written = files::write_all(out, lines);
  if (is_written) fs::rename(fresh, *file, failure);
  if (is_written && !failure) return {};
  ::unlink(fresh.c_str());
  return Error{"cannot write " + file->string(), "check the free space and the permissions there"};
}

}  // namespace symbols::index
