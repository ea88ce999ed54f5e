#include <unistd.h>

#include <utility>

#include "proxy/cli/commands.h"
#include "proxy/cli/document_run.h"
#include "proxy/cli/ordered_output.h"

namespace symbols::cli {

int run_dump(const DumpArguments& arguments) {
  const options::AnswerOptions& answers = arguments.answers;
  query::InquiryOptions inquiry;
  inquiry.document.selection = answers.selection({.rule = table::Levels::Rule::all});
  inquiry.document.hovers = answers.wants_hovers();
  inquiry.document.details_will_do = answers.details_will_do();
  inquiry.document.hover_form = {.characters = answers.row_hover_chars(),
                                 .parts = answers.wants_hover_parts()};
  inquiry.document.diagnostics = answers.most_diagnostics();
  return run_documents(
      arguments, std::move(inquiry),
      [&answers](const batch::DocumentInputs& inputs, AnswerSink::Write out, AnswerSink::Write tell) {
        std::vector<std::string> paths;
        for (const batch::DocumentInput& document : inputs.documents) paths.push_back(document.display_path);
        return std::make_unique<OrderedOutput>(std::move(paths),
                                               OutputOptions{.rendering = answers.rendering(),
                                                             .several = inputs.several,
                                                             .diagnostics = answers.most_diagnostics() > 0,
                                                             .filtered = answers.selection({}).filters(),
                                                             .colour = colour_wanted(STDOUT_FILENO)},
                                               std::move(out), std::move(tell));
      });
}

}  // namespace symbols::cli
