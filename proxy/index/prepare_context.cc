#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"
#include "proxy/files/project_root.h"
#include "proxy/index/index_answers.h"
#include "proxy/index/named_symbols.h"
#include "proxy/options/configuration.h"
#include "proxy/options/option_value.h"
#include "proxy/output/document_run.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/rows.h"

namespace symbols::index {
namespace {

constexpr std::size_t max_candidates_shown = 20;  // a screen
// Where no more symbols have a name, all of them are answered: whoever wants one of them need not ask again.
constexpr std::size_t max_answered = 4;
constexpr std::size_t max_others_shown = 5;

// Prints the answers about one symbol of each document, in the order of the documents.
class ContextOutput : public output::AnswerSink {
 public:
  ContextOutput(std::vector<std::string> files, query::ContextQuestion question, output::RunOutput& output)
      : files_(std::move(files)), file_(files_.front()), question_(std::move(question)), output_(output) {}

  void add(std::size_t index, engine::DocumentAnswer answer) override { answers_[index] = std::move(answer); }
  void finish(const std::vector<Error>& others) override {
    for (auto& [index, answer] : answers_) {
      file_ = files_[index];
      if (!question_.positions.empty()) question_.position = question_.positions[index];
      if (index > 0) output_.write("\n");
      print(answer);
    }
    for (const Error& error : others) fail(error);
  }
  bool any_failed() const override { return failed_; }

 private:
  void print(const engine::DocumentAnswer& answer) {
    for (const std::string& note : answer.notes) output_.tell("note: " + note);
    if (answer.context && answer.context->failure) {
      fail(*answer.context->failure);
    } else if (answer.context) {
      const bool json = question_.options.format == table::Format::json;
      output_.write(
          (json ? query::write_context_answer(*answer.context, question_).json : answer.context->text) +
          '\n');
      if (question_.rename_to && !answer.context->notice.empty())
        output_.tell("note: " + answer.context->notice);
      if (const auto& others = answer.context->others; !others.empty()) {
        output_.tell(fmt::format("note: {} more symbol{} called {}:", others.size(),
                                 others.size() == 1 ? " is" : "s are",
                                 table::quoted(question_.name.value_or(""))));
        tell_symbols(others, max_others_shown);
      }
      if (answer.context->hovers_missing > 0)
        output_.tell(fmt::format("note: {} hovers of children are missing", answer.context->hovers_missing));
    }
    if (answer.error) fail(*answer.error);
  }

  void fail(const Error& error) {
    failed_ = true;
    // Messages about reading the file already begin with its name.
    const bool named =
        error.message.starts_with(file_ + ": ") || error.message.starts_with("cannot read " + file_ + ": ");
    output_.tell((named ? std::string() : file_ + ": ") + error.text());
  }

  void fail(const query::ContextFailure& failure) {
    using Reason = query::ContextFailure::Reason;
    if (failure.reason == Reason::several) {
      fail(Error{fmt::format("{} symbols are called {}", failure.candidates.size(),
                             table::quoted(question_.name.value_or(""))),
                 "ask for one of them by its position:"});
    } else if (failure.reason == Reason::no_symbol) {
      fail(Error{no_symbol_text(), fmt::format("'symbols {}' lists the symbols of that file{}", file_,
                                               failure.candidates.empty() ? "" : "; near it are:")});
    } else {
      const bool is_refused = failure.reason == Reason::refused;
      fail(Error{(is_refused ? "the server's symbols cannot be read: " : "") + failure.detail, {}});
    }
    tell_symbols(failure.candidates, max_candidates_shown);
  }

  std::string no_symbol_text() const {
    if (question_.name) return "there is no symbol called " + table::quoted(*question_.name);
    if (question_.position) {
      return fmt::format("there is no symbol at line {}, column {}", question_.position->line + 1,
                         question_.position->character + 1);
    }
    return fmt::format("there is no symbol on line {} or around it", question_.line.value_or(0) + 1);
  }

  // Lists each as a position that can be used in the next call, and by its name where that was not asked for.
  void tell_symbols(const std::vector<lsp::DocumentSymbol>& symbols, std::size_t most) {
    for (std::size_t i = 0; i < std::min(symbols.size(), most); ++i) {
      const lsp::DocumentSymbol& symbol = symbols[i];
      const lsp::Position start = symbol.selection_range.start;
      std::string text = fmt::format("{}:{}:{}  {}", file_, start.line + 1, start.character + 1,
                                     table::kind_name(symbol.kind));
      if (symbol.name != question_.name) table::table_cell_escape.append(text += ' ', symbol.name);
      if (!symbol.container_name.empty())
        table::table_cell_escape.append(text += " in ", symbol.container_name);
      if (!symbol.detail.empty()) table::table_cell_escape.append(text += "  ", symbol.detail);
      output_.tell(text);
    }
    if (symbols.size() > most) output_.tell(fmt::format("and {} more", symbols.size() - most));
  }

  std::vector<std::string> files_;
  std::string file_;  // the one that is printed
  query::ContextQuestion question_;
  output::RunOutput& output_;
  std::map<std::size_t, engine::DocumentAnswer> answers_;
  bool failed_ = false;
};

// Makes the question one about the symbols that the name means, by the index. Or what to print instead.
// `may_be_several`: answers can follow each other.
std::optional<output::ContextRefusal> ask_about(const NamedSymbols& named, const std::string& name,
                                                bool may_be_several, std::vector<std::string>& paths,
                                                query::ContextQuestion& question,
                                                std::vector<std::string>& notes) {
  const std::string quoted = table::quoted(name);
  notes = named.notes;
  const auto list = [](std::vector<std::string>& lines, const auto& items, std::size_t most, auto text_of) {
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i) lines.push_back(text_of(items[i]));
    if (items.size() > most) lines.push_back(fmt::format("and {} more", items.size() - most));
  };
  if (named.found.empty()) {
    notes.push_back(fmt::format(
        "there is no file {} and no symbol of that name in the index{}{}; 'symbols index' indexes what is "
        "new",
        quoted, named.near_names.empty() ? "" : "; nearest: ", fmt::join(named.near_names, ", ")));
    return output::ContextRefusal{.lines = notes, .status = 1};
  }
  if (named.found.size() > 1 || named.are_imports) {
    const std::size_t count = named.found.size();
    std::set<std::string_view> files;
    for (const NamedSymbol& symbol : named.found) files.insert(symbol.file);
    // A document has one answer.
    const bool may_answer_all = may_be_several && count <= max_answered && files.size() == count;
    const bool all = may_answer_all && !named.are_imports;
    notes.push_back(
        named.are_imports
            ? fmt::format("{} of {}, which nothing in the project declares:", counted(count, "import"),
                          quoted)
            : fmt::format("{}{} symbols are called {}{}:", all ? "note: " : "", count, quoted,
                          all ? ", answered in this order" : "; ask for one of them by its place"));
    list(notes, named.found, max_candidates_shown, [](const NamedSymbol& symbol) {
      return symbol.overloads.empty()
                 ? symbol.place
                 : fmt::format("{}  (+{} in its scope)", symbol.place, symbol.overloads.size());
    });
    if (!all) return output::ContextRefusal{.lines = notes, .status = 1};
    paths.clear();
    for (const NamedSymbol& symbol : named.found) {
      paths.push_back(symbol.file);
      question.positions.push_back(symbol.position);
    }
    return {};
  }
  const NamedSymbol& symbol = named.found.front();
  if (const std::size_t count = symbol.overloads.size(); count > 0) {
    notes.push_back(fmt::format("note: {} more {} called {} in its scope:", count,
                                count == 1 ? "symbol is" : "symbols are", quoted));
    list(notes, symbol.overloads, max_others_shown, [](const std::string& place) { return place; });
  }
  if (named.passed_over > 0)
    notes.push_back(
        named.passed_over == 1
            ? fmt::format("note: 1 more symbol is called {}; find lists it", quoted)
            : fmt::format("note: {} more symbols are called {}; find lists them", named.passed_over, quoted));
  paths = {symbol.file};
  question.position = symbol.position;
  return {};
}

// Adds those of the settings that say something of an answer about one symbol, or of its server.
Result<void> add_settings(output::DumpArguments& document, const std::string& file) {
  const Result<options::Configuration> configured =
      options::configuration_of(file, document.inputs.symlinks());
  if (!configured) return configured.error();
  document.configured = options::words_of(*configured);
  const options::AnswerOptions& all = configured->settings;
  document.answers = document.answers.over({.kind_names = all.kind_names,
                                            .max_tokens = all.max_tokens,
                                            .tokenizer = all.tokenizer,
                                            .timeout = all.timeout,
                                            .color = all.color,
                                            .confine = all.confine,
                                            .warm = all.warm,
                                            .server_memory = all.server_memory});
  if (!document.inputs.confine) document.inputs.confine = document.answers.confine;
  return {};
}

}  // namespace

std::variant<output::Dump, output::ContextRefusal> prepare_context(const output::ContextArguments& given,
                                                                   const terminal::Console& console) {
  output::Dump dump{.arguments = given.document};
  engine::InputOptions& inputs = dump.arguments.inputs;
  inputs.search_project = true;
  std::optional<table::Format>& format = dump.arguments.answers.format;
  if (!format) format = console.is_terminal ? table::Format::pretty : table::Format::tree;
  const bool is_text = format == table::Format::pretty || format == table::Format::tree;
  query::ContextQuestion question;
  const std::string word = inputs.paths.front();
  std::vector<std::string> notes;
  if (given.name && (files::is_there(word) || inputs.is_standard_input(word))) {
    question.name = given.name;
  } else if (given.name || given.is_name || (!files::is_there(word) && !options::has_line(word))) {
    Result<options::Configuration> configured = options::configuration_of(".");
    if (!configured) return output::ContextRefusal{.lines = {configured.error().text()}};
    // `utils.ts sleep`, `src/utils/sleep`: the symbol in what has a path that ends so.
    const std::size_t slash = word.rfind('/');
    const bool has_folder = slash != word.npos && slash + 1 < word.size();
    const std::string name = given.name.value_or(has_folder ? word.substr(slash + 1) : word);
    const std::string in = given.name ? word : has_folder ? word.substr(0, slash) : std::string();
    const Result<FoundIndex> place = find_index(inputs.root.empty() ? "." : inputs.root);
    const Result<NamedSymbols> named =
        place ? find_named_symbols(*place, name, in, options::left_out_by(std::move(configured->ignored)))
              : place.error();
    if (given.name && (!named || named->found.empty())) {
      question.name = given.name;  // that there is no such file is told when it is read
    } else if (!named) {
      return output::ContextRefusal{
          .lines = {fmt::format("{} is no file, and as a symbol's name it cannot be looked up: {}; {}; or "
                                "give FILE:LINE or FILE NAME",
                                table::quoted(word), named.error().message, named.error().advice)},
          .status = 1};
    } else if (std::optional<output::ContextRefusal> refusal =
                   ask_about(*named, given.name.value_or(word), is_text && !given.rename_to, inputs.paths,
                             question, notes)) {
      return *std::move(refusal);
    }
  } else {
    const Result<options::SourcePlace> place = options::read_source_place(word, files::is_there);
    if (!place) return output::ContextRefusal{.lines = {place.error().text()}};
    inputs.paths = {place->file};
    if (place->column) {
      question.position = lsp::Position{place->line - 1, *place->column - 1};
    } else {
      question.line = place->line - 1;
    }
  }
  const std::string& file = inputs.paths.front();
  if (const Result<void> added = add_settings(dump.arguments, file); !added)
    return output::ContextRefusal{.lines = {added.error().text()}};
  if (is_text) question.outline_folder = files::working_folder().string();
  const terminal::ColourUse colour = dump.arguments.answers.color.value_or(terminal::ColourUse::automatic);
  if (format == table::Format::pretty)
    question.page = table::PrettyStyle{.width = console.width, .colour = console.wants_colour(colour)};
  question.options = dump.arguments.answers;
  if (std::optional<std::size_t>& tokens = question.options.max_tokens; tokens && inputs.paths.size() > 1)
    *tokens /= inputs.paths.size();
  question.levels = dump.arguments.answers.return_children;
  question.rename_to = given.rename_to;
  // A kept server would say no more, and no kept answer holds after another file has changed.
  if (given.rename_to) dump.arguments.answers.warm = false;
  if (dump.arguments.answers.include) question.limits = dump.arguments.answers.include->over(question.limits);
  if (files::is_folder(file))
    return output::ContextRefusal{{table::quoted(file) + " is a folder; give the file with the symbol"}};
  if (given.rename_to && inputs.is_standard_input(file))
    return output::ContextRefusal{{"rename needs a file, not standard input"}};
  if (inputs.is_standard_input(file) && inputs.language.empty())
    return output::ContextRefusal{{"- (standard input) needs --language; such as --language typescript"}};
  dump.inquiry.context = question;
  dump.make_sink = [files = inputs.paths, question, notes](const engine::DocumentInputs&,
                                                           output::RunOutput& output) {
    for (const std::string& note : notes) output.tell(note);
    return std::make_unique<ContextOutput>(files, question, output);
  };
  return dump;
}

}  // namespace symbols::index
