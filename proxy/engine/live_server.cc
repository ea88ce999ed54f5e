#include "proxy/engine/live_server.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lsp/uri.h"
#include "proxy/files/source_text.h"
#include "proxy/query/query_services.h"
#include "proxy/query/source_errors.h"

namespace symbols::engine {
namespace {

bool is_clangd(const ServerLaunch& server) {
  return server.name.starts_with("clangd");
}

// Where the first token stands that is neither a comment nor a preprocessor directive.
std::size_t first_code(std::string_view text) {
  const std::string comment = R"(//(?:\\\r?.|[^\\\n])*|/\*.*?(?:\*/|\z))";
  static const RE2 preamble(R"((?s)\x{FEFF}?(?:[ \t\r\n\v\f\\]|)" + comment + R"(|(?:#|%:)(?:\\\r?.|)" +
                            comment + R"(|[^\\\n])*)*)");
  re2::StringPiece rest(text.data(), text.size());
  RE2::Consume(&rest, preamble);
  return text.size() - rest.size();
}

}  // namespace

bool LiveServer::open(const std::string& path, const std::string& language_id, const std::string& settings,
                      const std::string& text, std::size_t max_documents) {
  lsp::ClientSession& session = connection.session();
  const std::string uri = lsp::file_uri(path);
  if (mentions.erase(path) > 0) session.close(uri);
  if (const auto known = documents.find(path); known != documents.end()) {
    Document& document = known->second;
    document.last_used = ++uses;
    const bool same = document.text == text;
    if (!document.stale && document.settings == settings &&
        (same || takes_by_did_change(key.first, document.text, text))) {
      if (!same) session.change(uri, ++document.version, text);
      document.text = text;
      return false;
    }
    close(path);
  }
  if (documents.size() >= max_documents) {
    const auto last_used = [](const auto& entry) { return entry.second.last_used; };
    close(std::string(std::ranges::min_element(documents, {}, last_used)->first));
  }
  if (!settings.empty())
    session.notify("workspace/didChangeConfiguration", R"({"settings":)" + settings + '}');
  session.open(uri, language_id, text);
  documents.emplace(path, Document{.text = text, .settings = settings, .last_used = ++uses});
  return true;
}

void LiveServer::close(const std::string& path) {
  connection.session().close(lsp::file_uri(path));
  documents.erase(path);
}

std::optional<std::vector<std::string>> LiveServer::open_mentions(
    servers::Mentions found, const std::function<bool(const std::string& path)>& is_asked_about) {
  for (const std::string& path : found.to_open) {
    if (documents.contains(path) || mentions.contains(path) || is_asked_about(path)) continue;
    if (const auto text = files::read_source_file(path, path, files::Symlinks::refuse)) {
      mentions.insert(path);
      connection.session().open(lsp::file_uri(path), servers::language_of(path), text->text);
    } else {
      found.to_find.push_back(path);
    }
  }
  if (!found.are_all) return {};
  return std::move(found.to_find);
}

std::shared_ptr<const std::string> LiveServer::open_file(const std::string& path) {
  if (const auto known = documents.find(path); known != documents.end())
    return std::make_shared<const std::string>(known->second.text);
  Result<files::SourceText> text = files::read_source_file(path, path, files::Symlinks::refuse);
  if (!text) return nullptr;
  if (mentions.insert(path).second)
    connection.session().open(lsp::file_uri(path), servers::language_of(path), text->text);
  return std::make_shared<const std::string>(std::move(text->text));
}

bool LiveServer::read_outdated(const std::function<servers::CompiledSources()>& compiled_sources,
                               const std::function<bool(const std::string& path)>& is_asked_about) {
  read_ = std::exchange(outdated, {});
  if (read_.empty() && was_kept) return true;
  servers::CompiledSources compiled;
  if (to_keep && compiled_sources) compiled = compiled_sources();
  const auto is_same = [&](const std::string& path) {
    const auto now = compiled.find(path);
    return now != compiled.end() && compiled_.contains(path) && now->second == compiled_.at(path);
  };
  if (!std::ranges::all_of(read_, is_same)) return false;
  compiled_ = std::move(compiled);
  for (const std::string& path : read_) {
    // Reopened, as clangd replies after a didChange before its index has the new text.
    if (documents.contains(path)) close(path);
    if (is_asked_about(path)) continue;
    if (open_file(path) == nullptr) return false;
    ++reading_;
    connection.session().request("textDocument/documentSymbol", query::document_params(lsp::file_uri(path)),
                                 [this](const lsp::Reply&) { --reading_; });
  }
  return true;
}

bool LiveServer::has_read_errors() {
  return std::ranges::any_of(read_, [this](const std::string& path) {
    return !query::published_errors(connection.session().published(), lsp::file_uri(path)).empty();
  });
}

bool takes_by_did_change(const ServerLaunch& server, std::string_view before, std::string_view after) {
  if (!is_clangd(server)) return true;
  const std::size_t code = first_code(before);
  // Two characters, as `/` may begin a comment.
  return code < before.size() && before.substr(0, code + 2) == after.substr(0, code + 2);
}

bool learns_of_files_late(const ServerLaunch& server, std::string_view path) {
  return !server.command.files_found_logs.empty() && (path.ends_with(".py") || path.ends_with(".pyi"));
}

ChangeEffect effect_of_change(const ServerLaunch& server, std::string_view path) {
  if (is_clangd(server)) {
    // Of files that it has indexed it looks for changes when it starts.
    if (server.search != ServerLaunch::Search::of_project) return ChangeEffect::outdates_index;
    // It parses a file anew when it is opened, headers included, and reads the configuration of compile flags
    // when it starts (and then every few seconds).
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const bool is_configuration = is_among(name, "compile_commands.json compile_flags.txt .clangd");
    return is_configuration ? ChangeEffect::restart : ChangeEffect::parsed_when_opened;
  }
  bool told = false;
  for (const std::string_view ending : server.command.told_of_changes) {
    if (ending.starts_with('!')) {
      if (path.ends_with(ending.substr(1))) return ChangeEffect::restart;
    } else {
      told = told || ending == "*" || path.ends_with(ending);
    }
  }
  return told ? ChangeEffect::told : ChangeEffect::restart;
}

}  // namespace symbols::engine
