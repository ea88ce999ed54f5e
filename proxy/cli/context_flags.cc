#include <algorithm>
#include <array>
#include <memory>

#include "proxy/cli/command.h"
#include "proxy/cli/common_flags.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

constexpr const char* context_footer = R"(
FILE:LINE selects the symbol declared on that line, else the innermost symbol around it; with COLUMN, the symbol
at that position. Both count from 1, columns in UTF-16 units. If several symbols have the name, their positions
are listed; a class, module or folder before it chooses: Table::Open, http.Serve, src/utils/sleep.

Examples:
  symbols context src/app.ts:24
  symbols context src/app.ts calculateArea -i references:50,callers:0
  symbols context calculateArea             finds its file in the index (see symbols index)
  symbols context src/app.ts:24:9 --children yes -n 500
  symbols context src/app.ts:24 -f table    exact positions, from zero as in LSP

Exit status: 0 answered; 1 there is no such symbol, or no answer; 2 wrong command line.)";

using table::Format;
constexpr std::array context_formats{Format::pretty, Format::tree, Format::table, Format::json};

struct ContextFlags {
  settings::ContextArguments context{};
  std::string place{};
  std::string place_in_input{};
  std::string format{};
  AnswerFlags answers{};
  bool is_warm = false;
};

}  // namespace

Command add_context(CLI::App& program) {
  const auto flags = std::make_shared<ContextFlags>();
  CLI::App* const app = program.add_subcommand(
      "context", "Everything about one symbol:\nhover, children, source, references, callers, diagnostics");
  app->footer(context_footer);
  app->add_option("FILE", flags->place, "The file, with :LINE or :LINE:COLUMN unless NAME is given")
      ->type_name("");
  app->add_option("NAME", flags->context.name, "The symbol's name")->type_name("");
  const CLI::Option* const in_input = app->add_option("-:", flags->place_in_input)->group("");
  const CLI::Option* const format =
      app->add_option(
             "-f,--format", flags->format,
             "pretty (default on a terminal), tree (default elsewhere): lines from one, paths from the "
             "working folder;\ntable, json: the text and the reply of symbols.context, positions from "
             "zero as in LSP")
          ->type_name("FORMAT");
  flags->answers.add_to(*app, AnswerFlags::Use::context);
  const CLI::Option* const warm = add_warm_flag(*app, flags->is_warm);
  add_server_flags(*app, flags->context.document);
  return {app, [=](const std::vector<std::string>& words) -> Result<CommandLine> {
            std::string place = flags->place;
            if (in_input->count() > 0) {
              if (!place.empty())
                return Error{"-:LINE already names a position", "to ask by name give - NAME"};
              place = "-:" + flags->place_in_input;
            }
            if (place.empty()) return Error{"no file given", "give FILE:LINE, FILE NAME or NAME"};
            Result<options::AnswerOptions> answers = flags->answers.read();
            if (!answers) return answers.error();
            if (format->count() > 0) {
              const auto* const found = std::ranges::find(context_formats, flags->format, table::format_name);
              if (found == context_formats.end())
                return Error{"--format cannot be " + table::quoted(flags->format),
                             "give pretty, tree, table or json"};
              answers->format = *found;
            }
            settings::ContextArguments context = flags->context;
            context.document.answers = std::move(*answers);
            context.document.inputs.paths = {place};
            if (warm->count() > 0) context.document.settings.warm = flags->is_warm;
            context.document.words = words;
            return context;
          }};
}

}  // namespace symbols::cli
