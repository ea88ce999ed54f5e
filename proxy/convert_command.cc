#include "proxy/convert_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "proxy/regular_file.h"
#include "proxy/terminal_text.h"
#include "table/escape.h"
#include "table/format.h"
#include "table/raw_reply.h"
#include "table/selection.h"

namespace symbols::proxy {
namespace {

// A server's whole reply has been seen at 30 MB; what is larger is a mistake in the file's name.
constexpr std::size_t most_bytes = std::size_t{512} << 20;

// A file that the user named may well be a pipe (`<(…)`).
Result<std::string> read_input(const std::string& path) {
  if (path == "-") return read_descriptor(STDIN_FILENO, "standard input", most_bytes);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return system_error("read", path, errno);
  Result<std::string> text = read_descriptor(file, path, most_bytes);
  ::close(file);
  return text;
}

Result<table::SymbolRows> read_rows(const ConvertArguments& arguments) {
  const Result<std::string> text = read_input(arguments.file);
  if (!text) return text.error();
  const std::string name = arguments.file == "-" ? "standard input" : arguments.file;
  const auto named = [&name](const Error& error) { return Error{name + ": " + error.message, error.advice}; };
  if (arguments.from != table::Format::json) {
    const Result<table::SymbolRows> rows = table::read_rows(arguments.from, *text);
    return rows ? rows : named(rows.error());
  }
  std::optional<std::string> hovers;
  if (!arguments.hovers.empty()) {
    Result<std::string> read = read_input(arguments.hovers);
    if (!read) return read.error();
    hovers = std::move(*read);
  }
  const Result<table::SymbolRows> rows =
      table::read_raw_reply(*text, hovers ? std::optional<std::string_view>(*hovers) : std::nullopt,
                            arguments.answers.row_hover_chars());
  return rows ? rows : named(rows.error());
}

// What is shown of them where nobody says: all that there is.
AnswerOptions with_what_there_is(AnswerOptions options, const table::SymbolRows& rows) {
  if (options.fields) return options;
  if (!options.include_hover && !options.verbosity) options.include_hover = rows.with_hover;
  table::View view = options.view();
  std::erase_if(view.fields, [&rows](table::Field field) {
    return std::find(rows.lacking.begin(), rows.lacking.end(), field) != rows.lacking.end();
  });
  options.fields = view.fields;
  return options;
}

}  // namespace

int run_convert(const ConvertArguments& arguments) {
  const auto fail = [](const Error& error) {
    const std::string line = "symbols: " + terminal_text(error.text()) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    return 1;
  };
  Result<table::SymbolRows> rows = read_rows(arguments);
  if (!rows) return fail(rows.error());
  const AnswerOptions options = with_what_there_is(arguments.answers, *rows);
  if (!options.is_text() && !rows->lacking.empty() && !options.counts()) {
    return fail({fmt::format("{} has no {}, which json needs", table::format_name(arguments.from),
                             table::column_title(rows->lacking.front())),
                 "convert from an answer that has it"});
  }
  *rows = table::selected_rows(std::move(*rows), options.selection({.rule = table::Levels::Rule::all}));
  std::string text = table::render(std::move(*rows), options.rendering()).text;
  if (!text.empty()) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0) return 0;
  return fail({fmt::format("cannot write the answer: {}", std::strerror(errno)), ""});
}

}  // namespace symbols::proxy
