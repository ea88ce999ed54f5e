#include "proxy/index/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"
#include "proxy/engine/git_changes.h"
#include "proxy/files/project_root.h"
#include "proxy/index/checked_state.h"
#include "proxy/servers/mentions.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"

namespace symbols::index {
namespace {

using engine::DocumentAnswer;
using Diagnostics = std::vector<lsp::Diagnostic>;
using Text = std::optional<std::string>;  // none: there is no such file

// Files that are asked about; of a file that all others include the nearest are.
constexpr std::size_t max_looked_at = 200;

bool is_problem(const lsp::Diagnostic& diagnostic) {
  return diagnostic.severity <= 2;
}

class Checking {
 public:
  Checking(CheckQuestion question, output::Dump dump)
      : question_(std::move(question)), dump_(std::move(dump)) {
    check_.root = files::working_folder().string();
    query::InquiryOptions& inquiry = dump_.inquiry;
    inquiry.document.hovers = false;
    inquiry.document.diagnostics = lsp::max_diagnostics;
    inquiry.tell_if_none_found = inquiry.tells_errors = false;
  }

  // output::Steps
  Result<output::Step<Check>> next(const std::vector<DocumentAnswer>& answers) {
    if (!std::exchange(has_begun_, true)) {
      if (const Result<void> begun = begin(); !begun) return begun.error();
    } else if (answers.size() != asked_.size()) {
      return Error{"a source file has become a folder", "try again"};
    } else {
      take(answers);
    }
    const std::size_t left = check_.looked_at.size() - asked_about_;
    if (left > 0) {
      const auto first = check_.looked_at.begin() + static_cast<std::ptrdiff_t>(asked_about_);
      asked_about_ += one_by_one_ ? 1 : left;
      asked_.assign(first, check_.looked_at.begin() + static_cast<std::ptrdiff_t>(asked_about_));
      return ask({});
    }
    if (!std::exchange(is_about_before_, true) && choose_before()) return ask_about_before();
    return finish();
  }

 private:
  using Texts = std::map<std::string, files::SourceText>;
  struct File {
    Text before{};
    Text after{};
    std::string was{};  // the path before the change, if it is another one
  };

  Result<void> begin() {
    Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!registry) return registry.error();
    std::set<std::string> settings;  // the names of files that choose what a server reads
    for (const servers::ServerSpec& server : registry->servers())
      settings.insert(server.root_markers.project.begin(), server.root_markers.project.end());
    const auto is_source = [&registry](const fs::path& path) { return registry->for_file(path) != nullptr; };
    for (const std::string& path : question_.paths) {
      if (files::is_folder(path))
        return Error{shown(path) + " is a folder", "give files, or none: what has changed"};
    }
    const auto tell_if_setting = [&](const std::string& path) {
      if (settings.contains(fs::path(path).filename().string()) &&
          files::language_of(path) == files::Language::other)
        note(shown(path) + " has changed, which may change the errors of any file");
    };
    const bool is_last = question_.since == "last";
    if (is_last) {
      Result<CheckedState> last = CheckedState::load(check_.root);
      if (!last) return last.error();
      last_ = std::move(*last);
    }
    Result<engine::GitChanges> changes =
        engine::git_changes(check_.root, is_last ? last_.commit : question_.since,
                            engine::Compared::work_tree, is_source, question_.may_read);
    if (!changes) return changes.error();
    if (is_last && last_.root != changes->root)
      return Error{"nothing has been checked in this work tree before", "leave out --since last"};
    check_.root = changes->root;
    for (const std::string& path : question_.paths) {
      if (!files::contains(check_.root, path))
        return Error{path + " is not in the work tree " + check_.root, "ask where it is"};
    }
    check_.since = is_last ? "the last check" : changes->revision;
    if (!changes->is_whole) note("not all changed files were compared");
    for (const auto& [path, why] : changes->others) {
      tell_if_setting(path);
      if (why != engine::no_known_language) note(shown(path) + ' ' + why);
    }
    for (engine::ChangedFile& file : changes->files) {
      tell_if_setting(file.path);
      File& changed = changed_[file.path];
      if (file.before) changed.before = std::move(file.before->text);
      if (file.after) changed.after = std::move(file.after->text);
      if (!file.moved_from.empty())
        changed_[changed.was = file.moved_from].before = std::exchange(changed.before, {});
    }
    state_.root = changes->root;
    state_.commit = changes->commit;
    for (const auto& [path, file] : changed_) state_.texts[path] = file.after;
    if (is_last) compare_with_last();
    // A file that was moved without git.
    for (auto& [path, file] : changed_) {
      for (const auto& [old_path, gone] : changed_) {
        if (!file.before && file.was.empty() && !gone.after && gone.before == file.after) file.was = old_path;
      }
    }
    return choose_files(*registry);
  }

  // A file that differs from the commit may be unchanged since the last check, and one that does not may have
  // changed since.
  void compare_with_last() {
    for (const auto& [path, text] : last_.texts) {
      const auto [known, is_new] = changed_.try_emplace(path);
      known->second.before = text;
      known->second.was.clear();
      if (!is_new) continue;
      if (auto now = files::read_source_file(path, path, files::Symlinks::refuse))
        known->second.after = std::move(now->text);
    }
    std::erase_if(changed_, [](const auto& one) { return one.second.before == one.second.after; });
  }

  Result<void> choose_files(const servers::ServerRegistry& registry) {
    if (changed_.size() > max_looked_at)
      return Error{
          fmt::format("{} source files have changed, and {} can be compared", changed_.size(), max_looked_at),
          "give a later commit"};
    std::vector<std::string> starts = question_.paths;
    if (starts.empty()) {
      for (const auto& [path, file] : changed_) starts.push_back(path);
    }
    for (const std::string& path : starts) {
      const auto changed = changed_.find(path);
      if (changed == changed_.end() || changed->second.after) check_.looked_at.push_back(path);
    }
    if (changed_.empty()) return {};
    // Those that the same server would say something about.
    std::set<const servers::ServerSpec*> servers;
    for (const std::string& path : starts) servers.insert(registry.for_file(path));
    one_by_one_ = question_.one_by_one && std::ranges::all_of(servers, [](const servers::ServerSpec* server) {
                    return server != nullptr && (server->kind == servers::ServerKind::native_typescript ||
                                                 !server->files_found_logs.empty());
                  });
    servers.erase(nullptr);
    servers::Mentions more = servers::dependents(
        starts, check_.root, [&](const fs::path& path) { return servers.contains(registry.for_file(path)); });
    if (question_.may_read)
      std::erase_if(more.to_find, [this](const std::string& path) { return !question_.may_read(path); });
    if (!more.are_all) note("not all files of the project could be read");
    check_.dependents = std::min(more.to_find.size(), max_looked_at - std::min(starts.size(), max_looked_at));
    if (check_.dependents < more.to_find.size())
      note(fmt::format("{} more files may depend on these, and were not looked at",
                       more.to_find.size() - check_.dependents));
    check_.looked_at.insert(check_.looked_at.end(), more.to_find.begin(),
                            more.to_find.begin() + static_cast<std::ptrdiff_t>(check_.dependents));
    return {};
  }

  Result<output::Step<Check>> ask(Texts texts) {
    output::Dump dump = dump_;
    dump.arguments.inputs.paths = asked_;
    dump.arguments.words = {"check"};
    dump.arguments.inputs.paths_are_resolved = true;
    dump.arguments.inputs.texts_are_included = !texts.empty();
    dump.arguments.inputs.texts = std::move(texts);
    return output::Step<Check>(std::move(dump));
  }

  void take(const std::vector<DocumentAnswer>& answers) {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const DocumentAnswer& answer = answers[i];
      for (const std::string& text : answer.notes) note(text);
      if (answer.error) one_by_one_ = false;  // each server would be waited for anew
      if (const auto& list = answer.diagnostics.value; list && !answer.error) {
        if (list->first.size() < list->total)
          note(fmt::format("{}: only {} of {} diagnostics were read", shown(asked_[i]), list->first.size(),
                           list->total));
        (is_about_before_ ? before_ : now_)[asked_[i]] = list->first;
      } else if (!is_about_before_) {
        ++check_.unknown;
        failed_[answer.error ? answer.error->text() : answer.diagnostics.failure].push_back(shown(asked_[i]));
      }
    }
  }

  // The place of a file before the change; empty: it is new.
  std::string place_before(const std::string& path) const {
    const auto changed = changed_.find(path);
    if (changed == changed_.end() || changed->second.before) return path;
    return changed->second.was;
  }

  // Those of files with a problem, unless the last check has told theirs. False: there are none.
  bool choose_before() {
    asked_.clear();
    for (const auto& [path, diagnostics] : now_) {
      const std::string before = place_before(path);
      if (changed_.empty() || before.empty() || std::ranges::none_of(diagnostics, is_problem)) continue;
      if (const auto known = last_.known.find(before); known != last_.known.end()) {
        before_[before] = known->second;
      } else {
        asked_.push_back(before);
      }
    }
    return !asked_.empty();
  }

  // A server that looks for a removed file on disk misses it in the old texts too, so a diagnostic that names
  // the file does not count as known.
  void drop_of_removed(Diagnostics& before) const {
    for (const auto& [path, file] : changed_) {
      if (file.after) continue;
      const std::string name = fs::path(path).filename().string();
      const std::string stem = name.substr(0, name.find('.', 1));
      const std::string word =
          stem == "__init__" || stem == "index" ? fs::path(path).parent_path().filename().string() : stem;
      std::erase_if(before, [&word](const auto& one) { return has_word(one.message, word); });
    }
  }

  // A file that did not exist before is opened empty.
  Result<output::Step<Check>> ask_about_before() {
    Texts texts;
    const std::set<std::string> asked(asked_.begin(), asked_.end());
    for (const auto& [path, file] : changed_) {
      texts[path].text = file.before.value_or("");
      if (!asked.contains(path)) asked_.push_back(path);
    }
    return ask(std::move(texts));
  }

  Result<output::Step<Check>> finish() {
    for (const auto& [path, diagnostics] : now_) {
      const auto problems = static_cast<std::size_t>(std::ranges::count_if(diagnostics, is_problem));
      Diagnostics found;
      if (problems > 0 && !changed_.empty()) {
        const std::string before = place_before(path);
        if (!before.empty() && !before_.contains(before))
          note(shown(path) + ": what was wrong before is not known");
        const auto text_of = [this](const std::string& place, Text File::*text) {
          const auto changed = changed_.find(place);
          return changed == changed_.end() ? std::string() : (changed->second.*text).value_or("");
        };
        drop_of_removed(before_[before]);
        found = new_diagnostics(before_[before], text_of(before, &File::before), diagnostics,
                                text_of(path, &File::after));
      }
      check_.known += problems - found.size();
      if (!found.empty()) check_.found[path] = std::move(found);
    }
    for (const auto& [why, paths] : failed_)
      note(fmt::format("{}{}: {}", paths.front(),
                       paths.size() == 1 ? "" : fmt::format(" and {} more", paths.size() - 1), why));
    // A changed file without an answer keeps its old text, so that the next check looks at it.
    for (const auto& [path, file] : changed_) {
      if (file.after && !now_.contains(path)) state_.texts[path] = file.before;
    }
    state_.known = std::move(now_);
    const Result<void> saved = question_.paths.empty() ? state_.save() : Result<void>();
    if (!saved) note(saved.error().text());
    return output::Step<Check>(std::move(check_));
  }

  std::string shown(const std::string& path) const { return table::path_from(check_.root, path); }

  void note(std::string text) {
    if (noted_.insert(text).second) check_.notes.push_back(std::move(text));
  }

  CheckQuestion question_;
  output::Dump dump_;
  Check check_;
  CheckedState last_;   // where the question is about it
  CheckedState state_;  // what the next one is about
  bool has_begun_ = false;
  bool is_about_before_ = false;
  bool one_by_one_ = false;  // others than these servers are started anew for each file
  std::map<std::string, File> changed_;
  std::vector<std::string> asked_;
  std::size_t asked_about_ = 0;  // of those looked at
  std::map<std::string, Diagnostics> now_;
  std::map<std::string, Diagnostics> before_;
  std::map<std::string, std::vector<std::string>> failed_;  // by the reason
  std::set<std::string> noted_;
};

}  // namespace

output::Steps<Check> check_steps(CheckQuestion question, output::Dump dump) {
  const auto checking = std::make_shared<Checking>(std::move(question), std::move(dump));
  return [checking](const std::vector<DocumentAnswer>& answers) { return checking->next(answers); };
}

}  // namespace symbols::index
