#include "proxy/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/text.h"
#include "proxy/engine/input_options.h"
#include "proxy/files/project_root.h"
#include "proxy/options/option_value.h"
#include "table/escape.h"

namespace symbols::cli {
namespace {

using options::Option;
using options::OptionValue;

void add_option(CLI::App& app, const Option& option) {
  if (app.get_option_no_throw(option.flag()) != nullptr) return;
  std::string names = option.flag();
  if (option.letter != 0 && !option.name.empty()) names += std::string(",-") + option.letter;
  if (option.type.empty()) {
    app.add_flag(names)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  } else {
    CLI::Option* const added = app.add_option(names)->type_name(std::string(option.type));
    if (option.type.ends_with("...")) added->expected(CLI::detail::expected_max_vector_size);
  }
}

// Suggests the nearest option.
std::string unknown_option(const Command& command, std::string_view word) {
  const std::string_view flag = word.substr(0, word.find('='));
  std::vector<std::string> flags;
  for (const Option& option : options::all_options()) {
    if (option.is_for(command.taker) && !option.help.empty()) flags.push_back(option.flag());
  }
  // A single letter is too short for a suggestion.
  const std::string nearest =
      flag.starts_with("--") && flag.size() > 3 ? options::nearest_name(flag, flags) : "";
  std::string text =
      fmt::format("{} has no option {}{}", command.name.empty() ? "symbols" : command.name,
                  table::quoted(flag), nearest.empty() ? "" : "; did you mean " + nearest + '?');
  if (command.taker == options::takers::proxy) {
    text += nearest.empty() ? "; options" : " Options";
    text += " of the server go after -- and its name";
  }
  return text;
}

// Accepts the words that are neither options nor their values.
Result<void> take_arguments(Given& given, const Command& command, const std::vector<std::string>& words) {
  bool are_options_over = false;
  for (const std::string& word : words) {
    if (!are_options_over && word == "--") {
      are_options_over = true;
    } else if (!are_options_over && word.size() > 1 && word.starts_with('-')) {
      return Error{unknown_option(command, word), {}};
    } else {
      // From its name on, all words belong to the server.
      if (command.taker == options::takers::proxy) are_options_over = true;
      given.arguments.push_back(word);
    }
  }
  const std::size_t max_words = split(command.arguments, '\n').size();
  if (command.usage.find("...") != command.usage.npos || given.arguments.size() <= max_words) return {};
  return Error{fmt::format("{} takes no further word, such as {}", command.name,
                           table::quoted(given.arguments[max_words])),
               {}};
}

// Accepts one option with its parsed values.
Result<void> take(Given& given, const Command& command, const Option& option,
                  const std::vector<std::string>& texts) {
  const std::string flag = option.flag();
  OptionValue value = OptionValue::of_text(flag, texts.back());
  bool is_set = true;
  if (option.type.empty()) {
    const Result<bool> boolean = value.boolean();
    if (!boolean) return boolean.error();
    is_set = *boolean;
  }
  const bool negates = option.name.starts_with("no-");
  const std::string_view name = negates ? option.name.substr(3) : option.name;
  if (negates && given.has("--" + std::string(name)))
    return Error{fmt::format("--{} and {} exclude each other", name, flag), "give one of them"};
  if (is_set) given.flags.emplace(flag, texts);
  if (negates) value = OptionValue::of_text(flag, is_set ? "false" : "true");
  const Option* const known = options::find_option(name, command.taker);
  if (known == nullptr || known->details.to.set == nullptr) return {};
  return known->details.to.set(given.answers, *known, value);
}

// Throws CLI11's errors.
Result<Given> parse(const Command& command, std::vector<std::string> words) {
  Given given{.line = words};
  CLI::App app;
  app.set_help_flag("-h");
  app.set_help_all_flag("--help");
  if (command.taker == options::takers::dump) app.set_version_flag("-V,--version", SYMBOLS_VERSION);
  for (const Option& option : options::all_options()) {
    if (option.is_for(command.taker)) add_option(app, option);
  }
  app.prefix_command(command.taker == options::takers::proxy);
  app.allow_extras();
  if (!command.name.empty()) words.erase(words.begin());
  std::ranges::reverse(words);  // CLI11 takes them from the end
  app.parse(std::move(words));
  for (const Option& option : options::all_options()) {
    if (!option.is_for(command.taker)) continue;
    const std::vector<std::string> texts = app.get_option(option.flag())->results();
    if (texts.empty()) continue;
    if (const Result<void> taken = take(given, command, option, texts); !taken) return taken.error();
  }
  if (const Result<void> taken = take_arguments(given, command, app.remaining()); !taken)
    return taken.error();
  return {boost::system::in_place_value, std::move(given)};
}

}  // namespace

Request parse_command_line(std::vector<std::string> words) {
  // `symbols help` and `symbols help COMMAND`, unless that is a file.
  if ((words.size() == 1 || words.size() == 2) && words.front() == "help" && !files::is_there("help")) {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  // `symbols --warm context`: for an alias of `symbols --warm`.
  if (words.size() > 1 && words[1] == "context" && (words[0].ends_with("-warm") || words[0] == "-w"))
    std::swap(words[0], words[1]);
  const Command* const named = words.empty() ? nullptr : find_command_named(words.front());
  Request request{.command = named == nullptr ? &dump_command : named};
  try {
    Result<Given> given = parse(*request.command, words);
    if (!given) {
      request.error = given.error();
      return request;
    }
    // A place in a file, as editors and compilers print it, is asked about as `symbols context` does.
    const std::string path = given->text("-:").empty() ? given->argument(0) : "-:" + given->text("-:");
    if (request.command == &dump_command && given->arguments.size() + given->has("-:") == 1 &&
        options::has_line(path) && !files::is_there(path)) {
      words.insert(words.begin(), "context");
      return parse_command_line(std::move(words));
    }
    request.given = *std::move(given);
  } catch (const CLI::CallForHelp&) {
    request.text = help_text(*request.command, HelpLength::brief);
  } catch (const CLI::CallForAllHelp&) {
    request.text = help_text(*request.command, HelpLength::full);
  } catch (const CLI::CallForVersion&) {
    request.text = "symbols " SYMBOLS_VERSION "\n";
  } catch (const CLI::ParseError& error) {
    request.error = Error{error.what(), {}};
  }
  return request;
}

int run_command_line(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "__complete")
    return terminal::print(complete({words.begin() + 1, words.end()})) ? 0 : 1;
  const Request request = parse_command_line(std::move(words));
  if (request.text) return terminal::print(*request.text) ? 0 : 1;
  const Command& command = *request.command;
  const Result<int> status = request.error ? *request.error : command.run(request.given);
  if (status) return *status;
  const std::string text = fmt::format("symbols: {}\nTry 'symbols {}{}--help'.\n", status.error().text(),
                                       command.name, command.name.empty() ? "" : " ");
  std::fputs(text.c_str(), stderr);
  return 2;
}

Result<output::DumpArguments> document_of(const Given& given) {
  output::DumpArguments document;
  document.inputs.language = given.text("--language");
  document.inputs.server = given.text("--server");
  document.inputs.root = given.text("--root");
  document.inputs.trust_project = given.has("--trust-project");
  document.inputs.confine = given.answers.confine;
  document.log = given.text("--log");
  document.answers = given.answers;
  document.words = given.line;
  if (given.has("--shard")) {
    const Result<engine::Shard> shard = engine::parse_shard("--shard", given.text("--shard"));
    if (!shard) return shard.error();
    document.inputs.shard = *shard;
  }
  return document;
}

}  // namespace symbols::cli
