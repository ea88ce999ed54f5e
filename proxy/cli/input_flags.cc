#include "proxy/cli/input_flags.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "proxy/cli/short_options.h"

namespace symbols::cli {

void InputFlags::add_to(CLI::App& app) {
  list_given_ =
      app.add_option(
             "--files-from", list_,
             "Also read paths from this file, one per line; - for standard input. Every answer then has a "
             "heading, even a single one")
          ->type_name("FILE");
  app.add_flag(with_letter("--null"), null_,
               "The paths of --files-from are separated by NUL, as find -print0 prints them");
  shard_given_ =
      app.add_option("--shard", shard_,
                     "Only the I-th of N shares of these files, of about equal size and the same on every "
                     "machine: 1/8")
          ->type_name("I/N");
}

bool InputFlags::any() const {
  return list_given_->count() > 0 || null_ || shard_given_->count() > 0;
}

Result<void> InputFlags::read(batch::InputOptions& inputs) const {
  if (list_given_->count() > 0 && list_.empty())
    return Error{"--files-from is empty", "give a file, or - for standard input"};
  if (null_ && list_.empty())
    return Error{"--null needs --files-from", "give the list, such as: --files-from - --null"};
  if (list_ == "-" && std::ranges::count(inputs.paths, "-") > 0) {
    return Error{"standard input cannot be both the list of --files-from and a file",
                 "give one of them as a file"};
  }
  inputs.files_from = list_;
  inputs.files_from_separator = null_ ? files::PathSeparator::nul : files::PathSeparator::newline;
  if (shard_given_->count() > 0) {
    const Result<batch::Shard> shard = batch::parse_shard("--shard", shard_);
    if (!shard) return shard.error();
    inputs.shard = *shard;
  }
  return {};
}

}  // namespace symbols::cli
