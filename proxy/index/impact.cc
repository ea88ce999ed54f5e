#include "proxy/index/impact.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "lsp/symbol_search.h"
#include "lsp/uri.h"
#include "proxy/engine/git_changes.h"
#include "proxy/files/folder_walk.h"
#include "proxy/files/project_root.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"
#include "table/rows.h"

namespace symbols::index {
namespace {

namespace fs = std::filesystem;
using engine::DocumentAnswer;

// For each symbol: references, callers and implementations, each.
constexpr std::size_t max_users = 2000;
// Symbols whose users are asked for. For each of them the project's files are searched for its name.
constexpr std::size_t max_asked = 100;
// The search for removed names: the bytes that are read, and the lines that are kept.
constexpr std::size_t max_searched_bytes = std::size_t{64} << 20;
constexpr std::size_t max_mentions = 1000;

// Whether the symbols' texts are together many times the document: in minified sources each has all of it.
bool overlap_too_much(const query::DocumentState& state) {
  const lsp::PositionIndex index(state.text);
  std::size_t total = 0;
  for (const lsp::DocumentSymbol& symbol : state.tree.symbols) total += index.text(symbol.range).size();
  return total > (std::size_t{64} << 20) + 16 * state.text.size();
}

// Keeps the answers, in the order of the documents.
class Collected : public output::AnswerSink {
 public:
  explicit Collected(std::vector<DocumentAnswer>& answers) : answers_(answers) {}

  void add(std::size_t index, DocumentAnswer answer) override { answers_[index] = std::move(answer); }
  void finish(const std::vector<Error>&) override {}
  bool any_failed() const override { return false; }

 private:
  std::vector<DocumentAnswer>& answers_;
};

Result<std::vector<DocumentAnswer>> answers_to(output::Dump dump) {
  Result<output::PreparedRun> run = output::find_documents(std::move(dump));
  if (!run) return run.error();
  std::vector<DocumentAnswer> answers(run->inputs.documents.size());
  run->dump.make_sink = [&answers](const engine::DocumentInputs&, output::RunOutput&) {
    return std::make_unique<Collected>(answers);
  };
  if (!answers.empty() && output::run_documents(run->dump, std::move(run->inputs)) != 0)
    return Error{"the servers could not be asked", {}};
  return answers;
}

std::string path_of(const std::string& uri) {
  return lsp::file_path(uri).value_or(uri);
}

std::string_view text_in(const std::optional<files::SourceText>& text) {
  return text ? std::string_view(text->text) : std::string_view();
}

class Inquiry {
 public:
  Inquiry(const ImpactQuestion& question, const output::Dump& dump) : question_(question), dump_(dump) {
    std::error_code error;
    impact_.root = fs::current_path(error).string();
    dump_.inquiry.document.hovers = false;
    dump_.inquiry.tell_if_none_found = false;
  }

  Result<Impact> run() {
    const Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!registry) return registry.error();
    const auto is_source = [&registry](const fs::path& path) { return registry->for_file(path) != nullptr; };
    const Result<void> found = question_.places.empty() ? find_changes(is_source) : find_places();
    if (!found) return found.error();
    if (const Result<void> asked = ask_level_by_level(); !asked) return asked.error();
    if (const Result<void> searched = search_for_names(is_source); !searched) return searched.error();
    for (const auto& [path, error] : unread_) {
      impact_.others.emplace_back(path, error.message);
      impact_.is_whole = false;
    }
    for (const TouchedSymbol& touched : impact_.touched) check_is_whole(touched);
    for (const TouchedSymbol& touched : between_) {
      check_is_whole(touched);
      for (const std::string& missing : touched.missing)
        note(fmt::format("{}: {}", touched.symbol.name, missing));
    }
    return std::move(impact_);
  }

 private:
  using Texts = std::map<std::string, files::SourceText>;
  using Trees = std::map<std::string, lsp::SymbolTree>;

  void note(std::string text) {
    impact_.notes.push_back(std::move(text));
    impact_.is_whole = false;
  }

  void check_is_whole(const TouchedSymbol& touched) {
    if (!touched.missing.empty() || (!touched.is_gone() && touched.completeness != query::whole_project))
      impact_.is_whole = false;
  }

  // The symbols of each path, with these texts in place of their files'; unread_ where they are not to be
  // had.
  Result<Trees> trees_of(Texts texts) {
    output::Dump dump = dump_;
    dump.arguments.inputs.paths.clear();
    for (const auto& [path, text] : texts) dump.arguments.inputs.paths.push_back(path);
    const std::vector<std::string> paths = dump.arguments.inputs.paths;
    dump.arguments.inputs.texts = std::move(texts);
    Result<std::vector<DocumentAnswer>> answers = answers_to(std::move(dump));
    if (!answers) return answers.error();
    Trees trees;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const DocumentAnswer& answer = answers->at(i);
      if (answer.rows && !answer.error) {
        trees[paths[i]] = table::tree_of(*answer.rows);
      } else {
        unread_[paths[i]] = answer.error.value_or(Error{"no answer", {}});
      }
    }
    return trees;
  }

  template <class IsSource>
  Result<void> find_changes(const IsSource& is_source) {
    Result<engine::GitChanges> changes =
        engine::git_changes(impact_.root, question_.revision, question_.staged, is_source);
    if (!changes) return changes.error();
    impact_.root = changes->root;
    impact_.since = changes->revision;
    impact_.others = changes->others;
    impact_.is_whole = changes->is_whole;
    Texts before;
    Texts after;
    for (const engine::ChangedFile& file : changes->files) {
      if (file.before) before[file.path] = *file.before;
      if (file.after) after[file.path] = *file.after;
      if (!file.moved_from.empty())
        impact_.others.emplace_back(
            file.path, "moved from " + fs::path(file.moved_from).lexically_relative(impact_.root).string());
    }
    const Result<Trees> old_trees = trees_of(std::move(before));
    if (!old_trees) return old_trees.error();
    const Result<Trees> new_trees = trees_of(std::move(after));
    if (!new_trees) return new_trees.error();
    for (const engine::ChangedFile& file : changes->files) {
      const auto old_tree = old_trees->find(file.path);
      const auto new_tree = new_trees->find(file.path);
      if ((file.before && old_tree == old_trees->end()) || (file.after && new_tree == new_trees->end()))
        continue;
      static const lsp::SymbolTree none;
      add_changes(file.path, {file.before ? old_tree->second : none, text_in(file.before)},
                  {file.after ? new_tree->second : none, text_in(file.after)});
      if (question_.staged && file.after) leave_out_if_unstaged(file);
    }
    return {};
  }

  void add_changes(const std::string& path, const query::DocumentState& before,
                   const query::DocumentState& after) {
    if (overlap_too_much(before) || overlap_too_much(after)) {
      unread_[path] = Error{"its symbols overlap too much to be compared", {}};
      return;
    }
    const query::DocumentChange change = query::changed_symbols(before, after);
    const lsp::PositionIndex old_text(before.text);
    for (const query::ChangedSymbol& one : change.symbols) {
      TouchedSymbol touched{.path = path, .symbol = {}, .change = one.change};
      touched.symbol = touched.is_gone() ? before.tree.symbols[one.before] : after.tree.symbols[one.after];
      if (touched.is_gone() || one.change == query::Change::renamed)
        touched.name_before = old_text.text(before.tree.symbols[one.before].selection_range);
      impact_.touched.push_back(std::move(touched));
    }
    if (change.outside && !before.text.empty() && !after.text.empty())
      impact_.others.emplace_back(path, "changed outside of its symbols");
  }

  // The servers look into the work tree: a file that differs there has other lines.
  void leave_out_if_unstaged(const engine::ChangedFile& file) {
    const auto now = files::read_source_file(file.path, file.path, files::Symlinks::refuse);
    if (now && now->text == file.after->text) return;
    for (TouchedSymbol& touched : impact_.touched) {
      if (touched.path == file.path && !touched.is_gone())
        touched.missing.emplace_back("users: its file has changes that are not staged");
    }
  }

  Result<void> find_places() {
    Texts texts;
    std::vector<std::string> paths;
    for (const options::SourcePlace& place : question_.places) {
      const Result<fs::path> path = files::absolute_source_path(place.file);
      if (!path) return path.error();
      Result<files::SourceText> text = files::read_source_file(path->string(), place.file);
      if (!text) return text.error();
      texts[paths.emplace_back(path->string())] = std::move(*text);
    }
    const Result<Trees> trees = trees_of(std::move(texts));
    if (!trees) return trees.error();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const options::SourcePlace& place = question_.places[i];
      const auto tree = trees->find(paths[i]);
      if (tree == trees->end()) return unread_[paths[i]];
      const lsp::Position position{place.line - 1, place.column ? *place.column - 1 : 0};
      const lsp::DocumentSymbol* symbol = place.column ? lsp::symbol_at(tree->second, position)
                                                       : lsp::symbol_on_line(tree->second, position.line);
      if (symbol == nullptr) symbol = lsp::innermost_around(tree->second, position);
      if (symbol == nullptr)
        return Error{fmt::format("there is no symbol at {}:{}", place.file, place.line), {}};
      const bool is_known = std::ranges::any_of(impact_.touched, [&](const TouchedSymbol& one) {
        return one.path == paths[i] && one.symbol == *symbol;
      });
      if (!is_known) impact_.touched.push_back({.path = paths[i], .symbol = *symbol});
    }
    return {};
  }

  Result<void> ask_level_by_level() {
    std::vector<TouchedSymbol*> asked;
    for (TouchedSymbol& touched : impact_.touched) {
      if (!touched.is_gone() && touched.missing.empty()) asked.push_back(&touched);
    }
    for (std::uint64_t level = 1; !asked.empty(); ++level) {
      if (const Result<void> done = ask_for_users(asked); !done) return done.error();
      if (level == question_.depth) break;
      asked = take_new_callers();
    }
    return {};
  }

  Result<void> ask_for_users(std::vector<TouchedSymbol*> asked) {
    const std::size_t left = max_asked - std::min(known_.size(), max_asked);
    for (std::size_t i = left; i < asked.size(); ++i)
      asked[i]->missing.emplace_back("users: not asked, for there are too many symbols");
    asked.resize(std::min(asked.size(), left));
    if (asked.empty()) return {};
    query::ContextQuestion question;
    question.options.include_hover = false;
    question.limits = {.children = 0,
                       .source = 0,
                       .references = max_users,
                       .callers = max_users,
                       .diagnostics = 0,
                       .implementations = max_users};
    question.outline_folder = impact_.root;
    question.as_parts = true;
    output::Dump dump = dump_;
    dump.arguments.inputs.paths.clear();
    dump.arguments.inputs.search_project = true;
    for (const TouchedSymbol* const touched : asked) {
      dump.arguments.inputs.paths.push_back(touched->path);
      question.positions.push_back(touched->symbol.selection_range.start);
      known_.emplace(touched->path, touched->symbol.selection_range.start);
    }
    dump.inquiry.context = std::move(question);
    const Result<std::vector<DocumentAnswer>> answers = answers_to(std::move(dump));
    if (!answers) return answers.error();
    for (std::size_t i = 0; i < asked.size(); ++i) add_users(*asked[i], answers->at(i));
    return {};
  }

  void add_users(TouchedSymbol& touched, const DocumentAnswer& answer) {
    if (!answer.errors.empty()) touched.missing.push_back("users may be missing: " + answer.errors);
    for (const std::string& text : answer.notes) {
      if (noted_.insert(text).second) note(text);
    }
    const bool is_there = answer.context && answer.context->parts;
    if (!is_there || answer.context->parts->rows.all.front().selection_range.start !=
                         touched.symbol.selection_range.start) {
      touched.missing.push_back("users: " +
                                (answer.error ? answer.error->text() : "the server has no such symbol"));
      return;
    }
    const table::SymbolContext& parts = *answer.context->parts;
    using Kind = lsp::SymbolKind;
    const bool is_type =
        table::is_one_of(touched.symbol.kind, {Kind::class_, Kind::interface, Kind::struct_});
    const bool is_function =
        table::is_one_of(touched.symbol.kind, {Kind::function, Kind::method, Kind::constructor});
    touched.completeness = is_type ? parts.types_completeness : parts.completeness;
    const auto check = [&touched](std::string_view name, const auto& part) {
      if (!part.failure.empty()) {
        touched.missing.push_back(fmt::format("{}: {}", name, part.failure));
      } else if (part.value && part.value->first.size() < part.value->total) {
        touched.missing.push_back(
            fmt::format("{}: {} of {}", name, part.value->first.size(), part.value->total));
      }
    };
    check("references", parts.references);
    // References have their lines too; their names are needed to go on.
    if (!parts.references.value || (is_function && question_.depth > 1)) check("callers", parts.callers);
    const bool may_be_implemented = is_type || touched.symbol.kind == Kind::method;
    if (may_be_implemented) check("implementations", parts.implementations);
    if (parts.references.value) {
      for (const lsp::Location& location : parts.references.value->first)
        (void)use_at(touched, path_of(location.uri), location.range);
    }
    if (parts.callers.value) {
      for (const lsp::HierarchyItem& caller : parts.callers.value->first) add_caller(touched, caller);
    }
    if (may_be_implemented && parts.implementations.value) {
      for (const lsp::Location& location : parts.implementations.value->first) {
        if (Use* const use = use_at(touched, path_of(location.uri), location.range)) use->implements = true;
      }
    }
  }

  // Null for a place within the symbol itself.
  Use* use_at(const TouchedSymbol& touched, const std::string& path, const lsp::Range& range) {
    if (path == touched.path && lsp::contains(touched.symbol.range, range)) return nullptr;
    Use& use = impact_.uses[path][range.start.line];
    use.symbols.insert(touched.symbol.name);
    return &use;
  }

  void add_caller(const TouchedSymbol& touched, const lsp::HierarchyItem& caller) {
    const std::string path = path_of(caller.uri);
    // Calls outside of functions have the file for their caller.
    const bool is_file = table::is_one_of(caller.kind, {lsp::SymbolKind::file, lsp::SymbolKind::module});
    if (!is_file) callers_.emplace_back(path, caller);
    for (const lsp::Range& range : caller.from_ranges) {
      Use* const use = use_at(touched, path, range);
      if (use != nullptr && !is_file) use->callers.insert(caller.name);
    }
  }

  // The callers of what was asked about that were not asked about themselves.
  std::vector<TouchedSymbol*> take_new_callers() {
    std::vector<TouchedSymbol*> next;
    std::set<std::pair<std::string, lsp::Position>> taken;
    for (const auto& [path, caller] : std::exchange(callers_, {})) {
      const std::pair place(path, caller.selection_range.start);
      if (known_.contains(place) || !taken.insert(place).second) continue;
      TouchedSymbol& one = between_.emplace_back(TouchedSymbol{.path = path, .symbol = {}});
      one.symbol.name = caller.name;
      one.symbol.kind = caller.kind;
      one.symbol.range = one.symbol.selection_range = caller.selection_range;
      next.push_back(&one);
    }
    return next;
  }

  // Names that are gone are searched for in the texts of the work tree: servers know them no more.
  template <class IsSource>
  Result<void> search_for_names(const IsSource& is_source) {
    for (TouchedSymbol& touched : impact_.touched) {
      const std::string& name = touched.name_before;
      if (name.empty() && !touched.is_gone()) continue;
      if (!name.empty() && word_at(name, 0) == name) {
        impact_.mentions[name];
      } else {
        touched.missing.emplace_back("mentions: its name is no word that can be searched for");
      }
    }
    if (impact_.mentions.empty()) return {};
    const Result<files::FoundFiles> found = files::find_source_files(
        impact_.root, is_source, {}, dump_.arguments.inputs.ignored, files::Symlinks::refuse);
    if (!found) return found.error();
    for (const Error& error : found->errors) note(error.text());
    std::size_t searched = 0;
    for (const std::string& path : found->files) {
      const Result<files::SourceText> text = files::read_source_file(path, path, files::Symlinks::refuse);
      searched += text ? text->text.size() : 0;
      if (!text) {
        note(text.error().text());
      } else if (searched > max_searched_bytes) {
        note(fmt::format("only {} MB were searched for names that are gone", max_searched_bytes >> 20));
        break;
      } else {
        search(path, text->text);
      }
    }
    if (mentioned_ == max_mentions)
      note(fmt::format("only the first {} lines with names that are gone are listed", max_mentions));
    return {};
  }

  void search(const std::string& path, std::string_view text) {
    for (std::uint32_t line = 0; !text.empty(); ++line) {
      const std::string_view here = take_part(text, '\n');
      for (std::size_t at = 0; at < here.size();) {
        const std::string_view word = word_at(here, at);
        const auto name = impact_.mentions.find(std::string(word));
        if (name != impact_.mentions.end() && mentioned_ < max_mentions)
          mentioned_ += name->second[path].insert(line).second ? 1 : 0;
        at += std::max<std::size_t>(word.size(), 1);
      }
    }
  }

  const ImpactQuestion& question_;
  output::Dump dump_;
  Impact impact_;
  std::map<std::string, Error> unread_;  // files whose symbols are not known
  std::set<std::string> noted_;          // of the answers
  std::size_t mentioned_ = 0;
  std::deque<TouchedSymbol> between_;                                // callers whose callers are asked for
  std::set<std::pair<std::string, lsp::Position>> known_;            // what was asked about
  std::vector<std::pair<std::string, lsp::HierarchyItem>> callers_;  // of what was asked about last
};

}  // namespace

Result<Impact> impact_of(const ImpactQuestion& question, const output::Dump& dump) {
  return Inquiry(question, dump).run();
}

}  // namespace symbols::index
