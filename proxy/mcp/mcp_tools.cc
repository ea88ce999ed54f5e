#include "proxy/mcp/mcp_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "proxy/files/project_root.h"
#include "proxy/index/check.h"
#include "proxy/index/impact.h"
#include "proxy/index/index_store.h"
#include "proxy/options/configuration.h"
#include "proxy/output/run_output.h"
#include "proxy/servers/server_registry.h"
#include "table/escape.h"

namespace symbols::mcp {
namespace {

using options::AnswerOptions;
using options::OptionValue;
namespace takers = options::takers;

// Budgets where the model gives none, in tokens. An answer of one file's symbols has some 700 rows in them.
constexpr std::uint64_t document_tokens = 5000;
constexpr std::uint64_t context_tokens = 4000;
constexpr std::uint64_t found_symbols = 50;
constexpr std::uint64_t max_diagnostics = 20;

constexpr const char* context_hint = "give max_tokens, or limits for source, references and callers";

// Short, for the answer: from the first root, where it is in there.
std::string shown_path(const fs::path& path, const AllowedRoots& roots) {
  const fs::path relative = path.lexically_relative(roots.first());
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

// Documents at `paths`, which are in the roots now, and stay so: no link in them is followed from here on.
Result<engine::InputOptions> inputs_of(const std::vector<std::string>& paths, const ToolScope& scope) {
  engine::InputOptions inputs;
  inputs.paths_are_resolved = true;
  for (const std::string& path : paths) {
    const Result<fs::path> found = scope.roots.find(path);
    if (!found) return found.error();
    inputs.paths.push_back(shown_path(*found, scope.roots));
  }
  inputs.trust_project = scope.trust.trust_project;
  inputs.confine = scope.trust.confine;
  return inputs;
}

// What servers are asked about documents at `paths`.
Result<output::Dump> dump_of(output::DumpArguments given, const std::vector<std::string>& paths,
                             const ToolScope& scope) {
  given.answers.color = terminal::ColourUse::never;
  Result<engine::InputOptions> inputs = inputs_of(paths, scope);
  if (!inputs) return inputs.error();
  given.inputs = std::move(*inputs);
  return output::prepare_dump(given, terminal::Console{});
}

// `list`: parts that there are, with limits that they can have.
options::IncludedParts parts_of(const std::string& list) {
  return options::IncludedParts::parse(OptionValue::of_text("include", list)).value();
}

PlannedRun planned_run(output::Dump dump, const engine::KeptFlags& kept_flags) {
  Result<output::PreparedRun> run = output::find_documents(std::move(dump), kept_flags);
  return run ? PlannedRun(std::move(*run)) : refusal(run.error());
}

Result<ToolPlan> about_documents(std::string_view tool, const ToolArguments& arguments,
                                 const ToolScope& scope, const AnswerOptions& answers, std::string hint) {
  const std::vector<std::string> paths = arguments.texts("paths");
  if (paths.empty())
    return Error{"no paths are given", R"(give files or folders: {"paths": ["src/app.ts"]})"};
  output::DumpArguments given;
  given.answers = answers;
  given.words = arguments.words(tool, "paths");
  given.counted = true;
  Result<output::Dump> dump = dump_of(std::move(given), paths, scope);
  if (!dump) return dump.error();
  if (dump->inquiry.document.diagnostics > 0) {
    dump->inquiry.tell_if_none_found = false;
    dump->make_sink = [](const engine::DocumentInputs& inputs, output::RunOutput& output) {
      return std::make_unique<output::OrderedOutput>(output::display_paths(inputs),
                                                     output::OutputOptions{.only_diagnostics = true}, output);
    };
  }
  return ToolPlan{
      .documents = [dump = std::move(*dump), kept = scope.kept_flags] { return planned_run(dump, kept); },
      .tokens = answers.max_tokens.value_or(document_tokens),
      .hint = std::move(hint)};
}

Result<ToolPlan> outline(const ToolArguments& arguments, const ToolScope& scope) {
  AnswerOptions answers = arguments.answers().over(
      {.format = table::Format::tree, .verbosity = table::Verbosity::minimal, .max_tokens = document_tokens});
  if (answers.verbosity == table::Verbosity::full) {
    answers.verbosity.reset();
    answers.fields = {table::Field::name, table::Field::kind, table::Field::lines, table::Field::hover};
  }
  return about_documents("outline", arguments, scope, answers,
                         "narrow it with kind, match, children or fewer paths, or give max_tokens");
}

// `find` without the files outside of the roots, which an answer may not rest on.
void keep_inside(std::function<servers::Mentions(std::string_view)>& find, const AllowedRoots& roots) {
  find = [find, roots](std::string_view name) {
    servers::Mentions mentions = find(name);
    const auto is_outside = [&roots](const std::string& path) { return roots.root_of(path) == nullptr; };
    if (std::erase_if(mentions.to_open, is_outside) > 0) mentions.are_all = false;
    return mentions;
  };
}

// Neither are files outside of the roots opened for the mentions that they have.
PlannedRun inside(PlannedRun run, const AllowedRoots& roots) {
  if (auto* const kept = std::get_if<output::PreparedRun>(&run)) {
    for (engine::DocumentInput& input : kept->inputs.documents) {
      if (input.job && input.job->find_mentions) keep_inside(input.job->find_mentions, roots);
    }
  }
  return run;
}

PlannedRun context_run(const output::ContextArguments& arguments, const AllowedRoots& roots,
                       const engine::KeptFlags& kept_flags) {
  if (const Result<void> entered = roots.enter(); !entered) return refusal(entered.error());
  // Without an index of its own, that of a folder above would be asked.
  if (const auto index = index::find_index(roots.first());
      arguments.is_name && index && index->root != roots.first())
    return refusal(Error{"there is no index of the project", "give a path and a line"});
  std::variant<output::Dump, output::ContextRefusal> prepared =
      index::prepare_context(arguments, terminal::Console{});
  if (auto* const refused = std::get_if<output::ContextRefusal>(&prepared)) return std::move(*refused);
  return inside(planned_run(std::move(std::get<output::Dump>(prepared)), kept_flags), roots);
}

template <bool hover_only>
Result<ToolPlan> context(const ToolArguments& arguments, const ToolScope& scope) {
  const AllowedRoots& roots = scope.roots;
  const std::optional<std::string> path = arguments.text("path");
  const std::optional<std::string> name = arguments.text("name");
  const std::optional<std::uint64_t> line = arguments.number("line");
  const std::optional<std::uint64_t> column = arguments.number("column");
  if (!name && !line)
    return Error{"neither a name nor a line is given", R"(give {"name": "…"}, or {"path": "…", "line": 24})"};
  if (name && line) return Error{"both a name and a line are given", "give one of them"};
  if (line && !path) return Error{"a line needs a path", "give the path of its file"};
  if (column && !line) return Error{"a column needs a line", "give both"};

  output::ContextArguments asked;
  AnswerOptions& answers = asked.document.answers;
  asked.document.words = arguments.words(hover_only ? "hover" : "context", {});
  std::string parts = "children:0,source:0,references:0,callers:0,diagnostics:0";
  if (!hover_only) {
    answers = arguments.answers().over({.max_tokens = context_tokens});
    parts.clear();
    for (const char* const part : {"source", "references", "callers"}) {
      if (const std::optional<std::uint64_t> limit = arguments.number(part))
        parts += fmt::format("{}{}:{}", parts.empty() ? "" : ",", part, *limit);
    }
  }
  if (!parts.empty()) answers.include = parts_of(parts);
  ToolPlan plan{.tokens = answers.max_tokens.value_or(context_tokens), .hint = context_hint};
  Result<engine::InputOptions> inputs = inputs_of(arguments.texts("path"), scope);
  if (!inputs) return inputs.error();
  asked.document.inputs = std::move(*inputs);
  if (path) {
    std::string& file = asked.document.inputs.paths.front();
    asked.name = name;
    if (line) file += fmt::format(":{}", *line);
    if (column) file += fmt::format(":{}", *column);
  } else {
    // The index has the file.
    asked.is_name = true;
    asked.document.inputs.paths = {*name};
    const Result<index::ProjectIndex*> index = scope.index_of(roots.first());
    if (!index) return index.error();
    plan.indexes = {*index};
  }
  plan.documents = [asked, roots, kept = scope.kept_flags] { return context_run(asked, roots, kept); };
  return plan;
}

Result<ToolPlan> find(const ToolArguments& arguments, const ToolScope& scope) {
  const std::optional<std::string> query = arguments.text("query");
  if (!query || query->empty()) return Error{"no query is given", R"(give a name: {"query": "parseConfig"})"};
  const std::uint64_t limit = arguments.number("limit").value_or(found_symbols);
  const index::SymbolQuery asked{
      .name = *query,
      .kinds = arguments.answers().filter_kind.value_or(std::vector<std::int64_t>()),
      .limit = static_cast<std::size_t>(limit)};
  ToolPlan plan{.tokens = limit * 60, .hint = "give kind, a longer query or a smaller limit"};
  for (const fs::path& root : scope.roots.all()) {
    const Result<index::ProjectIndex*> index = scope.index_of(root);
    if (!index) return index.error();
    plan.indexes.push_back(*index);
  }
  plan.ask = [asked, roots = scope.roots](const index::FoundIndex& place) -> Result<index::IndexAnswer> {
    if (const Result<void> entered = roots.enter(); !entered) return entered.error();
    Result<options::Configuration> configured = options::configuration_of(place.root.string());
    if (!configured) return configured.error();
    index::SymbolQuery now = asked;
    now.left_out = options::left_out_by(std::move(configured->ignored));
    return index::find_in_index(place, now, "a larger limit");
  };
  return plan;
}

Result<ToolPlan> map(const ToolArguments& arguments, const ToolScope& scope) {
  const AllowedRoots& roots = scope.roots;
  const std::optional<std::string> folder = arguments.text("folder");
  const std::size_t tokens = arguments.answers().max_tokens.value_or(index::map_tokens);
  fs::path asked = roots.first();
  if (folder) {
    const Result<fs::path> found = roots.find(*folder);
    if (!found) return found.error();
    asked = *found;
  }
  const Result<index::ProjectIndex*> index = scope.index_of(*roots.root_of(asked));
  if (!index) return index.error();
  ToolPlan plan{.indexes = {*index}, .tokens = tokens, .hint = "give a folder, or max_tokens"};
  plan.ask = [asked, tokens, roots](const index::FoundIndex& place) -> Result<index::IndexAnswer> {
    if (const Result<void> entered = roots.enter(); !entered) return entered.error();
    const Result<std::string> inside = index::folder_in_project(asked.string(), place.root);
    if (!inside) return inside.error();
    const Result<options::Configuration> configured = options::configuration_of(place.root.string());
    if (!configured) return configured.error();
    Result<index::IndexAnswer> answer = index::map_of_index(
        place, *inside, table::TokenLimit::for_text_of(tokens, table::Tokenizer::o200k), configured->ignored);
    if (answer && answer->text.empty())
      return Error{"there are no symbols of source files in " + table::quoted(asked.string()), {}};
    return answer;
  };
  return plan;
}

// Asks the servers step by step, and then gives the answer's text.
template <class Answer, class ToText>
ToolPlan in_steps(output::Steps<Answer> next, ToText text, const ToolScope& scope, const AnswerOptions& asked,
                  std::string hint) {
  const auto answers = std::make_shared<std::vector<engine::DocumentAnswer>>();
  return {.documents = [next = std::move(next), text, answers, limit = asked.token_limit(),
                        roots = scope.roots, kept = scope.kept_flags]() -> PlannedRun {
            if (const Result<void> entered = roots.enter(); !entered) return refusal(entered.error());
            Result<output::Step<Answer>> step = next(*answers);
            if (!step) return refusal(step.error());
            if (auto* const found = std::get_if<Answer>(&*step)) {
              index::IndexAnswer answer{.text = text(*found, roots.first().string(), limit)};
              for (const std::string& note : found->notes) answer.notes.push_back("note: " + note);
              if (!found->since.empty() && roots.all().size() > 1)
                answer.notes.push_back("note: of the roots only the first was compared");
              return answer;
            }
            auto& asked_now = std::get<output::Dump>(*step);
            output::collect(asked_now, *answers);
            return inside(planned_run(std::move(asked_now), kept), roots);
          },
          .is_in_steps = true,
          .tokens = asked.max_tokens.value_or(context_tokens),
          .hint = std::move(hint)};
}

Result<ToolPlan> impact(const ToolArguments& arguments, const ToolScope& scope) {
  const AllowedRoots& roots = scope.roots;
  const std::optional<std::string> path = arguments.text("path");
  const std::optional<std::uint64_t> line = arguments.number("line");
  const std::optional<std::uint64_t> column = arguments.number("column");
  index::ImpactQuestion question{.revision = arguments.text("revision").value_or(""),
                                 .depth = arguments.number("depth").value_or(1)};
  if (path.has_value() != line.has_value())
    return Error{"a path needs a line, and a line a path", "give both"};
  if (column && !line) return Error{"a column needs a line", "give both"};
  if (path && !question.revision.empty())
    return Error{"both a revision and a path are given", "give one of them"};
  output::DumpArguments given;
  given.answers = arguments.answers().over({.format = table::Format::tree, .max_tokens = context_tokens});
  Result<output::Dump> dump = dump_of(given, arguments.texts("path"), scope);
  if (!dump) return dump.error();
  const auto at = column ? std::optional(static_cast<std::uint32_t>(*column)) : std::nullopt;
  if (path)
    question.places.push_back({dump->arguments.inputs.paths.front(), static_cast<std::uint32_t>(*line), at});
  question.may_read = [roots](const std::string& folder) { return roots.root_of(folder) != nullptr; };
  return in_steps(index::impact_steps(std::move(question), std::move(*dump)), index::impact_text, scope,
                  given.answers, "give max_tokens, or a path and a line");
}

// `diagnostics` with `since`.
Result<ToolPlan> check(const ToolArguments& arguments, std::string since, const ToolScope& scope) {
  output::DumpArguments given;
  given.answers = {.format = table::Format::tree, .max_tokens = document_tokens};
  Result<output::Dump> dump = dump_of(given, arguments.texts("paths"), scope);
  if (!dump) return dump.error();
  index::CheckQuestion question{.since = std::move(since), .one_by_one = true};
  for (const std::string& path : dump->arguments.inputs.paths)
    question.paths.push_back(files::absolute_path(path).string());
  question.may_read = [roots = scope.roots](const std::string& path) {
    return roots.root_of(path) != nullptr;
  };
  return in_steps(index::check_steps(std::move(question), std::move(*dump)), index::check_text, scope,
                  given.answers, "ask about fewer paths");
}

Result<ToolPlan> diagnostics(const ToolArguments& arguments, const ToolScope& scope) {
  if (std::optional<std::string> since = arguments.text("since")) return check(arguments, *since, scope);
  if (arguments.texts("paths").empty())
    return Error{"neither paths nor a revision are given", R"(give {"paths": ["…"]} or {"since": "HEAD"})"};
  const std::uint64_t limit = arguments.number("limit").value_or(max_diagnostics);
  const AnswerOptions answers{.verbosity = table::Verbosity::counts,
                              .include = parts_of(fmt::format("diagnostics:{}", limit))};
  return about_documents("diagnostics", arguments, scope, answers, "ask about fewer paths");
}

struct KnownTool {
  std::string_view name;
  Result<ToolPlan> (*plan)(const ToolArguments& arguments, const ToolScope& scope);
  std::uint32_t taker;
  std::string_view required;  // an argument; empty: none
  std::string_view title;
  std::string_view description;
};

// All of it is sent with every conversation, so each word has to earn its tokens.
constexpr auto known_tools = std::to_array<KnownTool>({
    {"outline", outline, takers::outline_tool, "paths", "Outline of files",
     "What is in source files: every class, function, method, field, nested, with its lines. Use it before "
     "reading a file: it costs a tenth of the file, and says which lines to read. Each symbol is a letter "
     "for its kind, its first line (a last one if it is 20 lines or longer) and its name: `c28-44 Rectangle` "
     "is a class on lines 28 to 44. Letters: c class, i interface, s struct, e enum, E enum member, f "
     "function, m method, C constructor, p property, F field, v variable, k constant, n namespace, M module, "
     "T type parameter. Indentation is nesting; after a space or comma follow the next symbols of the same "
     "kind, on the next or the same line; +N are N folded ones."},
    {"find", find, takers::find_tool, "query", "Find symbols by name",
     "Where symbols are declared in the whole project, by name: exact matches first, then prefixes, then "
     "fuzzy ones, with kind, container, file and line. Use it instead of grep to find a definition. The "
     "first call in a project indexes it, which can take a minute."},
    {"context", context<false>, takers::context_tool, "", "Everything about one symbol",
     "One symbol: its type and documentation, members, source text, references in the whole project, "
     "callers, and the diagnostics of its file. Use it before changing a symbol, and instead of reading its "
     "file and searching for its uses. Give its path and line, its path and name, or its name alone."},
    {"map", map, takers::map_tool, "", "Map of the project",
     "The project at a glance: its folders and files with their most used names, within a budget of tokens. "
     "Use it first in a project that you do not know. The first call in a project indexes it, which can take "
     "a minute."},
    {"impact", impact, takers::impact_tool, "", "What a change touches",
     "What the changes since a commit touch: the symbols that differ, every line that uses them, where "
     "removed names still stand. With a path and a line, what changing that symbol would. Use it before "
     "and after an edit."},
    {"diagnostics", diagnostics, takers::diagnostics_tool, "", "Errors and warnings of files",
     "The errors and warnings that the compiler or type checker has for files. After an edit, with `since`: "
     "those that are new, also in the files that depend on what changed."},
    {"hover", context<true>, takers::hover_tool, "path", "Type and documentation of a symbol",
     "The type, signature and documentation of the symbol that is declared at a place or called by a name in "
     "a file. For more about it, context."},
});

}  // namespace

const std::vector<Tool>& tool_schemas() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> all;
    for (const auto& [name, plan, taker, required, title, description] : known_tools)
      all.push_back({name, title, description, argument_schema(taker, required)});
    return all;
  }();
  return tools;
}

Result<ToolPlan> plan_of(const ToolCall& call, const ToolScope& scope) {
  const auto* const tool = std::ranges::find(known_tools, call.tool, &KnownTool::name);
  const Result<ToolArguments> arguments = ToolArguments::read(call.arguments, tool->taker);
  if (!arguments) return arguments.error();
  return tool->plan(*arguments, scope);
}

}  // namespace symbols::mcp
