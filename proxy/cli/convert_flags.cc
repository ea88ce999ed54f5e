#include <array>

#include "proxy/cli/command.h"

namespace symbols::cli {
namespace {

constexpr const char* convert_footer = R"(
No server is involved. A table without a column that the other format needs is an error.

Examples:
  symbols convert --from json --to tree reply.json
  symbols -f packed src/app.ts | symbols convert --from packed --to outline -H

Exit status: 0 converted; 1 the input cannot be converted; 2 wrong command line.)";

Result<CommandLine> read_convert(const Given& given) {
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
  settings::ConvertArguments convert{.from = *from,
                                     .hovers = given.text("--hovers"),
                                     .file = given.argument(0, "-"),
                                     .answers = given.answers};
  convert.answers.format = *to;
  if (!convert.hovers.empty() && convert.from != table::Format::json) {
    return Error{"--hovers needs --from json", "the other formats have hovers of their own"};
  }
  if (convert.hovers == "-" && convert.file == "-") {
    return Error{"standard input cannot be both the symbols and the hovers", "give one of them as a file"};
  }
  if (const Result<void> fits = convert.answers.check("--max-tokens"); !fits) return fits.error();
  return convert;
}

}  // namespace

const Command convert_command = {.name = "convert",
                                 .taker = options::takers::convert,
                                 .summary = "Convert an answer, or a server's reply,\nto another format",
                                 .usage = "--from FORMAT --to FORMAT [OPTIONS] [FILE]",
                                 .footer = convert_footer,
                                 .read = read_convert,
                                 .arguments = {{{"FILE", "File to convert; - (default) for standard input"}}},
                                 .max_arguments = 1};

}  // namespace symbols::cli
