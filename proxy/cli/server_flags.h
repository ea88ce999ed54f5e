// The flags about finding and running a document's server.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "proxy/settings/arguments.h"

namespace symbols::cli {

// All that these add is bound by address.

// --warm and --no-warm.
CLI::Option* add_warm_flag(CLI::App& app, bool& is_warm);

// --trust-project, with this description, and --confine and --no-confine.
inline constexpr const char* trust_help =
    "Let servers run code of the project: its own TypeScript, its build scripts";
void add_trust_flags(CLI::App& app, const char* trusting, bool& trust_project, std::optional<bool>& confine);

// --language, --server, --root, --log and those of add_trust_flags.
void add_server_flags(CLI::App& app, settings::DumpArguments& document);

}  // namespace symbols::cli
