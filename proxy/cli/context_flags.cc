#include "proxy/cli/command.h"

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

Result<CommandLine> read_context(const Given& given) {
  settings::ContextArguments context{.document = document_of(given)};
  std::string place = given.argument(0);
  if (given.has("-:")) {
    if (!place.empty()) return Error{"-:LINE already names a position", "to ask by name give - NAME"};
    place = "-:" + given.text("-:");
  }
  if (place.empty()) return Error{"no file given", "give FILE:LINE, FILE NAME or NAME"};
  context.document.inputs.paths = {place};
  if (given.arguments.size() > 1) context.name = given.arguments[1];
  return context;
}

}  // namespace

const Command context_command = {
    .name = "context",
    .taker = options::takers::context,
    .summary = "Everything about one symbol:\nhover, children, source, references, callers, diagnostics",
    .usage = "[OPTIONS] FILE:LINE[:COLUMN]\n[OPTIONS] FILE NAME\n[OPTIONS] NAME",
    .footer = context_footer,
    .read = read_context,
    .arguments = {{{"FILE", "The file, with :LINE or :LINE:COLUMN unless NAME is given"},
                   {"NAME", "The symbol's name"}}},
    .max_arguments = 2};

}  // namespace symbols::cli
