#include "proxy/query/rename_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "lsp/json/raw_json.h"
#include "lsp/replies.h"
#include "lsp/unicode.h"
#include "lsp/uri.h"
#include "proxy/files/project_root.h"
#include "proxy/files/regular_file.h"
#include "proxy/files/source_text.h"
#include "table/context_text.h"
#include "table/unified_diff.h"

namespace symbols::query {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// `edits`: in order. Error: they overlap, or one is at no place of the text. `name`: the file's.
Result<std::vector<table::Replacement>> replacements_of(const std::vector<lsp::TextEdit>& edits,
                                                        std::string_view text, const std::string& name,
                                                        lsp::PositionEncoding encoding) {
  // Editors, and we, send no byte order mark to servers.
  const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const lsp::PositionIndex index(text.substr(begin), encoding);
  std::vector<table::Replacement> replacements;
  for (const lsp::TextEdit& edit : edits) {
    const std::size_t first = index.offset(edit.range.start);
    const std::size_t last = index.offset(edit.range.end);
    if (last < first || index.position(first) != edit.range.start || index.position(last) != edit.range.end)
      return Error{fmt::format("the server's edits do not fit the text of {}", name),
                   "save the file, and try again"};
    if (!replacements.empty() && begin + first < replacements.back().end)
      return Error{fmt::format("the server's edits of {} overlap", name), {}};
    replacements.push_back({.begin = begin + first, .end = begin + last, .text = edit.new_text});
  }
  return replacements;
}

}  // namespace

Result<RenamePatch> rename_patch(std::string_view edit, const NewName& name, const std::string& folder,
                                 lsp::PositionEncoding encoding) {
  const Result<std::vector<lsp::DocumentEdits>> documents = lsp::decode_workspace_edit(edit);
  if (!documents) return documents.error();
  std::map<std::string, std::vector<lsp::TextEdit>> files;
  for (const lsp::DocumentEdits& document : *documents) {
    const std::optional<std::string> named = lsp::file_path(document.uri);
    const std::string path = named ? files::absolute_path(*named).string() : document.uri;
    if (!named || folder.empty() || !files::contains(folder, path))
      return Error{fmt::format("{} would change too, which is not in this folder", path),
                   "run it in a folder that has all of the project"};
    std::ranges::copy(document.edits, std::back_inserter(files[path]));
  }
  RenamePatch patch;
  for (auto& [path, edits] : files) {
    const std::string shown = table::path_from(folder, path);
    const Result<std::string> before =
        files::read_regular_file(path, files::max_source_bytes, files::Symlinks::refuse, shown);
    if (!before) return before.error();
    if (lsp::find_invalid_utf8(*before) != before->npos)
      return Error{fmt::format("{} would change too, and is not UTF-8", shown), "rename there by hand"};
    std::ranges::stable_sort(
        edits, {}, [](const lsp::TextEdit& one) { return std::pair(one.range.start, one.range.end); });
    // A file of two projects may have each edit twice.
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    const auto replacements = replacements_of(edits, *before, shown, encoding);
    if (!replacements) return replacements.error();
    const std::size_t size = patch.text.size();
    table::append_unified_diff(patch.text, shown, *before, *replacements);
    if (patch.text.size() == size) continue;
    patch.files.insert(path);
    patch.edited = {edits.front().range.start, edits.back().range.end};
    if (has_word(*before, name.now)) patch.with_new_name.push_back(shown);
    std::string after;
    std::size_t at = 0;
    for (const table::Replacement& one : *replacements) {
      after.append(*before, at, one.begin - at).append(one.text);
      at = one.end;
    }
    after.append(*before, at);
    if (!name.before.empty() && has_word(after, name.before)) patch.with_old_name.push_back(shown);
  }
  if (patch.text.empty())
    return Error{"the server renames nothing here", "give the place of a name, with its column"};
  patch.text.pop_back();
  return patch;
}

RenameQuery::RenameQuery(const QueryServices& services, const std::string& uri, lsp::Position at,
                         NewName name, std::string folder, milliseconds limit, Done done)
    : done_(std::move(done)), request_(services.server, services.timers), timer_(services.timers) {
  if (!services.capabilities.rename) {
    timer_.start(milliseconds(0), [this] { finish(Error{"renaming is not offered by the server", {}}); });
    return;
  }
  timer_.start(limit, [this, limit] {
    finish(Error{fmt::format("not answered within {} ms", limit.count()), "raise --timeout"});
  });
  const std::string params =
      place_params(uri, at, fmt::format(R"(,"newName":{})", lsp::json_string(name.now)));
  const auto receive = [this, name = std::move(name), folder = std::move(folder),
                        encoding = services.capabilities.position_encoding](const lsp::Reply& reply) {
    if (reply.failed) return finish(Error{refusal_text(reply), {}});
    finish(rename_patch(lsp::whole_json_value(reply.result), name, folder, encoding));
  };
  request_.send("textDocument/rename", params, receive, limit);
}

void RenameQuery::finish(Result<RenamePatch> patch) {
  const Done done = std::move(done_);
  done(std::move(patch));
}

}  // namespace symbols::query
