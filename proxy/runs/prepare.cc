#include "proxy/runs/prepare.h"

#include <memory>
#include <utility>

#include "proxy/options/configuration.h"
#include "proxy/runs/ordered_output.h"

namespace symbols::runs {
namespace {

// About 50,000 tokens.
constexpr std::size_t many_rows = 1000;

// The options in effect: of flags, environment and configuration, and for this standard output.
Result<DumpArguments> with_settings(runs::DumpArguments arguments, const terminal::Console& console) {
  Result<options::Configuration> configured =
      options::configuration_of(arguments.inputs.paths, arguments.inputs.symlinks());
  if (!configured) return configured.error();
  const options::AnswerOptions asked = arguments.answers;
  options::AnswerOptions& answers = arguments.answers;
  answers = asked.over(configured->settings);
  if (!answers.format) answers.format = console.is_terminal ? table::Format::pretty : table::Format::table;
  // A program that reads a pipe of ours must get no escapes because of a setting that it does not know of.
  if (!asked.color && answers.color == terminal::ColourUse::always && answers.format != table::Format::pretty)
    answers.color = terminal::ColourUse::automatic;
  // These formats have no place for a budget; one from the settings is ignored, not an error.
  if (!asked.max_tokens && (answers.format == table::Format::json || answers.format == table::Format::ndjson))
    answers.max_tokens.reset();
  if (!arguments.inputs.confine) arguments.inputs.confine = answers.confine;
  arguments.configured = options::words_of(*configured);
  arguments.inputs.ignored = std::move(configured->ignored);
  if (const Result<void> fits = answers.check("--max-tokens"); !fits) return fits.error();
  return arguments;
}

table::Rendering rendering_of(const options::AnswerOptions& answers, std::size_t width, bool colour) {
  table::Rendering rendering = answers.rendering();
  if (rendering.format == table::Format::pretty) {
    rendering.pretty = {.width = width, .colour = colour};
    if (!answers.fields) rendering.view.fields = table::pretty_fields(rendering.view.fields);
  }
  return rendering;
}

// Whether the number of rows may surprise: neither a format nor fewer rows were requested.
bool may_surprise(const options::AnswerOptions& answers, const options::AnswerOptions& asked) {
  return !asked.format && !answers.return_children && !answers.filter_kind && !answers.match &&
         !answers.max_tokens && !answers.counts();
}

}  // namespace

Result<Dump> prepare_dump(const DumpArguments& given, const terminal::Console& console) {
  DumpArguments listed = given;
  Result<batch::InputOptions> all = batch::with_listed_paths(std::move(listed.inputs));
  if (!all) return all.error();
  listed.inputs = std::move(*all);
  const Result<DumpArguments> in_effect = with_settings(std::move(listed), console);
  if (!in_effect) return in_effect.error();
  const options::AnswerOptions& answers = in_effect->answers;
  const bool colour = console.wants_colour(answers.color.value_or(terminal::ColourUse::automatic));
  Dump dump{.arguments = *in_effect};
  query::DocumentQuestion& question = dump.inquiry.document;
  question.selection = answers.selection({.rule = table::Levels::Rule::all});
  question.hovers = answers.wants_hovers();
  question.details_will_do = answers.details_will_do();
  question.hover_form = {.characters = answers.row_hover_chars(), .parts = answers.wants_hover_parts()};
  question.diagnostics = answers.most_diagnostics();
  question.pulls_errors = true;
  const OutputOptions options{.rendering = rendering_of(answers, console.width, colour),
                              .diagnostics = answers.most_diagnostics() > 0,
                              .filtered = answers.selection({}).filters(),
                              .colour = colour,
                              .counted = given.counted,
                              .note_above = may_surprise(answers, given.answers) ? many_rows : 0};
  dump.make_sink = [options](const batch::DocumentInputs& inputs, RunOutput& output) {
    OutputOptions of_these = options;
    of_these.several = inputs.several;
    return std::make_unique<OrderedOutput>(display_paths(inputs), std::move(of_these), output);
  };
  return dump;
}

}  // namespace symbols::runs
