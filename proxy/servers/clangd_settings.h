// For a file that is in no compilation database clangd guesses the compile command from the file's name. It
// then finds no header that needs a -I, and fails ("invalid AST") if its compiler does not know the
// extension: .ipp, .inl, .tpp, .cuh.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/servers/guessed_flags.h"

namespace symbols::servers {

// The settings that clangd, started with `arguments` and `initialization_options` (a JSON object, or empty),
// has to be sent by workspace/didChangeConfiguration before it opens `file` (absolute), which is in the
// language `language_id`: a compile command, with the flags of compile_flags.txt, or else those that are
// guessed and fallbackFlags. Empty if it needs none. Nothing is guessed (null: never) where there is a
// database, or a `.clangd` with flags.
std::string clangd_settings(const std::filesystem::path& file, std::string_view language_id,
                            const std::vector<std::string>& arguments,
                            std::string_view initialization_options, GuessedFlags* guessed = nullptr);

// The flags in such settings; none in empty ones.
std::vector<std::string> flags_in_settings(std::string_view settings);

}  // namespace symbols::servers
