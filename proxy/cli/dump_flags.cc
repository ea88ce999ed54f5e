#include "proxy/cli/dump_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proxy/batch/shard.h"
#include "proxy/cli/unexpected_words.h"
#include "table/escape.h"

namespace symbols::cli {

void DumpFlags::add_to(CLI::App& program) {
  program_ = &program;
  program.add_option("PATH", dump_.inputs.paths, "Files, folders; - for standard input\n(needs --language)")
      ->type_name("");
  // `-:24` looks like an option, but is line 24 of standard input.
  in_input_ = program.add_option("-:")->type_name("TEXT")->group("");
  list_ = program
              .add_option("--files-from", dump_.inputs.files_from,
                          "Also read paths from this file, one per line; - for standard input. Every answer "
                          "then has a heading, even a single one")
              ->type_name("FILE");
  program.add_flag("-0,--null", null_,
                   "The paths of --files-from are separated by NUL, as find -print0 prints them");
  shard_ = program
               .add_option("--shard",
                           "Only the I-th of N shares of these files, of about equal size and the same on "
                           "every machine: 1/8")
               ->type_name("I/N");
  format_ = program
                .add_option("-f,--format",
                            "pretty, table, tree, outline, tsv, toon, packed, json,\n"
                            "ndjson. pretty: default on a terminal; table: default elsewhere; tree: fewest "
                            "tokens; ndjson: one object per row, with its path")
                ->type_name("FORMAT");
  color_ =
      program.add_option("--color", "auto (default: on a terminal, unless $NO_COLOR is set), always, never")
          ->type_name("WHEN");
  warm_ = add_warm_flag(program, is_warm_);
  answers_.add_to(program, AnswerFlags::Use::dump);
  add_server_flags(program, dump_);
  program.add_flag("--from-index", dump_.from_index,
                   "With --no-hover: take rows that are up to date from the index; see symbols index --help");
  program.add_flag("--verbose", dump_.verbose,
                   "With --from-index: say on standard error which files came from the index");
}

bool DumpFlags::any_but_warm() const {
  const auto is_given = [this](const CLI::Option* option) { return option != warm_ && option->count() > 0; };
  return !program_->get_options(is_given).empty();
}

std::optional<bool> DumpFlags::warm() const {
  return warm_->count() > 0 ? std::optional(is_warm_) : std::nullopt;
}

std::vector<std::string> DumpFlags::paths() const {
  std::vector<std::string> paths = dump_.inputs.paths;
  if (in_input_->count() > 0) paths.push_back("-:" + in_input_->as<std::string>());
  return paths;
}

Result<void> DumpFlags::read_inputs(batch::InputOptions& inputs) const {
  if (list_->count() > 0 && inputs.files_from.empty())
    return Error{"--files-from is empty", "give a file, or - for standard input"};
  if (null_ && inputs.files_from.empty())
    return Error{"--null needs --files-from", "give the list, such as: --files-from - --null"};
  if (inputs.files_from == "-" && std::ranges::count(inputs.paths, "-") > 0) {
    return Error{"standard input cannot be both the list of --files-from and a file",
                 "give one of them as a file"};
  }
  inputs.files_from_separator = null_ ? files::PathSeparator::nul : files::PathSeparator::newline;
  if (shard_->count() > 0) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", shard_->as<std::string>());
    if (!shard) return shard.error();
    inputs.shard = *shard;
  }
  return {};
}

Result<void> DumpFlags::read_settings(settings::Settings& settings) const {
  settings.warm = warm();
  for (const auto& [name, option] : {std::pair("format", format_), {"color", color_}}) {
    if (option->count() == 0) continue;
    const std::string flag = std::string("--") + name;
    const std::string text = option->as<std::string>();
    if (const Result<void> set =
            settings::set_setting(settings, name, options::OptionValue::of_text(flag, text));
        !set)
      return set.error();
  }
  return {};
}

Result<settings::DumpArguments> DumpFlags::read(const std::vector<std::string>& words) const {
  settings::DumpArguments dump = dump_;
  dump.inputs.paths = paths();
  dump.words = words;
  if (const Result<void> inputs = read_inputs(dump.inputs); !inputs) return inputs.error();
  if (dump.inputs.paths.empty() && dump.inputs.files_from.empty()) return Error{"no file given", {}};
  if (!dump.inputs.paths.empty()) {
    const std::string& first = dump.inputs.paths.front();
    if (const std::string command = near_command(*program_, first); !command.empty()) {
      return Error{
          fmt::format("there is no file {}; did you mean the command {}?", table::quoted(first), command),
          {}};
    }
  }
  if (dump.verbose && !dump.from_index)
    return Error{"--verbose needs --from-index: it says which files came from the index", {}};
  Result<options::AnswerOptions> answers = answers_.read();
  if (!answers) return answers.error();
  dump.answers = std::move(*answers);
  if (const Result<void> settings = read_settings(dump.settings); !settings) return settings.error();
  dump.answers.format = dump.settings.format;
  if (const Result<void> fits = dump.answers.check("--max-tokens"); !fits) return fits.error();
  if (dump.answers.include) {
    if (const auto most = dump.answers.include->document_diagnostics(); !most) return most.error();
  }
  for (const std::string& path : dump.inputs.paths) {
    if (path.empty()) return Error{"a path is empty", {}};
    if (path == "-" && dump.inputs.language.empty())
      return Error{"- (standard input) needs --language, such as --language typescript", {}};
  }
  if (std::ranges::count(dump.inputs.paths, "-") > 1) return Error{"- (standard input) is given twice", {}};
  return {boost::system::in_place_value, std::move(dump)};
}

}  // namespace symbols::cli
