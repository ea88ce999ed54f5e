// For a file that is in no compilation database clangd guesses the compile command from the file's name, and
// fails ("invalid AST") if its compiler does not know the extension: .ipp, .inl, .tpp, .cuh.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace symbols::servers {

// The settings that clangd, started with `arguments` and `initialization_options` (a JSON object, or empty),
// has to be sent by workspace/didChangeConfiguration before it opens `file` (absolute), which is in the
// language `language_id`: a compile command, with the flags of compile_flags.txt or else fallbackFlags. Empty
// if it needs none.
std::string clangd_settings(const std::filesystem::path& file, std::string_view language_id,
                            const std::vector<std::string>& arguments,
                            std::string_view initialization_options);

}  // namespace symbols::servers
