#include "proxy/index/impact.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "base/filesystem.h"
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

std::string path_of(const std::string& uri) {
  return lsp::file_path(uri).value_or(uri);
}

class Inquiry {
 public:
  Inquiry(ImpactQuestion question, output::Dump dump)
      : question_(std::move(question)), dump_(std::move(dump)) {
    impact_.root = files::working_folder().string();
    dump_.inquiry.document.hovers = false;
    // All symbols, whatever the settings leave out of answers.
    dump_.inquiry.document.selection = {.levels = {.rule = table::Levels::Rule::all}};
    dump_.inquiry.tell_if_none_found = false;
  }

  // output::Steps
  Result<output::Step<Impact>> next(const std::vector<DocumentAnswer>& answers) {
    if (answers.size() != asked_about_) return Error{"a source file has become a folder", "try again"};
    return (this->*next_)(answers);
  }

 private:
  using Texts = std::map<std::string, files::SourceText>;
  using Trees = std::map<std::string, lsp::SymbolTree>;
  using Answers = std::vector<DocumentAnswer>;
  using Step = Result<output::Step<Impact>> (Inquiry::*)(const Answers& answers);

  void note(std::string text) { impact_.notes.push_back(std::move(text)); }

  Result<output::Step<Impact>> begin(const Answers&) {
    Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!registry) return registry.error();
    is_source_ = [known = std::make_shared<const servers::ServerRegistry>(std::move(*registry))](
                     const fs::path& path) { return known->for_file(path) != nullptr; };
    const Result<void> found = question_.places.empty() ? find_changes() : find_places();
    if (!found) return found.error();
    return ask_for_symbols(before_, &Inquiry::receive_before);
  }

  Result<output::Step<Impact>> receive_before(const Answers& answers) {
    old_trees_ = trees_of(before_, answers);
    return ask_for_symbols(after_, &Inquiry::receive_after);
  }

  Result<output::Step<Impact>> receive_after(const Answers& answers) {
    new_trees_ = trees_of(after_, answers);
    if (question_.places.empty()) {
      compare();
    } else if (const Result<void> taken = take_places(); !taken) {
      return taken.error();
    }
    for (TouchedSymbol& touched : impact_.touched) {
      if (!touched.is_gone() && touched.missing.empty()) asked_.push_back(&touched);
    }
    return ask_for_users();
  }

  Result<output::Step<Impact>> receive_users(const Answers& answers) {
    for (std::size_t i = 0; i < asked_.size(); ++i) add_users(*asked_[i], answers[i]);
    asked_.clear();
    if (++level_ <= question_.depth) asked_ = take_new_callers();
    return ask_for_users();
  }

  Result<output::Step<Impact>> finish() {
    if (const Result<void> searched = search_for_names(); !searched) return searched.error();
    for (const auto& [path, error] : unread_) impact_.others.emplace_back(path, error.message);
    for (const TouchedSymbol& touched : between_) {
      for (const std::string& missing : touched.missing)
        note(fmt::format("{}: {}", touched.symbol.name, missing));
    }
    const auto is_whole = [](const TouchedSymbol& touched) {
      return touched.missing.empty() && (touched.is_gone() || touched.completeness == query::whole_project);
    };
    impact_.is_whole = impact_.is_whole && impact_.notes.empty() && unread_.empty() &&
                       std::ranges::all_of(impact_.touched, is_whole) &&
                       std::ranges::all_of(between_, is_whole);
    return output::Step<Impact>(std::move(impact_));
  }

  // About the symbols of each path, with these texts in place of their files'.
  Result<output::Step<Impact>> ask_for_symbols(const Texts& texts, Step then) {
    if (texts.empty()) return (this->*then)({});
    next_ = then;
    output::Dump dump = dump_;
    dump.arguments.inputs.paths.clear();
    for (const auto& [path, text] : texts) dump.arguments.inputs.paths.push_back(path);
    dump.arguments.inputs.texts = texts;
    asked_about_ = texts.size();
    return output::Step<Impact>(std::move(dump));
  }

  // unread_ has those that are not to be had.
  Trees trees_of(const Texts& texts, const Answers& answers) {
    Trees trees;
    auto answer = answers.begin();
    for (const auto& [path, text] : texts) {
      if (answer->rows && !answer->error) {
        trees[path] = table::tree_of(*answer->rows);
      } else {
        unread_[path] = answer->error.value_or(Error{"no answer", {}});
      }
      ++answer;
    }
    return trees;
  }

  Result<void> find_changes() {
    Result<engine::GitChanges> changes =
        engine::git_changes(impact_.root, question_.revision,
                            question_.staged ? engine::Compared::index : engine::Compared::tracked_files,
                            is_source_, question_.may_read);
    if (!changes) return changes.error();
    impact_.root = changes->root;
    impact_.since = changes->revision;
    impact_.others = std::move(changes->others);
    impact_.is_whole = changes->is_whole;
    for (engine::ChangedFile& file : changes->files) {
      changed_.push_back(file.path);
      if (file.before) before_[file.path] = std::move(*file.before);
      if (file.after) after_[file.path] = std::move(*file.after);
      if (!file.moved_from.empty())
        impact_.others.emplace_back(
            file.path, "moved from " + fs::path(file.moved_from).lexically_relative(impact_.root).string());
    }
    return {};
  }

  void compare() {
    for (const std::string& path : changed_) {
      if (unread_.contains(path)) continue;
      // Those of a file that was not there, or is gone, are none.
      add_changes(path, {old_trees_[path], before_[path].text}, {new_trees_[path], after_[path].text});
      if (question_.staged && !after_[path].text.empty()) leave_out_if_unstaged(path);
    }
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
  void leave_out_if_unstaged(const std::string& path) {
    const auto now = files::read_source_file(path, path, files::Symlinks::refuse);
    if (now && now->text == after_[path].text) return;
    for (TouchedSymbol& touched : impact_.touched) {
      if (touched.path == path && !touched.is_gone())
        touched.missing.emplace_back("users: its file has changes that are not staged");
    }
  }

  Result<void> find_places() {
    const bool are_resolved = dump_.arguments.inputs.paths_are_resolved;
    for (const options::SourcePlace& place : question_.places) {
      const Result<fs::path> path =
          are_resolved ? Result<fs::path>(boost::system::in_place_value, files::absolute_path(place.file))
                       : files::absolute_source_path(place.file);
      if (!path) return path.error();
      Result<files::SourceText> text = files::read_source_file(
          path->string(), place.file, are_resolved ? files::Symlinks::refuse : files::Symlinks::follow);
      if (!text) return text.error();
      after_[changed_.emplace_back(path->string())] = std::move(*text);
    }
    return {};
  }

  Result<void> take_places() {
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      const std::string& path = changed_[i];
      const options::SourcePlace& place = question_.places[i];
      if (unread_.contains(path)) return unread_[path];
      const lsp::SymbolTree& tree = new_trees_[path];
      const lsp::Position position{place.line - 1, place.column ? *place.column - 1 : 0};
      const lsp::DocumentSymbol* symbol =
          place.column ? lsp::symbol_at(tree, position) : lsp::symbol_on_line(tree, position.line);
      if (symbol == nullptr) symbol = lsp::innermost_around(tree, position);
      if (symbol == nullptr)
        return Error{fmt::format("there is no symbol at {}:{}", place.file, place.line), {}};
      const bool is_known = std::ranges::any_of(impact_.touched, [&](const TouchedSymbol& one) {
        return one.path == path && one.symbol == *symbol;
      });
      if (!is_known) impact_.touched.push_back({.path = path, .symbol = *symbol});
    }
    return {};
  }

  // For those of asked_.
  Result<output::Step<Impact>> ask_for_users() {
    const std::size_t left = max_asked - std::min(known_.size(), max_asked);
    for (std::size_t i = left; i < asked_.size(); ++i)
      asked_[i]->missing.emplace_back("users: not asked, for there are too many symbols");
    asked_.resize(std::min(asked_.size(), left));
    if (asked_.empty()) return finish();
    next_ = &Inquiry::receive_users;
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
    dump.arguments.words = {"impact, users"};
    for (const TouchedSymbol* const touched : asked_) {
      dump.arguments.inputs.paths.push_back(touched->path);
      const lsp::Position& place = question.positions.emplace_back(touched->symbol.selection_range.start);
      dump.arguments.words.push_back(fmt::format("{}:{}", place.line, place.character));
      known_.emplace(touched->path, touched->symbol.selection_range.start);
    }
    dump.inquiry.context = std::move(question);
    asked_about_ = asked_.size();
    return output::Step<Impact>(std::move(dump));
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
      if (question_.may_read && !question_.may_read(path)) {
        note(fmt::format("{}: its users are not asked for, as its file may not be read", caller.name));
        continue;
      }
      TouchedSymbol& one = between_.emplace_back(TouchedSymbol{.path = path, .symbol = {}});
      one.symbol.name = caller.name;
      one.symbol.kind = caller.kind;
      one.symbol.range = one.symbol.selection_range = caller.selection_range;
      next.push_back(&one);
    }
    return next;
  }

  // Names that are gone are searched for in the texts of the work tree: servers know them no more.
  Result<void> search_for_names() {
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
        impact_.root, is_source_, {}, dump_.arguments.inputs.ignored, files::Symlinks::refuse);
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
      for_each_word(take_part(text, '\n'), [&](std::string_view word) {
        const auto name = impact_.mentions.find(std::string(word));
        if (name != impact_.mentions.end() && mentioned_ < max_mentions)
          mentioned_ += name->second[path].insert(line).second ? 1 : 0;
      });
    }
  }

  ImpactQuestion question_;
  output::Dump dump_;
  Impact impact_;
  Step next_ = &Inquiry::begin;
  std::function<bool(const fs::path&)> is_source_;
  std::vector<std::string> changed_;  // or of the places
  Texts before_;
  Texts after_;
  Trees old_trees_;
  Trees new_trees_;
  std::map<std::string, Error> unread_;  // files whose symbols are not known
  std::size_t asked_about_ = 0;          // documents
  std::vector<TouchedSymbol*> asked_;
  std::uint64_t level_ = 1;
  std::set<std::string> noted_;  // of the answers
  std::size_t mentioned_ = 0;
  std::deque<TouchedSymbol> between_;                                // callers whose callers are asked for
  std::set<std::pair<std::string, lsp::Position>> known_;            // what was asked about
  std::vector<std::pair<std::string, lsp::HierarchyItem>> callers_;  // of what was asked about last
};

}  // namespace

output::Steps<Impact> impact_steps(ImpactQuestion question, output::Dump dump) {
  const auto inquiry = std::make_shared<Inquiry>(std::move(question), std::move(dump));
  return [inquiry](const std::vector<DocumentAnswer>& answers) { return inquiry->next(answers); };
}

}  // namespace symbols::index
