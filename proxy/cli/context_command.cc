#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "proxy/cli/commands.h"
#include "proxy/cli/document_run.h"
#include "proxy/cli/source_place.h"
#include "proxy/cli/tell.h"
#include "table/escape.h"
#include "table/symbol_kind.h"

namespace symbols::cli {
namespace {

constexpr std::size_t most_candidates_told = 50;

// Prints the answer about the one document.
class ContextOutput : public AnswerSink {
 public:
  ContextOutput(std::string file, query::ContextQuestion question, Write out, Write tell)
      : file_(std::move(file)),
        question_(std::move(question)),
        out_(std::move(out)),
        tell_(std::move(tell)) {}

  void add(std::size_t, batch::DocumentAnswer answer) override {
    for (const std::string& note : answer.notes) tell_("note: " + note);
    if (answer.context && answer.context->failure) {
      fail(*answer.context->failure);
    } else if (answer.context) {
      out_(answer.context->text + '\n');
      if (answer.context->hovers_missing > 0) {
        tell_(fmt::format("note: {} hovers of children are missing", answer.context->hovers_missing));
      }
    }
    if (answer.error) fail(*answer.error);
  }
  void finish(const std::vector<Error>& others) override {
    for (const Error& error : others) fail(error);
  }
  bool any_failed() const override { return failed_; }

 private:
  void fail(const Error& error) {
    failed_ = true;
    // Messages about reading the file already begin with its name.
    const bool named =
        error.message.starts_with(file_ + ": ") || error.message.starts_with("cannot read " + file_ + ": ");
    tell_((named ? std::string() : file_ + ": ") + error.text());
  }

  void fail(const query::ContextFailure& failure) {
    const std::string list_all = fmt::format("'symbols {}' lists the symbols of that file", file_);
    switch (failure.reason) {
      case query::ContextFailure::Reason::refused:
      case query::ContextFailure::Reason::unreadable:
        fail(Error{"the server's symbols cannot be read: " + failure.detail, {}});
        break;
      case query::ContextFailure::Reason::no_symbol:
        fail(Error{no_symbol_text(), list_all});
        break;
      case query::ContextFailure::Reason::several:
        tell_candidates(failure.candidates);
        break;
    }
  }

  std::string no_symbol_text() const {
    if (question_.name) return "there is no symbol called " + table::quoted(*question_.name);
    if (question_.position) {
      return fmt::format("there is no symbol at line {}, column {}", question_.position->line + 1,
                         question_.position->character + 1);
    }
    return fmt::format("there is no symbol on line {} or around it", question_.line.value_or(0) + 1);
  }

  // Lists each as a position that can be used in the next call.
  void tell_candidates(const std::vector<lsp::DocumentSymbol>& candidates) {
    fail(Error{fmt::format("{} symbols are called {}", candidates.size(),
                           table::quoted(question_.name.value_or(""))),
               "ask for one of them by its position:"});
    for (std::size_t i = 0; i < std::min(candidates.size(), most_candidates_told); ++i) {
      const lsp::DocumentSymbol& symbol = candidates[i];
      const lsp::Position start = symbol.selection_range.start;
      tell_(fmt::format("{}:{}:{}  {}{}", file_, start.line + 1, start.character + 1,
                        table::kind_name(symbol.kind),
                        symbol.container_name.empty() ? std::string() : " in " + symbol.container_name));
    }
    if (candidates.size() > most_candidates_told) {
      tell_(fmt::format("and {} more", candidates.size() - most_candidates_told));
    }
  }

  std::string file_;
  query::ContextQuestion question_;
  Write out_;
  Write tell_;
  bool failed_ = false;
};

bool is_file(const std::string& name) {
  std::error_code error;
  return std::filesystem::exists(name, error);
}

}  // namespace

int run_context(const ContextArguments& arguments) {
  DumpArguments document = arguments.document;
  document.inputs.search_project = true;
  query::ContextQuestion question;
  question.options = document.answers;
  question.levels = document.answers.return_children;
  if (document.answers.include) question.limits = document.answers.include->over(question.limits);
  if (arguments.name) {
    question.name = arguments.name;
  } else {
    const Result<SourcePlace> place = read_source_place(document.inputs.paths.front(), is_file);
    if (!place) {
      tell(place.error().text());
      return 2;
    }
    document.inputs.paths = {place->file};
    if (place->column) {
      question.position = lsp::Position{place->line - 1, *place->column - 1};
    } else {
      question.line = place->line - 1;
    }
  }
  const std::string& file = document.inputs.paths.front();
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    tell(Error{table::quoted(file) + " is a folder", "give the file with the symbol"}.text());
    return 2;
  }
  if (file == "-" && document.inputs.language.empty()) {
    tell(Error{"- (standard input) needs --language", "such as --language typescript"}.text());
    return 2;
  }
  query::InquiryOptions inquiry;
  inquiry.context = question;
  return run_documents(document, std::move(inquiry),
                       [&](const batch::DocumentInputs&, AnswerSink::Write out, AnswerSink::Write tell) {
                         return std::make_unique<ContextOutput>(file, question, std::move(out),
                                                                std::move(tell));
                       });
}

}  // namespace symbols::cli
