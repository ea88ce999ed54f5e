#include <filesystem>

#include "proxy/files/source_text.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/index_place.h"
#include "proxy/index/index_plan.h"
#include "proxy/index/index_store.h"
#include "proxy/query/source_errors.h"
#include "proxy/runs/document_run.h"
#include "proxy/servers/server_registry.h"
#include "table/selection.h"

namespace symbols::index {
namespace {

// A document, in the order asked: its path in the index where that answers it.
struct FromIndex {
  std::string display_path;
  std::optional<std::string> indexed{};
  std::string asked{};  // the server, and why
  bool is_given = false;
};

// Puts the index's rows among the servers' answers. Those before the first document that is asked for come
// at once, the others with the answer that they follow: no more than a server's answers wait to be printed.
class FromIndexSink : public runs::AnswerSink {
 public:
  // `sources`: receives a message with each answer that says where it is from. May be null.
  FromIndexSink(IndexStore& store, std::vector<FromIndex>& documents, table::Selection selection,
                runs::RunOutput* sources, std::unique_ptr<runs::AnswerSink> sink)
      : store_(store),
        documents_(documents),
        selection_(std::move(selection)),
        sources_(sources),
        sink_(std::move(sink)) {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (!documents_[i].indexed) asked_.push_back(i);
    }
  }

  void add(std::size_t index, batch::DocumentAnswer answer) override {
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
  void give(std::size_t place, batch::DocumentAnswer answer, const std::string& source) {
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

  batch::DocumentAnswer answer_of(const FromIndex& document) {
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
  runs::RunOutput* sources_;
  std::unique_ptr<runs::AnswerSink> sink_;
  std::vector<std::size_t> asked_;  // of each document that is asked for, its place among all
  std::size_t next_ = 0;
};

struct OpenedIndex {
  IndexStore store;
  IndexPlan plan;
  std::map<std::string, IndexedFile> files;
};

Result<OpenedIndex> open_index_of(const std::string& path, const servers::ServerRegistry& registry) {
  std::error_code failure;
  const std::filesystem::path start = std::filesystem::is_directory(path, failure)
                                          ? std::filesystem::path(path)
                                          : std::filesystem::path(path).parent_path();
  const Result<FoundIndex> place = find_index(start.empty() ? "." : start);
  if (!place) return place.error();
  Result<IndexStore> store = IndexStore::open(place->file, IndexStore::Missing::is_error);
  if (!store) return store.error();
  Result<IndexContents> contents = store->contents();
  if (!contents) return contents.error();
  return {boost::system::in_place_value,
          OpenedIndex{std::move(*store),
                      IndexPlan(place->root, registry, SYMBOLS_VERSION, std::move(contents->sources)),
                      std::move(contents->files)}};
}

}  // namespace

int run_from_index(const runs::Dump& dump) {
  const runs::DumpArguments& arguments = dump.arguments;
  if (dump.inquiry.document.hovers || dump.inquiry.document.diagnostics > 0) {
    return terminal::tell_error(
        {"the index has neither hovers nor diagnostics", "give --from-index with --no-hover"}, 2);
  }
  const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
  if (!registry) return terminal::tell_error(registry.error(), 1);
  Result<batch::DocumentInputs> inputs = batch::find_document_inputs(arguments.inputs, *registry);
  if (!inputs) return terminal::tell_error(inputs.error(), 2);
  const std::vector<std::string>& paths = arguments.inputs.paths;  // of an empty list there are none
  Result<OpenedIndex> opened = open_index_of(paths.empty() ? "." : paths.front(), *registry);
  if (!opened) return terminal::tell_error(opened.error(), 1);

  std::vector<FromIndex> documents;
  batch::DocumentInputs all{.documents = {}, .several = inputs->several, .errors = {}, .notes = {}};
  std::vector<batch::DocumentInput> asked;
  std::size_t with_errors = 0;
  std::string first_errors;
  for (batch::DocumentInput& document : inputs->documents) {
    FromIndex& one = documents.emplace_back(FromIndex{document.display_path});
    all.documents.push_back({document.display_path, Error{}});
    if (document.job && !document.job->text) {
      const Result<FileState> state = opened->plan.state_of(*document.job);
      const IndexedFile* known = nullptr;
      if (state) {
        if (const auto found = opened->files.find(state->path); found != opened->files.end())
          known = &found->second;
      }
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
  runs::Dump with_index = dump;
  with_index.inquiry.tell_if_none_found = false;
  with_index.make_sink = [&](const batch::DocumentInputs&, runs::RunOutput& output) {
    return std::make_unique<FromIndexSink>(opened->store, documents, dump.inquiry.document.selection,
                                           arguments.verbose ? &output : nullptr,
                                           dump.make_sink(all, output));
  };
  return runs::run_documents(with_index, std::move(*inputs));
}

}  // namespace symbols::index
