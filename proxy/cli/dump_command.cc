#include <unistd.h>

#include <utility>

#include "proxy/cli/commands.h"
#include "proxy/cli/document_run.h"
#include "proxy/cli/ordered_output.h"
#include "proxy/cli/tell.h"
#include "proxy/cli/terminal.h"

namespace symbols::cli {
namespace {

// More rows than anybody reads, and about 50,000 tokens.
constexpr std::size_t many_rows = 1000;

// What is in effect: of flags, environment and configuration, and for this standard output.
Result<DumpArguments> with_settings(DumpArguments arguments) {
  const Result<Settings> set = user_settings();
  if (!set) return set.error();
  Settings settings = arguments.settings.over(*set);
  if (!settings.format) {
    settings.format = is_terminal(STDOUT_FILENO) ? table::Format::pretty : table::Format::table;
  }
  // A program that reads a pipe of ours must get no escapes because of a setting that it does not know of.
  if (settings.color == ColourUse::always && !arguments.settings.color &&
      settings.format != table::Format::pretty) {
    settings.color = ColourUse::automatic;
  }
  arguments.settings = settings;
  arguments.answers.format = settings.format;
  if (const Result<void> fits = arguments.answers.check("--max-tokens"); !fits) return fits.error();
  return arguments;
}

table::Rendering rendering_of(const options::AnswerOptions& answers, bool colour) {
  table::Rendering rendering = answers.rendering();
  if (rendering.format == table::Format::pretty) {
    rendering.pretty = {.width = line_width(STDOUT_FILENO), .colour = colour};
    if (!answers.fields) rendering.view.fields = table::pretty_fields(rendering.view.fields);
  }
  return rendering;
}

// Whether somebody may be surprised by how much there is: neither a format nor less of the rows was asked
// for.
bool may_surprise(const options::AnswerOptions& answers, const Settings& asked) {
  return !asked.format && !answers.return_children && !answers.filter_kind && !answers.match &&
         !answers.max_tokens && !answers.counts();
}

}  // namespace

int run_dump(const DumpArguments& given) {
  const Result<DumpArguments> in_effect = with_settings(given);
  if (!in_effect) {
    tell(in_effect.error().text());
    return 2;
  }
  const options::AnswerOptions& answers = in_effect->answers;
  const bool colour = colour_wanted(STDOUT_FILENO, in_effect->settings.color.value_or(ColourUse::automatic));
  query::InquiryOptions inquiry;
  inquiry.document.selection = answers.selection({.rule = table::Levels::Rule::all});
  inquiry.document.hovers = answers.wants_hovers();
  inquiry.document.details_will_do = answers.details_will_do();
  inquiry.document.hover_form = {.characters = answers.row_hover_chars(),
                                 .parts = answers.wants_hover_parts()};
  inquiry.document.diagnostics = answers.most_diagnostics();
  return run_documents(
      *in_effect, std::move(inquiry),
      [&](const batch::DocumentInputs& inputs, AnswerSink::Write out, AnswerSink::Write tell) {
        std::vector<std::string> paths;
        for (const batch::DocumentInput& document : inputs.documents) paths.push_back(document.display_path);
        return std::make_unique<OrderedOutput>(
            std::move(paths),
            OutputOptions{.rendering = rendering_of(answers, colour),
                          .several = inputs.several,
                          .diagnostics = answers.most_diagnostics() > 0,
                          .filtered = answers.selection({}).filters(),
                          .colour = colour,
                          .note_above = may_surprise(answers, given.settings) ? many_rows : 0},
            std::move(out), std::move(tell));
      });
}

}  // namespace symbols::cli
