#include "proxy/index/index_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "base/filesystem.h"
#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/files/source_text.h"
#include "proxy/index/index_plan.h"
#include "proxy/index/project_map.h"
#include "proxy/query/source_errors.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/rows.h"
#include "table/selection.h"

namespace symbols::index {
namespace {

// Why a row is where it is, in a few words.
std::string why(const FoundSymbol& row) {
  constexpr std::array<std::string_view, 10> fits = {"exact",      "exact",    "prefix", "prefix",
                                                     "word start", "one edit", "inside", "word heads",
                                                     "words",      "two edits"};  // of each NameFit
  std::string reason(fits[static_cast<std::size_t>(row.fit)]);
  if (row.role != FileRole::source) reason += row.role == FileRole::built ? ", built" : ", test or vendored";
  if (row.form != RowForm::definition) reason += row.form == RowForm::import ? ", import" : ", declaration";
  return reason;
}

std::string found_symbols_text(const std::vector<FoundSymbol>& rows, const fs::path& root,
                               bool with_reasons) {
  const terminal::NearPaths near(root);
  std::string text = "PLACE | KIND | CONTAINER | NAME";
  text += with_reasons ? " | WHY\n" : "\n";
  for (const FoundSymbol& row : rows) {
    table::table_cell_escape.append(text, near.of(root / row.path));
    text += fmt::format(":{}{}{}", row.line + 1, table::table_separator, table::kind_name(row.kind));
    for (const std::string& cell : {row.container, row.name}) {
      text += table::table_separator;
      table::table_cell_escape.append(text, cell);
    }
    if (with_reasons) text += fmt::format("{}{}", table::table_separator, why(row));
    text += '\n';
  }
  return text;
}

// A document, in the order asked: its path in the index where that answers it.
struct FromIndex {
  std::string display_path;
  std::optional<std::string> indexed{};
  std::string asked{};  // the server, and why
  bool is_given = false;
};

// Puts the index's rows among the servers' answers. Those before the first document that is asked for come
// at once, the others with the answer that they follow: no more than a server's answers wait to be printed.
class FromIndexSink : public output::AnswerSink {
 public:
  // `sources`: receives a message with each answer that says where it is from. May be null.
  FromIndexSink(IndexStore& store, std::vector<FromIndex>& documents, table::Selection selection,
                output::RunOutput* sources, std::unique_ptr<output::AnswerSink> sink)
      : store_(store),
        documents_(documents),
        selection_(std::move(selection)),
        sources_(sources),
        sink_(std::move(sink)) {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (!documents_[i].indexed) asked_.push_back(i);
    }
  }

  void add(std::size_t index, engine::DocumentAnswer answer) override {
    give_indexed();
    give(asked_[index], std::move(answer), documents_[asked_[index]].asked);
    give_indexed();
  }
  void finish(const std::vector<Error>& others) override {
    give_indexed();
    sink_->finish(others);
  }
  bool any_failed() const override { return sink_->any_failed(); }
  std::string closing_note() const override { return sink_->closing_note(); }

 private:
  void give(std::size_t place, engine::DocumentAnswer answer, const std::string& source) {
    documents_[place].is_given = true;
    if (answer.rows && sources_ != nullptr)
      sources_->tell(documents_[place].display_path + ": from " + source);
    sink_->add(place, std::move(answer));
  }

  // Those that no unanswered document stands before.
  void give_indexed() {
    for (; next_ < documents_.size() && (documents_[next_].indexed || documents_[next_].is_given); ++next_) {
      if (documents_[next_].indexed) give(next_, answer_of(documents_[next_]), "the index");
    }
  }

  engine::DocumentAnswer answer_of(const FromIndex& document) {
    Result<std::optional<lsp::SymbolTree>> tree = store_.rows_of(*document.indexed);
    if (!tree) return {.rows = {}, .error = tree.error(), .notes = {}};
    if (!*tree) return {.rows = {}, .error = Error{"it is no longer in the index", "try again"}, .notes = {}};
    std::string text;
    if (selection_.fold) {
      Result<files::SourceText> source = files::read_source_file(document.display_path);
      if (!source) return {.rows = {}, .error = source.error(), .notes = {}};
      text = std::move(source->text);
    }
    return {.rows = table::select(std::move(**tree), selection_, text), .error = {}, .notes = {}};
  }

  IndexStore& store_;
  std::vector<FromIndex>& documents_;
  table::Selection selection_;
  output::RunOutput* sources_;
  std::unique_ptr<output::AnswerSink> sink_;
  std::vector<std::size_t> asked_;  // of each document that is asked for, its place among all
  std::size_t next_ = 0;
};

}  // namespace

void add_errors_note(IndexStore& store, std::vector<std::string>& notes) {
  const Result<std::string> errors = store.errors_note();
  if (errors && !errors->empty()) notes.push_back("note: " + *errors);
}

std::string changed_files_note(std::size_t count) {
  return fmt::format("note: {} changed since they were indexed; run symbols index", counted(count, "file"));
}

Result<IndexAnswer> find_in_index(const FoundIndex& place, const SymbolQuery& query,
                                  std::string_view how_to_get_more) {
  Result<IndexStore> store = IndexStore::open(place.file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  const Result<SymbolsFound> found = find_symbols(*store, place.root, query);
  if (!found) return found.error();
  IndexAnswer answer{.is_found = !found->rows.empty()};
  if (answer.is_found) {
    answer.text = found_symbols_text(found->rows, place.root, query.with_reasons);
  } else {
    answer.notes.push_back(
        fmt::format("nothing {}is called like {}{}{}", query.kinds.empty() ? "" : "of these kinds ",
                    table::quoted(query.name),
                    found->near_names.empty() ? "" : "; nearest: ", fmt::join(found->near_names, ", ")));
    add_errors_note(*store, answer.notes);
  }
  const NameFit fit = answer.is_found ? found->rows.front().fit : NameFit::exact_case;
  if (fit == NameFit::one_letter || fit == NameFit::two_letters)
    answer.notes.push_back(
        fmt::format("note: nothing is called {}; the first names differ in one or two letters",
                    table::quoted(query.name)));
  if (found->imports > 0)
    answer.notes.push_back(fmt::format("note: {} of these names {} left out",
                                       counted(found->imports, "import"),
                                       found->imports == 1 ? "is" : "are"));
  if (found->changed_files > 0) answer.notes.push_back(changed_files_note(found->changed_files));
  if (found->more)
    answer.notes.push_back(
        fmt::format("note: only the first {} are shown; more: {}", query.limit, how_to_get_more));
  return answer;
}

Result<std::string> folder_in_project(const std::string& given, const fs::path& root) {
  if (given.empty()) return std::string();
  std::error_code failure;
  const fs::path folder = fs::canonical(given, failure);
  if (failure || !fs::is_directory(folder, failure))
    return Error{fmt::format("{} is not a folder", table::quoted(given)),
                 "give a folder of an indexed project"};
  const std::string inside = folder.lexically_relative(root).string();
  if (inside.starts_with(".."))
    return Error{
        fmt::format("{} is not in the project {}", table::quoted(given), table::quoted(root.string())),
        "leave out --root"};
  return inside == "." ? std::string() : inside + '/';
}

Result<IndexAnswer> map_of_index(const FoundIndex& place, const std::string& folder,
                                 const table::TokenLimit& limit, const files::IgnoredPaths& ignored) {
  Result<IndexStore> store = IndexStore::open(place.file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  Result<std::vector<OutlinedFile>> outlines = store->outlines();
  if (!outlines) return outlines.error();
  const std::string root = (place.root / "").string();
  std::erase_if(*outlines, [&](const OutlinedFile& file) { return ignored.leaves_out(root + file.path); });
  const std::size_t changed = std::erase_if(*outlines, [&](const OutlinedFile& file) {
    return file.path.starts_with(folder) && !file.content.is_of(root + file.path);
  });
  IndexAnswer answer;
  if (changed > 0) answer.notes.push_back(changed_files_note(changed));
  add_errors_note(*store, answer.notes);
  const std::vector<MapItem> files = ranked_files(*outlines, folder);
  if (files.empty()) return answer;
  const terminal::NearPaths near(place.root);
  answer.text = project_map(files, folder, limit, [&](std::string_view path) {
    const std::string name = near.of((place.root / path / "").lexically_normal());
    return name == "." ? "./" : name.ends_with('/') ? name : name + '/';
  });
  return answer;
}

int run_from_index(const output::Dump& dump) {
  const output::DumpArguments& arguments = dump.arguments;
  if (dump.inquiry.document.hovers || dump.inquiry.document.diagnostics > 0) {
    return terminal::tell_error(
        {"the index has neither hovers nor diagnostics", "give --from-index with --no-hover"}, 2);
  }
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return terminal::tell_error(registry.error(), 1);
  Result<engine::DocumentInputs> inputs = engine::find_document_inputs(arguments.inputs, *registry);
  if (!inputs) return terminal::tell_error(inputs.error(), 2);
  const std::vector<std::string>& paths = arguments.inputs.paths;  // of an empty list there are none
  fs::path folder = paths.empty() ? "." : paths.front();
  if (!files::is_folder(folder)) folder = folder.parent_path();
  const Result<FoundIndex> place = find_index(folder.empty() ? "." : folder);
  if (!place) return terminal::tell_error(place.error(), 1);
  Result<IndexStore> store = IndexStore::open(place->file, IndexStore::Missing::is_error);
  if (!store) return terminal::tell_error(store.error(), 1);
  Result<IndexContents> contents = store->contents();
  if (!contents) return terminal::tell_error(contents.error(), 1);
  IndexPlan plan(place->root, *registry, SYMBOLS_VERSION, std::move(contents->sources));

  std::vector<FromIndex> documents;
  engine::DocumentInputs all{.documents = {}, .several = inputs->several, .errors = {}, .notes = {}};
  std::vector<engine::DocumentInput> asked;
  std::size_t with_errors = 0;
  std::string first_errors;
  for (engine::DocumentInput& document : inputs->documents) {
    FromIndex& one = documents.emplace_back(FromIndex{document.display_path});
    all.documents.push_back({document.display_path, Error{}});
    if (document.job && !document.job->text) {
      const Result<FileState> state = plan.state_of(*document.job);
      const auto found = state ? contents->files.find(state->path) : contents->files.end();
      const IndexedFile* const known = found == contents->files.end() ? nullptr : &found->second;
      if (known != nullptr && known->fingerprint == state->fingerprint) {
        one.indexed = state->path;
        if (!known->errors.empty() && with_errors++ == 0)
          first_errors = document.display_path + ": " + known->errors;
      } else {
        one.asked =
            document.job->server.name + (known == nullptr                   ? ": it is not in the index"
                                         : known->content != state->content ? ": it changed"
                                                                            : ": what it depends on changed");
      }
    }
    if (!one.indexed) asked.push_back(std::move(document));
  }
  if (with_errors > 0)
    inputs->notes.push_back(query::errors_note(with_errors, documents.size() - asked.size(), first_errors));
  inputs->documents = std::move(asked);
  output::Dump with_index = dump;
  with_index.inquiry.tell_if_none_found = false;
  with_index.make_sink = [&](const engine::DocumentInputs&, output::RunOutput& output) {
    return std::make_unique<FromIndexSink>(*store, documents, dump.inquiry.document.selection,
                                           arguments.verbose ? &output : nullptr,
                                           dump.make_sink(all, output));
  };
  return output::run_documents(with_index, std::move(*inputs));
}

}  // namespace symbols::index
