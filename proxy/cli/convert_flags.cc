#include <array>
#include <memory>

#include "proxy/cli/command.h"
#include "proxy/cli/common_flags.h"

namespace symbols::cli {
namespace {

constexpr const char* convert_footer = R"(
No server is involved. A table without a column that the other format needs is an error.

Examples:
  symbols convert --from json --to tree reply.json
  symbols -f packed src/app.ts | symbols convert --from packed --to outline -H

Exit status: 0 converted; 1 the input cannot be converted; 2 wrong command line.)";

struct ConvertFlags {
  settings::ConvertArguments convert{};
  std::string from{};
  std::string to{};
  AnswerFlags answers{};
};

Result<CommandLine> read_convert(const ConvertFlags& flags) {
  Result<options::AnswerOptions> answers = flags.answers.read();
  if (!answers) return answers.error();
  if (flags.from.empty() || flags.to.empty()) {
    return Error{"convert needs both formats",
                 "give --from FORMAT and --to FORMAT, such as: symbols convert "
                 "--from json --to tree reply.json"};
  }
  constexpr std::array others = {table::Format::ndjson};
  const Result<table::Format> from = table::parse_format("--from", flags.from, others);
  if (!from) return from.error();
  const Result<table::Format> to = table::parse_format("--to", flags.to, others);
  if (!to) return to.error();
  settings::ConvertArguments convert = flags.convert;
  convert.from = *from;
  convert.answers = std::move(*answers);
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

Command add_convert(CLI::App& program) {
  const auto flags = std::make_shared<ConvertFlags>();
  CLI::App* const app =
      program.add_subcommand("convert", "Convert an answer, or a server's reply,\nto another format");
  app->footer(convert_footer);
  app->add_option("FILE", flags->convert.file, "File to convert; - (default) for standard input")
      ->type_name("");
  app->add_option("--from", flags->from, "table, tree, packed, ndjson, or json (a documentSymbol reply)")
      ->type_name("FORMAT");
  app->add_option("--to", flags->to, "table, tree, outline, tsv, toon, packed, json or ndjson")
      ->type_name("FORMAT");
  app->add_option("--hovers", flags->convert.hovers,
                  "With --from json: a file with an array of hover replies, one for each symbol in pre-order")
      ->type_name("FILE");
  flags->answers.add_to(*app, AnswerFlags::Use::convert);
  return {app, [flags](const auto&) { return read_convert(*flags); }};
}

}  // namespace symbols::cli
