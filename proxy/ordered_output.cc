#include "proxy/ordered_output.h"

#include <fmt/format.h>

#include "lsp/json.h"
#include "table/escape.h"
#include "table/json_format.h"
#include "table/table_format.h"

namespace symbols::proxy {

OrderedOutput::OrderedOutput(std::vector<std::string> paths, OutputOptions options, Write out, Write tell)
    : paths_(std::move(paths)), options_(options), out_(std::move(out)), tell_(std::move(tell)) {}

void OrderedOutput::add(std::size_t index, DocumentAnswer answer) {
  waiting_.emplace(index, std::move(answer));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.begin()) {
    print(next_, first->second);
    waiting_.erase(first);
    ++next_;
  }
}

void OrderedOutput::print(std::size_t index, const DocumentAnswer& answer) {
  const std::string& path = paths_[index];
  for (const std::string& note : answer.notes) tell_("note: " + note);
  if (answer.rows) {
    if (options_.format == OutputFormat::table) {
      out_((options_.several ? heading(path) : std::string()) + document(*answer.rows) + '\n');
    } else if (options_.several) {
      out_(fmt::format("{}{{\"path\":{},\"symbols\":{}}}", any_result_ ? "," : "{\"results\":[",
                       lsp::json_string(path), document(*answer.rows)));
    } else {
      out_(document(*answer.rows) + '\n');
    }
    any_result_ = true;
  }
  if (answer.error) {
    Error error = *answer.error;
    if (answer.rows) {
      error.message += fmt::format("; {} of {} hovers are missing", answer.hovers_missing,
                                   answer.rows->tree.symbols.size());
    }
    fail(path, error);
  }
}

void OrderedOutput::fail(const std::string& path, const Error& error) {
  failed_ = true;
  if (options_.format == OutputFormat::json && options_.several) {
    json_errors_ += fmt::format("{}{{{}\"error\":{}}}", json_errors_.empty() ? "" : ",",
                                path.empty() ? "" : fmt::format("\"path\":{},", lsp::json_string(path)),
                                lsp::json_string(error.text()));
  }
  // A message about reading the file begins with its name already.
  const bool named = path.empty() || error.message.starts_with(path + ": ") ||
                     error.message.starts_with("cannot read " + path + ": ");
  tell_((named ? std::string() : path + ": ") + error.text());
}

void OrderedOutput::finish(const std::vector<Error>& others) {
  for (const Error& error : others) fail({}, error);
  if (options_.format == OutputFormat::json && options_.several) {
    out_(fmt::format("{}],\"errors\":[{}]}}\n", any_result_ ? "" : "{\"results\":[", json_errors_));
  }
}

std::string OrderedOutput::heading(const std::string& path) const {
  constexpr table::CellEscape escape("");
  std::string line = "==> ";
  escape.append(line, path);
  line += " <==";
  return (options_.colour ? "\x1B[1m" + line + "\x1B[0m" : line) + "\n";
}

std::string OrderedOutput::document(const table::SymbolRows& rows) const {
  if (options_.format == OutputFormat::json)
    return table::write_document_symbols_json(rows, options_.hover_as_detail);
  std::string text = table::write_table(rows);
  if (options_.colour) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    text.insert(end, "\x1B[0m");
    text.insert(0, "\x1B[1m");
  }
  return text;
}

}  // namespace symbols::proxy
