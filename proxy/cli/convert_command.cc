#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "proxy/cli/command_line.h"
#include "proxy/files/regular_file.h"
#include "table/escape.h"
#include "table/formats/format.h"
#include "table/selection.h"

namespace symbols::cli {
namespace {

// Replies of 30 MB have been seen; a much larger file is probably the wrong file.
constexpr std::size_t max_bytes = std::size_t{512} << 20;

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

// The user's file may be a pipe (`<(…)`).
Result<std::string> read_input(const std::string& path) {
  const bool is_standard = path == "-";
  const Descriptor opened(is_standard ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!is_standard && !opened) return files::system_error("read", path, errno);
  Result<std::string> text =
      files::read_descriptor(is_standard ? STDIN_FILENO : opened.get(), input_name(path), max_bytes);
  // Some editors and shells write a byte order mark at the start of every file.
  if (text && text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);
  return text;
}

// `hovers`: with `json`, a file of the hover replies, in pre-order; empty for none.
Result<table::SymbolRows> read_rows(table::Format from, const std::string& file, const std::string& hovers,
                                    std::size_t hover_chars) {
  const Result<std::string> text = read_input(file);
  if (!text) return text.error();
  const Result<std::string> replies = hovers.empty() ? std::string() : read_input(hovers);
  if (!replies) return replies.error();
  const Result<table::SymbolRows> rows =
      from != table::Format::json
          ? table::read_rows(from, *text)
          : table::read_raw_reply(*text, hovers.empty() ? std::nullopt : std::optional(*replies),
                                  hover_chars);
  if (rows) return rows;
  return Error{input_name(file) + ": " + rows.error().message, rows.error().advice};
}

// Adds the fields that answers have only on request: if they are there, somebody wanted them.
void add_what_was_asked_for(std::vector<table::Field>& fields, const table::SymbolRows& rows) {
  const auto add = [&](table::Field field, const auto& has) {
    if (!table::holds(fields, field) && std::ranges::any_of(rows.all, has)) fields.push_back(field);
  };
  add(table::Field::detail, [](const table::Row& row) { return !row.detail.empty(); });
  add(table::Field::tags, [](const table::Row& row) { return !row.tags.empty(); });
  if (rows.with_hover) return;  // it has both
  add(table::Field::signature, [](const table::Row& row) { return !row.hover_parts.signature.empty(); });
  add(table::Field::doc, [](const table::Row& row) { return !row.hover_parts.prose.empty(); });
}

// The default is to show everything that the rows have. A tree shows lines if it has no ranges. A server's
// reply has more than our answers show, and is cut to that.
options::AnswerOptions with_what_there_is(options::AnswerOptions options, table::Format from,
                                          const table::SymbolRows& rows) {
  if (options.fields) return options;
  const bool all = !options.verbosity;
  if (!options.include_hover && all) options.include_hover = rows.with_hover;
  std::vector<table::Field> fields = options.view().fields;
  if (all && from != table::Format::json) add_what_was_asked_for(fields, rows);
  const bool to_tree = options.format == table::Format::tree;
  if (to_tree && rows.first_lines) {  // exactly these show no more than first lines (format.h)
    options.fields = table::fields_of(table::Verbosity::minimal);
    return options;
  }
  if (to_tree && table::holds(rows.lacking, table::Field::range))
    std::ranges::replace(fields, table::Field::range, table::Field::lines);
  std::erase_if(fields, [&](table::Field field) {
    return field != table::Field::range && table::holds(rows.lacking, field);
  });
  options.fields = std::move(fields);
  return options;
}

// Whether the answer would show a default for a field that the rows lack.
bool needs(const options::AnswerOptions& options, table::Field field) {
  if (options.counts()) return false;
  const table::View view = options.view();
  const table::Format format = options.format_or_default();
  if (format == table::Format::json) return field != table::Field::lines;
  if (format == table::Format::outline)
    return field == table::Field::kind || field == table::Field::selection;
  // Exactly name, kind and range give lines (format.h).
  const bool as_lines = format == table::Format::tree && field == table::Field::range &&
                        view.fields.size() == 3 && view.shows(table::Field::name) &&
                        view.shows(table::Field::kind);
  return view.shows(field) && !as_lines;
}

// Error: names the missing fields that the answer needs.
Result<void> check_nothing_is_missing(table::Format from, const options::AnswerOptions& options,
                                      const table::SymbolRows& rows) {
  std::string missing;
  for (const table::Field field : rows.lacking) {
    if (needs(options, field)) missing += (missing.empty() ? "" : ", ") + std::string(column_title(field));
  }
  if (missing.empty()) return {};
  return Error{fmt::format("this {} has no {}, which {} needs", format_name(from), missing,
                           format_name(options.format_or_default())),
               "convert from an answer that has it"};
}

}  // namespace

Result<int> run_convert(const Given& given) {
  if (!given.has("--from") || !given.has("--to")) {
    return Error{"convert needs both formats",
                 "give --from FORMAT and --to FORMAT, such as: symbols convert "
                 "--from json --to tree reply.json"};
  }
  constexpr std::array others = {table::Format::ndjson};
  const Result<table::Format> from = table::parse_format("--from", given.text("--from"), others);
  if (!from) return from.error();
  const Result<table::Format> to = table::parse_format("--to", given.text("--to"), others);
  if (!to) return to.error();
  const std::string file = given.argument(0, "-");
  const std::string hovers = given.text("--hovers");
  if (!hovers.empty() && *from != table::Format::json)
    return Error{"--hovers needs --from json", "the other formats have hovers of their own"};
  if (hovers == "-" && file == "-")
    return Error{"standard input cannot be both the symbols and the hovers", "give one of them as a file"};
  options::AnswerOptions asked = given.answers;
  asked.format = *to;
  if (const Result<void> fits = asked.check("--max-tokens"); !fits) return fits.error();

  for (const std::string& field : asked.unknown_fields)
    terminal::tell(fmt::format("note: --fields: there is no field {}", table::quoted(field)));
  Result<table::SymbolRows> rows = read_rows(*from, file, hovers, asked.row_hover_chars());
  if (!rows) return terminal::tell_error(rows.error(), 1);
  const options::AnswerOptions options = with_what_there_is(asked, *from, *rows);
  if (const Result<void> complete = check_nothing_is_missing(*from, options, *rows); !complete)
    return terminal::tell_error({input_name(file) + ": " + complete.error().message, complete.error().advice},
                                1);
  *rows = table::select(std::move(*rows), asked.selection({.rule = table::Levels::Rule::all}));
  std::string text = table::render(std::move(*rows), options.rendering()).text;
  if (!text.empty()) text += '\n';
  if (terminal::print(text)) return 0;
  return terminal::tell_error({fmt::format("cannot write the answer: {}", std::strerror(errno)), ""}, 1);
}

}  // namespace symbols::cli
