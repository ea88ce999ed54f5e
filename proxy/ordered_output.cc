#include "proxy/ordered_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json.h"
#include "table/escape.h"
#include "table/token_estimate.h"

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
    const std::string text = document(index, *answer.rows);
    if (options_.several && is_json()) {
      out_(fmt::format("{}{{\"path\":{},\"symbols\":{}}}", any_result_ ? "," : "{\"results\":[",
                       lsp::json_string(path), text));
    } else {
      // No symbols are no line in some formats.
      out_((options_.several ? heading(path) : std::string()) + (text.empty() ? "" : text + '\n'));
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
  if (is_json() && options_.several) {
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
  if (is_json() && options_.several) {
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

bool OrderedOutput::is_json() const {
  return options_.rendering.format == table::Format::json ||
         options_.rendering.format == table::Format::packed;
}

std::string OrderedOutput::document(std::size_t index, const table::SymbolRows& rows) {
  table::Rendering rendering = options_.rendering;
  if (rendering.max_tokens) {
    // An equal share of what is left: what one file does not need is there for those behind it.
    const std::size_t left = *rendering.max_tokens - std::min(tokens_, *rendering.max_tokens);
    rendering.max_tokens = std::max<std::size_t>(left / (paths_.size() - index), 1);
  }
  std::string text = table::render(rows, rendering).text;
  if (rendering.max_tokens) {
    tokens_ += table::estimate_tokens(options_.several ? heading(paths_[index]) + text : text);
  }
  const bool has_header = rendering.format == table::Format::table || rendering.format == table::Format::tsv;
  if (options_.colour && has_header && !rendering.counts) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    text.insert(end, "\x1B[0m");
    text.insert(0, "\x1B[1m");
  }
  return text;
}

}  // namespace symbols::proxy
