// What is said of words that a command does not take, with the name that was most likely meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace symbols::cli {

// Of the words left over after the parsing of `program`, or else of `word`, which begins with `-`: there is
// no such option, or no place for such a word.
std::string unexpected_word(const CLI::App& program, std::string word = {});

// Of a path that is not there: the command of `program` that its name is near to; empty if there is none.
std::string near_command(const CLI::App& program, const std::string& path);

}  // namespace symbols::cli
