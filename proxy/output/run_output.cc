#include "proxy/output/run_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lsp/json/json.h"
#include "table/escape.h"
#include "table/formats/pretty_format.h"
#include "table/token_estimate.h"

namespace symbols::output {
namespace {

// About the tokens of a heading, a header and a notice.
constexpr std::size_t least_share = 60;
constexpr std::size_t worth_counting = 20;  // rows
constexpr std::size_t counts_share = 10;    // at most a tenth of the budget

}  // namespace

OutputStreams OutputStreams::own(terminal::ColourUse colour) {
  return {.out = STDOUT_FILENO,
          .error = STDERR_FILENO,
          .colour = terminal::colour_wanted(STDERR_FILENO, colour),
          .shows_progress = terminal::obeys_escapes(STDERR_FILENO)};
}

StandardOutput::StandardOutput(io::EventLoop& loop, const OutputStreams& streams,
                               std::function<bool()> may_write)
    : error_stream_(streams.error),
      out_stream_(streams.out),
      errors_(loop, error_stream_.release(), {.on_empty = [this] { on_written(); }}),
      out_(loop, out_stream_.release(),
           {.on_empty = [this] { on_written(); }, .on_broken = [this](int error) { on_broken(error); }}),
      progress_(streams.error, streams.shows_progress),
      colour_(streams.colour),
      may_write_(std::move(may_write)) {}

void StandardOutput::write(std::string_view text) {
  if (!may_write_()) return;
  errors_.write(progress_.clear());  // both may be on the same terminal
  out_.write(text);
}

void StandardOutput::tell(std::string_view message) {
  if (!may_write_()) return;
  errors_.write(progress_.clear());
  errors_.write(terminal::message_line(message, colour_));
}

void StandardOutput::show_progress(std::string_view text) {
  if (text.empty()) return errors_.write(progress_.clear());
  if (errors_.unwritten() == 0) errors_.write(progress_.show(text));
}

void OrderedOutput::add(std::size_t index, engine::DocumentAnswer answer) {
  waiting_.emplace(index, std::move(answer));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.begin()) {
    print(next_, std::move(first->second));
    waiting_.erase(first);
    ++next_;
  }
}

void OrderedOutput::print(std::size_t index, engine::DocumentAnswer answer) {
  const std::string& path = paths_[index];
  for (const std::string& note : answer.notes) output_.tell("note: " + note);
  if (options_.only_diagnostics) {
    answer.rows.reset();
    const table::Diagnostics& found = answer.diagnostics;
    if (found.value && found.value->total == 0 && !answer.error) {
      ++clean_;
    } else if (!answer.error) {
      output_.write(table::escaped(path) + ": " + table::write_pretty_diagnostics(found, {}) + '\n');
    }
  }
  const std::optional<table::TokenLimit>& most = options_.rendering.max_tokens;
  // The rest is too little for one more file.
  const bool budget_is_spent = most && any_result_ && tokens_ + least_share > most->tokens;
  if (answer.rows && has_nothing_to_show(answer)) {
    // Neither printed nor counted as left out.
  } else if (answer.rows && budget_is_spent) {
    ++left_out_;
  } else if (answer.rows) {
    rows_ += answer.rows->size();
    std::string text = document(index, *answer.rows, answer.diagnostics);
    if (most) tokens_ += table::estimate_tokens(text, most->tokenizer);
    if (is_json() && options_.several) text.insert(0, any_result_ ? "," : "{\"results\":[");
    if (is_json() && !options_.several) text += '\n';
    output_.write(text);
    any_result_ = true;
  }
  const std::string missing =
      answer.hovers_missing > 0 && answer.rows
          ? fmt::format("{} of {} hovers are missing", answer.hovers_missing, answer.rows->size())
          : std::string();
  if (answer.error) {
    Error error = *answer.error;
    if (!missing.empty()) error.message += "; " + missing;
    fail(path, error);
  } else if (!missing.empty()) {
    fail(path, {missing + ": they are more, or longer, than are kept at a time",
                "give --hover-chars, or --kind or --children for fewer rows"});
  }
}

void OrderedOutput::fail(const std::string& path, const Error& error) {
  failed_ = true;
  if (is_json() && options_.several) {
    json_errors_ += fmt::format("{}{{{}\"error\":{}}}", json_errors_.empty() ? "" : ",",
                                path.empty() ? "" : fmt::format("\"path\":{},", lsp::json_string(path)),
                                lsp::json_string(error.text()));
  }
  if (options_.rendering.format == table::Format::ndjson) {
    std::string line;
    table::start_ndjson_line(line, path);
    output_.write(fmt::format("{}\"error\":{}}}\n", line, lsp::json_string(error.text())));
  }
  // Messages about reading the file already begin with its name.
  const bool named = path.empty() || error.message.starts_with(path + ": ") ||
                     error.message.starts_with("cannot read " + path + ": ");
  output_.tell((named ? std::string() : path + ": ") + error.text());
}

void OrderedOutput::finish(const std::vector<Error>& others) {
  if (clean_ > 0) output_.write(fmt::format("no diagnostics in {}\n", counted(clean_, "file")));
  for (const Error& error : others) fail({}, error);
  if (is_json() && options_.several) {
    const std::string left_out =
        left_out_ == 0 ? "" : fmt::format(",\"truncated\":\"{} of {} files\"", left_out_, paths_.size());
    output_.write(fmt::format("{}]{},\"errors\":[{}]}}\n", any_result_ ? "" : "{\"results\":[", left_out,
                              json_errors_));
  } else if (left_out_ > 0) {
    output_.write(fmt::format("{}{} of {} files\n", table::truncated_start, left_out_, paths_.size()));
  }
}

std::string OrderedOutput::closing_note() const {
  if (options_.note_above == 0 || rows_ <= options_.note_above) return {};
  return fmt::format("note: {} rows; fewer: --children no, --kind, --match, --max-tokens N", rows_);
}

// JSON names every file: a program can then tell a file without a hit from one that was not asked about.
bool OrderedOutput::has_nothing_to_show(const engine::DocumentAnswer& answer) const {
  const table::Diagnostics& diagnostics = answer.diagnostics;
  return options_.filtered && options_.several && !is_json() && answer.rows->all.empty() &&
         diagnostics.failure.empty() && !(diagnostics.value && diagnostics.value->total > 0);
}

std::string OrderedOutput::json_object(const std::string& path, const std::string& symbols,
                                       const table::Diagnostics& diagnostics) const {
  std::string json = fmt::format("{{\"path\":{},\"symbols\":{}", lsp::json_string(path), symbols);
  append_diagnostics_members(json, diagnostics);
  return json + '}';
}

std::string OrderedOutput::ndjson_lines(const std::string& path, const table::SymbolRows& rows,
                                        const table::Diagnostics& diagnostics) const {
  table::Rendering rendering = options_.rendering;
  rendering.path = path;
  std::string text = table::render(rows, rendering).text;
  if (!text.empty()) text += '\n';
  std::string members;
  append_diagnostics_members(members, diagnostics);
  if (!members.empty()) text += fmt::format("{{\"path\":{}{}}}\n", lsp::json_string(path), members);
  return text;
}

bool OrderedOutput::is_json() const {
  return options_.rendering.format == table::Format::json ||
         options_.rendering.format == table::Format::packed;
}

std::string OrderedOutput::document(std::size_t index, const table::SymbolRows& rows,
                                    table::Diagnostics& diagnostics) {
  const std::string& path = paths_[index];
  if (options_.rendering.format == table::Format::ndjson) return ndjson_lines(path, rows, diagnostics);
  const bool in_object = is_json() && (options_.several || options_.diagnostics);
  const std::string bold = options_.colour ? "\x1B[1m" : "";
  const std::string plain = options_.colour ? "\x1B[0m" : "";
  std::string before;
  if (options_.several && !is_json())
    before = fmt::format("{}==> {} <=={}\n", bold, table::escaped(path), plain);
  // People find the next file sooner.
  if (options_.rendering.format == table::Format::pretty && any_result_) before.insert(0, "\n");
  table::Rendering rendering = options_.rendering;
  if (rendering.max_tokens) {
    // An equal share of the rest: what one file does not need remains for the files after it.
    std::size_t& most = rendering.max_tokens->tokens;
    const std::size_t left = most - std::min(tokens_, most);
    most = std::max({left / (paths_.size() - index), std::min(left, least_share), std::size_t{1}});
  }
  if (options_.counted && rows.size() >= worth_counting) {
    const std::string counts =
        "# " + table::render(rows, {.format = rendering.format, .counts = true}).text + '\n';
    const auto& most = rendering.max_tokens;
    if (!most || counts_share * table::estimate_tokens(counts, most->tokenizer) <= most->tokens)
      before += counts;
  }
  const auto place = is_json() ? table::DiagnosticsPlace::json_beside : table::DiagnosticsPlace::behind_rows;
  table::BesideRows beside = fit_diagnostics(diagnostics, place, rendering.max_tokens);
  if (rendering.format == table::Format::pretty) {
    beside.lines = write_pretty_diagnostics(diagnostics, rendering.pretty);
  }
  if (const auto& most = rendering.max_tokens) {
    beside.tokens += table::estimate_tokens(in_object ? json_object(path, {}, {}) : before, most->tokenizer);
  }
  std::string text = table::render(rows, rendering, beside).text;
  if (is_json()) return in_object ? json_object(path, text, diagnostics) : text;
  const bool has_header = rendering.format == table::Format::table || rendering.format == table::Format::tsv;
  if (has_header && !rendering.counts) {
    text.insert(std::min(text.find('\n'), text.size()), plain);
    text.insert(0, bold);
  }
  // In some formats, no symbols are no line.
  return before + text + (text.empty() ? "" : "\n");
}

}  // namespace symbols::output
