#include "proxy/ordered_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/json.h"
#include "table/escape.h"
#include "table/line_start.h"
#include "table/token_estimate.h"

namespace symbols::proxy {
namespace {

// A heading, a header and the notice of what is missing take about so many tokens.
constexpr std::size_t least_share = 60;

}  // namespace

OrderedOutput::OrderedOutput(std::vector<std::string> paths, OutputOptions options, Write out, Write tell)
    : paths_(std::move(paths)), options_(options), out_(std::move(out)), tell_(std::move(tell)) {}

void OrderedOutput::add(std::size_t index, DocumentAnswer answer) {
  waiting_.emplace(index, std::move(answer));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.begin()) {
    print(next_, std::move(first->second));
    waiting_.erase(first);
    ++next_;
  }
}

void OrderedOutput::print(std::size_t index, DocumentAnswer answer) {
  const std::string& path = paths_[index];
  for (const std::string& note : answer.notes) tell_("note: " + note);
  if (answer.rows && budget_is_spent()) {
    ++left_out_;
  } else if (answer.rows) {
    std::string text = document(index, *answer.rows, answer.diagnostics);
    if (is_json()) {
      if (options_.several) out_(any_result_ ? "," : "{\"results\":[");
      const bool alone = !options_.several && !options_.diagnostics;
      out_(alone ? text : json_object(path, text, answer.diagnostics));
      if (!options_.several) out_("\n");
    } else {
      append_diagnostics(text, answer.diagnostics);
      // No symbols are no line in some formats.
      out_((options_.several ? heading(path) : std::string()) + (text.empty() ? "" : text + '\n'));
    }
    any_result_ = true;
  }
  if (answer.error) {
    Error error = *answer.error;
    if (answer.hovers_missing > 0 && answer.rows) {
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
    const std::string left_out =
        left_out_ == 0 ? "" : fmt::format(",\"truncated\":\"{} of {} files\"", left_out_, paths_.size());
    out_(fmt::format("{}]{},\"errors\":[{}]}}\n", any_result_ ? "" : "{\"results\":[", left_out,
                     json_errors_));
  } else if (left_out_ > 0) {
    out_(fmt::format("{}{} of {} files\n", table::truncated_start, left_out_, paths_.size()));
  }
}

// Whether what is left of the budget is too little to say anything of one more file.
bool OrderedOutput::budget_is_spent() const {
  const std::optional<std::size_t> most = options_.rendering.max_tokens;
  return most && any_result_ && tokens_ + least_share > *most;
}

std::string OrderedOutput::json_object(const std::string& path, const std::string& symbols,
                                       const table::Diagnostics& diagnostics) const {
  std::string json = fmt::format("{{\"path\":{},\"symbols\":{}", lsp::json_string(path), symbols);
  if (diagnostics.value) {
    json += ",\"diagnostics\":" + table::diagnostics_json(*diagnostics.value);
    if (diagnostics.value->first.size() < diagnostics.value->total) {
      json += fmt::format(",\"diagnostics_total\":{}", diagnostics.value->total);
    }
  } else if (!diagnostics.failure.empty()) {
    json += ",\"_diagnostics_error\":" + lsp::json_string(diagnostics.failure);
  }
  return json + '}';
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

std::string OrderedOutput::document(std::size_t index, const table::SymbolRows& rows,
                                    table::Diagnostics& diagnostics) {
  table::Rendering rendering = options_.rendering;
  if (rendering.max_tokens) {
    // An equal share of what is left: what one file does not need is there for those behind it.
    const std::size_t left = *rendering.max_tokens - std::min(tokens_, *rendering.max_tokens);
    rendering.max_tokens = std::max(left / (paths_.size() - index), std::min(left, least_share));
    rendering.max_tokens = std::max<std::size_t>(*rendering.max_tokens, 1);
    const std::size_t share = *rendering.max_tokens;
    if (diagnostics.value) rendering.max_tokens = table::fit_diagnostics(diagnostics, share);
    tokens_ += share - *rendering.max_tokens;
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
