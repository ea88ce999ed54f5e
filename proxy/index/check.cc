#include "proxy/index/check.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
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

namespace fs = std::filesystem;
using engine::DocumentAnswer;
using Diagnostics = std::vector<lsp::Diagnostic>;
using Text = std::optional<std::string>;  // none: there is no such file

// Files that are asked about; of a file that all others include the nearest are.
constexpr std::size_t max_looked_at = 200;

// Of two texts, for each line the number of what it is in both: 2n for the n-th line that they share, from 1;
// 2n+1 for lines of one of them alone behind that.
using LineNumbers = std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;

LineNumbers numbered_lines(std::string_view old_text, std::string_view new_text) {
  const std::vector<std::string_view> before = split(old_text, '\n');
  const std::vector<std::string_view> after = split(new_text, '\n');
  const std::size_t least = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < least && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < least - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const std::size_t rows = before.size() - head - tail;
  const std::size_t columns = after.size() - head - tail;
  // The longest common subsequence of what is between; none is looked for where that is long.
  constexpr std::size_t max_cells = 4'000'000;
  const bool is_short = rows == 0 || columns <= max_cells / rows;
  std::vector<std::uint32_t> longest(is_short ? (rows + 1) * (columns + 1) : 0);
  const auto cell = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
    return longest[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; is_short && row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;)
      cell(row, column) = before[head + row] == after[head + column]
                              ? cell(row + 1, column + 1) + 1
                              : std::max(cell(row + 1, column), cell(row, column + 1));
  }
  LineNumbers numbers;
  std::size_t shared = 0;
  const auto share = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers.first.push_back(2 * ++shared);
      numbers.second.push_back(2 * shared);
    }
  };
  share(head);
  for (std::size_t row = 0, column = 0; row < rows || column < columns;) {
    if (is_short && row < rows && column < columns && before[head + row] == after[head + column]) {
      share(1);
      ++row;
      ++column;
    } else if (column == columns ||
               (row < rows && (!is_short || cell(row + 1, column) >= cell(row, column + 1)))) {
      numbers.first.push_back(2 * shared + 1);
      ++row;
    } else {
      numbers.second.push_back(2 * shared + 1);
      ++column;
    }
  }
  share(tail);
  return numbers;
}

// What makes a diagnostic the same one in another text. Messages may name places: "m.go:4:2: other
// declaration".
auto identity(const lsp::Diagnostic& diagnostic, const std::vector<std::size_t>& numbers) {
  static const RE2 place(R"(:\d+:\d+)");
  std::string message = diagnostic.message;
  RE2::GlobalReplace(&message, place, "");
  const std::size_t line = diagnostic.range.start.line;
  // Numbers there are none where nothing differs. A text that ends in a newline has one more line.
  const std::size_t number = numbers.empty() ? line : line < numbers.size() ? numbers[line] : SIZE_MAX;
  return std::tuple(number, diagnostic.severity, diagnostic.code, diagnostic.source, std::move(message));
}

bool is_problem(const lsp::Diagnostic& diagnostic) {
  return diagnostic.severity <= 2;
}

class Checking {
 public:
  Checking(CheckQuestion question, output::Dump dump)
      : question_(std::move(question)), dump_(std::move(dump)) {
    std::error_code error;
    check_.root = fs::current_path(error).string();
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
    if (left > 0) return ask_about_now(one_by_one_ ? 1 : left);
    if (!std::exchange(is_about_before_, true) && choose_before()) return ask_about_before();
    return finish();
  }

 private:
  using Texts = std::map<std::string, files::SourceText>;
  struct File {
    Text before{};
    Text after{};
    std::string was{};  // where it was before, if that is another place

    bool operator==(const File&) const = default;
  };

  Result<void> begin() {
    Result<servers::ServerRegistry> registry = servers::ServerRegistry::load();
    if (!registry) return registry.error();
    std::set<std::string> settings;  // the names of files that choose what a server reads
    for (const servers::ServerSpec& server : registry->servers())
      settings.insert(server.root_markers.project.begin(), server.root_markers.project.end());
    const auto is_source = [&registry](const fs::path& path) { return registry->for_file(path) != nullptr; };
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
    check_.root = changes->root;
    check_.since = is_last ? "the last check" : changes->revision;
    if (!changes->is_whole) note("not all changed files were compared");
    for (const auto& [path, why] : changes->others) tell_if_setting(path);
    for (engine::ChangedFile& file : changes->files) {
      tell_if_setting(file.path);
      File& changed = changed_[file.path];
      if (file.before) changed.before = std::move(file.before->text);
      if (file.after) changed.after = std::move(file.after->text);
      if (!file.moved_from.empty())
        changed_[changed.was = file.moved_from].before = std::exchange(changed.before, {});
    }
    state_.commit = changes->commit;
    for (const auto& [path, file] : changed_) state_.texts[path] = file.after;
    if (is_last) compare_with_last();
    return choose_files(*registry);
  }

  // What differs from the commit may be as it was, and what does not may have differed then.
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

  Result<output::Step<Check>> ask_about_now(std::size_t count) {
    const auto first = check_.looked_at.begin() + static_cast<std::ptrdiff_t>(asked_about_);
    asked_.assign(first, first + static_cast<std::ptrdiff_t>(count));
    asked_about_ += count;
    return ask({});
  }

  Result<output::Step<Check>> ask(Texts texts) {
    output::Dump dump = dump_;
    dump.arguments.inputs.paths = asked_;
    dump.arguments.inputs.paths_are_resolved = true;
    dump.arguments.inputs.texts_are_included = !texts.empty();
    dump.arguments.inputs.texts = std::move(texts);
    return output::Step<Check>(std::move(dump));
  }

  void take(const std::vector<DocumentAnswer>& answers) {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const DocumentAnswer& answer = answers[i];
      for (const std::string& text : answer.notes) note(text);
      if (const auto& list = answer.diagnostics.value) {
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

  // Files that were not there are empty.
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
        found = new_diagnostics(before_[before], text_of(before, &File::before), diagnostics,
                                text_of(path, &File::after));
      }
      check_.known += problems - found.size();
      if (!found.empty()) check_.found[path] = std::move(found);
    }
    for (const auto& [why, paths] : failed_)
      note(fmt::format("{}{}: {}", paths.front(),
                       paths.size() == 1 ? "" : fmt::format(" and {} more", paths.size() - 1), why));
    state_.known = std::move(now_);
    if (const Result<void> saved = state_.save(check_.root); !saved) note(saved.error().text());
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

std::vector<lsp::Diagnostic> new_diagnostics(const std::vector<lsp::Diagnostic>& before,
                                             std::string_view old_text, std::vector<lsp::Diagnostic> after,
                                             std::string_view new_text) {
  const LineNumbers numbers = numbered_lines(old_text, new_text);
  std::map<decltype(identity({}, {})), std::size_t> known;
  for (const lsp::Diagnostic& diagnostic : before) ++known[identity(diagnostic, numbers.first)];
  std::erase_if(after, [&](const lsp::Diagnostic& diagnostic) {
    if (!is_problem(diagnostic)) return true;
    std::size_t& left = known[identity(diagnostic, numbers.second)];
    return left > 0 && left-- > 0;
  });
  std::ranges::stable_sort(after, {},
                           [](const lsp::Diagnostic& diagnostic) { return diagnostic.range.start; });
  return after;
}

output::Steps<Check> check_steps(CheckQuestion question, output::Dump dump) {
  const auto checking = std::make_shared<Checking>(std::move(question), std::move(dump));
  return [checking](const std::vector<DocumentAnswer>& answers) { return checking->next(answers); };
}

}  // namespace symbols::index
