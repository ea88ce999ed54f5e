#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "proxy/cli/command_line.h"
#include "proxy/index/index_pass.h"
#include "proxy/index/index_runner.h"
#include "proxy/index/index_store.h"
#include "proxy/runs/document_run.h"
#include "proxy/servers/server_registry.h"
#include "proxy/terminal/tell.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

namespace fs = std::filesystem;
using index::IndexStore;

std::vector<std::string> all_markers(const servers::ServerRegistry& registry) {
  std::vector<std::string> markers;
  for (const servers::ServerSpec& server : registry.servers())
    markers.insert(markers.end(), server.root_markers.project.begin(), server.root_markers.project.end());
  return markers;
}

// The project's index at this path, or the user's file.
Result<index::IndexTarget> find_target(const Given& given, const fs::path& root) {
  Result<index::IndexTarget> target = given.text("--database").empty()
                                          ? index::user_index(root)
                                          : index::IndexTarget{.root = root,
                                                               .folder = root,
                                                               .database = given.text("--database"),
                                                               .owner = IndexStore::Owner::user};
  std::error_code failure;
  if (target && !given.argument(0).empty()) target->folder = fs::canonical(given.argument(0), failure);
  return target;
}

// An index of which no file is in the project is of another one.
Result<void> check_project(const fs::path& file, const fs::path& root) {
  Result<IndexStore> store = IndexStore::open(file, IndexStore::Missing::is_error, IndexStore::Owner::user);
  if (!store) return store.error();
  const Result<index::IndexContents> indexed = store->contents();
  if (!indexed) return indexed.error();
  std::error_code failure;
  const auto is_there = [&](const auto& one) { return fs::exists(root / one.first, failure); };
  if (indexed->files.empty() || std::ranges::any_of(indexed->files, is_there)) return {};
  return Error{fmt::format("the index {} belongs to another project: {} has none of its {} files",
                           table::quoted(file.string()), table::quoted(root.string()), indexed->files.size()),
               "give the --root that it was made with"};
}

int merge_indexes(const std::vector<std::string>& others, const index::IndexTarget& target) {
  const auto start = std::chrono::steady_clock::now();
  // Before anything is changed.
  for (const std::string& other : others) {
    if (const Result<void> good = IndexStore::check(other); !good)
      return terminal::tell_error(good.error(), 1);
    if (const Result<void> ours = check_project(other, target.root); !ours)
      return terminal::tell_error(ours.error(), 1);
  }
  Result<IndexStore> store = IndexStore::open(target.database, IndexStore::Missing::create, target.owner);
  if (!store) return terminal::tell_error(store.error(), 1);
  std::size_t taken = 0;
  for (const std::string& other : others) {
    std::error_code failure;
    if (fs::equivalent(other, target.database, failure)) continue;
    const Result<std::size_t> from_this = store->take_newer(other);
    if (!from_this) return terminal::tell_error(from_this.error(), 1);
    taken += *from_this;
  }
  const Result<index::IndexContents> indexed = store->contents();
  if (!indexed) return terminal::tell_error(indexed.error(), 1);
  std::size_t rows = 0;
  for (const auto& [path, file] : indexed->files) rows += file.rows;
  const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
  fmt::print("{} files, {} rows: {} taken from {} indexes, {:.2f} s\n", indexed->files.size(), rows, taken,
             others.size(), duration.count());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

Result<int> run_index(const Given& given) {
  const auto start = std::chrono::steady_clock::now();
  Result<runs::DumpArguments> read = document_of(given);
  if (!read) return read.error();
  runs::DumpArguments& document = *read;
  const std::string folder = given.argument(0);
  const std::vector<std::string> merge = given.texts("--merge");
  if (!merge.empty() &&
      (given.has("--rebuild") || given.has("--watch") || given.has("--shard") || !folder.empty())) {
    return Error{"--merge starts no server: DIR, --shard, --rebuild and --watch cannot be given with it",
                 "leave them out"};
  }
  if (given.has("--rebuild") && !given.text("--database").empty())
    return Error{"--rebuild cannot be given with --database", "give a new file, or remove the old one"};
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return terminal::tell_error(registry.error(), 1);
  const fs::path asked = folder.empty() ? "." : folder;
  const Result<fs::path> root = index::index_root(asked, document.inputs.root, all_markers(*registry));
  if (!root) return terminal::tell_error(root.error(), 2);
  if (const Result<void> added = index::add_index_settings(document, *root); !added)
    return terminal::tell_error(added.error(), 2);
  const Result<index::IndexTarget> target = find_target(given, *root);
  if (!target) return terminal::tell_error(target.error(), 1);
  if (!merge.empty()) return merge_indexes(merge, *target);

  std::error_code failure;
  document.inputs.paths = {folder.empty() && !fs::equivalent(*root, ".", failure) ? root->string()
                                                                                  : asked.string()};
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(document.inputs, *registry);
  if (!inputs) return terminal::tell_error(inputs.error(), 2);
  if (given.has("--rebuild")) {
    if (const Result<void> gone = IndexStore::discard(target->database); !gone)
      return terminal::tell_error(gone.error(), 1);
  }
  if (given.has("--watch")) return index::watch_index(document, *target, *registry);
  Result<std::unique_ptr<index::IndexPass>> pass =
      index::IndexPass::prepare(*target, *registry, document.inputs.shard.has_value(), *inputs, start);
  if (!pass) return terminal::tell_error(pass.error(), 1);
  const auto make_sink = [&](const batch::DocumentInputs&, runs::RunOutput& output) {
    (*pass)->write_to(output, index::IndexPass::Summary::always);
    return *std::move(pass);
  };
  return runs::run_documents({document, index::index_inquiry(), make_sink}, std::move(*inputs));
}

}  // namespace symbols::cli
