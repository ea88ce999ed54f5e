#include "proxy/servers/known_servers.h"

namespace symbols::servers {
namespace {

struct ServerLine {
  std::string_view name;
  std::string_view commands = {};   // separated by " | "; the words of one are program and arguments
  std::string_view languages = {};  // ids of known_languages.cc
  std::string_view root_markers = {};
  std::string_view install = {};
  std::string_view runs_of_project = {};
  std::string_view untrusted_options = {};
  std::string_view untrusted_environment = {};
  std::string_view version_arguments = "--version";
  ServerKind kind = ServerKind::plain;
  bool wait_for_progress = false;
  bool answers_at_once = false;
};

constexpr std::string_view c_family = "c cpp objective-c objective-cpp cuda-cpp";
constexpr std::string_view typescript_family = "typescript typescriptreact javascript javascriptreact";
constexpr std::string_view typescript_roots = "tsconfig.json jsconfig.json package.json";
constexpr std::string_view python_roots =
    "pyrightconfig.json pyproject.toml setup.py setup.cfg requirements.txt Pipfile";
constexpr std::string_view extracted_servers = "npm install -g vscode-langservers-extracted";
constexpr std::string_view msbuild = "what the project's MSBuild files say";
constexpr std::string_view gradle_or_maven = "the project's Gradle or Maven build";

// cargo runs what the project's .cargo/config.toml names as compiler or wrapper and rustup what its
// rust-toolchain.toml names, each unless the environment names another; a credential provider only where the
// network is asked. Measured with a project that has all of these, a build script and a procedural macro:
// with these settings none is run, and hovers are the same but for what a macro makes.
constexpr std::string_view rust_options =
    R"({"cargo":{"buildScripts":{"enable":false}},"procMacro":{"enable":false},"checkOnSave":false})";
constexpr std::string_view rust_environment =
    "RUSTC=rustc RUSTDOC=rustdoc RUSTC_WRAPPER= RUSTC_WORKSPACE_WRAPPER= RUSTFLAGS= RUSTDOCFLAGS= "
    "CARGO_NET_OFFLINE=true";

// To add a server is to add a line here. `runs_of_project` reads on after "it runs". Install lines name
// Debian or npm where these have the program, else the project's own way. (Debian 12's gopls, 0.5, is too old
// for today's go.mod files; its Node, 18, cannot run typescript-language-server 5 or yaml-language-server 2.)
constexpr ServerLine servers[] = {
    {.name = "clangd",
     // Without the index of the whole project, which hovers do not need: it would be written into the
     // project's folder, and keep clangd from ending for seconds (clangd_index.h puts it on where it is
     // needed). Preambles in memory, for a clangd that is killed leaves its files in /tmp.
     .commands = "clangd --background-index=false --pch-storage=memory --log=error",
     .languages = c_family,
     .root_markers = "compile_commands.json compile_flags.txt .clangd build/compile_commands.json",
     .install = "apt install clangd-19",
     .kind = ServerKind::clangd,
     .answers_at_once = true},
    {.name = "ccls",
     .commands = "ccls",
     .languages = c_family,
     .root_markers = "compile_commands.json .ccls",
     .install = "apt install ccls",
     .kind = ServerKind::ccls},
    {.name = "typescript",
     .commands = "tsc --lsp --stdio | tsgo --lsp --stdio",
     .languages = typescript_family,
     .root_markers = typescript_roots,
     .install = "npm install -g typescript@7",
     .kind = ServerKind::native_typescript,
     .answers_at_once = true},
    {.name = "typescript-language-server",
     .commands = "typescript-language-server --stdio",
     .languages = typescript_family,
     .root_markers = typescript_roots,
     .install = "npm install -g typescript-language-server@4 typescript@5",
     .kind = ServerKind::typescript_language_server,
     .answers_at_once = true},
    {.name = "pyright",
     .commands = "pyright-langserver --stdio",
     .languages = "python",
     .root_markers = python_roots,
     .install = "npm install -g pyright",
     .answers_at_once = true},
    {.name = "basedpyright",
     .commands = "basedpyright-langserver --stdio",
     .languages = "python",
     .root_markers = python_roots,
     .install = "npm install -g basedpyright",
     .answers_at_once = true},
    {.name = "pylsp",
     .commands = "pylsp",
     .languages = "python",
     .root_markers = python_roots,
     .install = "apt install python3-pylsp"},
    {.name = "gopls",
     .commands = "gopls",
     .languages = "go",
     .root_markers = "go.work go.mod",
     .install = "go install golang.org/x/tools/gopls@latest",
     .version_arguments = "version",
     .answers_at_once = true},
    {.name = "rust-analyzer",
     .commands = "rust-analyzer",
     .languages = "rust",
     .root_markers = "rust-project.json Cargo.toml",
     .install = "rustup component add rust-analyzer",
     .untrusted_options = rust_options,
     .untrusted_environment = rust_environment,
     .kind = ServerKind::rust_analyzer,
     .wait_for_progress = true,
     .answers_at_once = true},
    {.name = "bash-language-server",
     .commands = "bash-language-server start",
     .languages = "shellscript",
     .install = "npm install -g bash-language-server"},
    {.name = "css",
     .commands = "vscode-css-language-server --stdio",
     .languages = "css scss less",
     .root_markers = "package.json",
     .install = extracted_servers,
     .answers_at_once = true},
    {.name = "html",
     .commands = "vscode-html-language-server --stdio",
     .languages = "html",
     .root_markers = "package.json",
     .install = extracted_servers,
     .answers_at_once = true},
    // Before json: its names, such as tsconfig.json, are the closer match.
    {.name = "json",
     .commands = "vscode-json-language-server --stdio | vscode-json-languageserver --stdio",
     .languages = "jsonc json",
     .root_markers = "package.json",
     .install = extracted_servers,
     .answers_at_once = true},
    {.name = "yaml-language-server",
     .commands = "yaml-language-server --stdio",
     .languages = "yaml",
     .install = "npm install -g yaml-language-server@1",
     .answers_at_once = true},

    {.name = "clojure-lsp",
     .commands = "clojure-lsp",
     .languages = "clojure",
     .root_markers = "deps.edn project.clj shadow-cljs.edn bb.edn",
     .install = "see https://clojure-lsp.io/installation",
     .runs_of_project = "the build tool that the project's deps.edn or project.clj configures"},
    {.name = "cmake-language-server",
     .commands = "neocmakelsp stdio | cmake-language-server",
     .languages = "cmake",
     .root_markers = "CMakePresets.json",
     .install = "pipx install cmake-language-server"},
    {.name = "csharp-ls",
     .commands = "csharp-ls",
     .languages = "csharp",
     .install = "dotnet tool install --global csharp-ls",
     .runs_of_project = msbuild,
     .wait_for_progress = true},
    {.name = "dart",
     .commands = "dart language-server --protocol=lsp",
     .languages = "dart",
     .root_markers = "pubspec.yaml",
     .install = "see https://dart.dev/get-dart",
     .runs_of_project = "the analyzer plugins that the project's analysis_options.yaml names"},
    {.name = "docker",
     .commands = "docker-langserver --stdio",
     .languages = "dockerfile",
     .install = "npm install -g dockerfile-language-server-nodejs"},
    {.name = "elixir-ls",
     .commands = "elixir-ls | language_server.sh",
     .languages = "elixir",
     .root_markers = "mix.exs",
     .install = "see https://github.com/elixir-lsp/elixir-ls",
     .runs_of_project = "the project's mix.exs and macros",
     .wait_for_progress = true},
    {.name = "fortls",
     .commands = "fortls",
     .languages = "fortran",
     .root_markers = ".fortls .fortlsrc",
     .install = "apt install fortran-language-server"},
    {.name = "fsautocomplete",
     .commands = "fsautocomplete --adaptive-lsp-server-enabled",
     .languages = "fsharp",
     .install = "dotnet tool install --global fsautocomplete",
     .runs_of_project = msbuild,
     .wait_for_progress = true},
    {.name = "glsl_analyzer",
     .commands = "glsl_analyzer",
     .languages = "glsl",
     .install = "see https://github.com/nolanderc/glsl_analyzer"},
    {.name = "haskell-language-server",
     .commands = "haskell-language-server-wrapper --lsp | haskell-language-server --lsp",
     .languages = "haskell",
     .root_markers = "hie.yaml stack.yaml cabal.project package.yaml",
     .install = "ghcup install hls",
     .runs_of_project = "what the project's hie.yaml, cabal and Template Haskell say",
     .wait_for_progress = true},
    {.name = "intelephense",
     .commands = "intelephense --stdio",
     .languages = "php",
     .root_markers = "composer.json",
     .install = "npm install -g intelephense"},
    {.name = "jdtls",
     .commands = "jdtls",
     .languages = "java",
     .root_markers = "mvnw gradlew settings.gradle settings.gradle.kts pom.xml build.gradle build.gradle.kts",
     .install = "see https://github.com/eclipse-jdtls/eclipse.jdt.ls",
     .runs_of_project = "the project's Gradle or Maven build and annotation processors",
     .wait_for_progress = true},
    {.name = "kotlin-language-server",
     .commands = "kotlin-language-server",
     .languages = "kotlin",
     .root_markers = "settings.gradle settings.gradle.kts build.gradle build.gradle.kts pom.xml",
     .install = "see https://github.com/fwcd/kotlin-language-server",
     .runs_of_project = gradle_or_maven,
     .wait_for_progress = true},
    {.name = "lemminx",
     .commands = "lemminx",
     .languages = "xml",
     .install = "see https://github.com/eclipse/lemminx"},
    // Until its workspace is loaded a hover is a text that says so.
    {.name = "lua-language-server",
     .commands = "lua-language-server",
     .languages = "lua",
     .root_markers = ".luarc.json .luarc.jsonc .luacheckrc",
     .install = "see https://luals.github.io/#install",
     .wait_for_progress = true},
    {.name = "marksman",
     .commands = "marksman server",
     .languages = "markdown",
     .root_markers = ".marksman.toml",
     .install = "see https://github.com/artempyankh/marksman"},
    {.name = "metals",
     .commands = "metals",
     .languages = "scala",
     .root_markers = "build.sbt build.sc build.mill",
     .install = "see https://scalameta.org/metals",
     .runs_of_project = "the project's sbt, Mill, Gradle or Maven build",
     .wait_for_progress = true},
    {.name = "nil",
     .commands = "nil",
     .languages = "nix",
     .root_markers = "flake.nix",
     .install = "nix profile install github:oxalica/nil"},
    {.name = "ocamllsp",
     .commands = "ocamllsp",
     .languages = "ocaml ocaml.interface",
     .root_markers = "dune-project dune-workspace",
     .install = "opam install ocaml-lsp-server",
     .runs_of_project = "what the project's dune files say and its preprocessors",
     .wait_for_progress = true},
    {.name = "perlnavigator",
     .commands = "perlnavigator --stdio",
     .languages = "perl",
     .install = "see https://github.com/bscan/PerlNavigator",
     .runs_of_project = "the BEGIN blocks of the project's files"},
    {.name = "protols",
     .commands = "protols",
     .languages = "proto",
     .root_markers = "protols.toml",
     .install = "cargo install protols",
     .runs_of_project = "the protoc that the project's protols.toml names"},
    {.name = "r-languageserver",
     .commands = "R --no-echo -e languageserver::run()",
     .languages = "r",
     .root_markers = "DESCRIPTION .Rproj",
     .install = "Rscript -e 'install.packages(\"languageserver\")'",
     .runs_of_project = "the project's .Rprofile"},
    {.name = "ruby-lsp",
     .commands = "ruby-lsp",
     .languages = "ruby",
     .root_markers = "Gemfile",
     .install = "gem install ruby-lsp",
     .runs_of_project = "the project's Gemfile and the add-ons that it names"},
    {.name = "solargraph",
     .commands = "solargraph stdio",
     .languages = "ruby",
     .root_markers = "Gemfile",
     .install = "gem install solargraph",
     .runs_of_project = "the project's Gemfile"},
    {.name = "sourcekit-lsp",
     .commands = "sourcekit-lsp",
     .languages = "swift",
     .root_markers = "Package.swift buildServer.json",
     .install = "see https://www.swift.org/install",
     .runs_of_project = "the project's Package.swift"},
    {.name = "svelte",
     .commands = "svelteserver --stdio",
     .languages = "svelte",
     .root_markers = "package.json",
     .install = "npm install -g svelte-language-server",
     .untrusted_options = R"({"isTrusted":false})"},
    {.name = "taplo",
     .commands = "taplo lsp stdio",
     .languages = "toml",
     .root_markers = ".taplo.toml taplo.toml",
     .install = "cargo install taplo-cli --locked --features lsp"},
    {.name = "terraform-ls",
     .commands = "terraform-ls serve",
     .languages = "terraform",
     .root_markers = ".terraform",
     .install = "see https://github.com/hashicorp/terraform-ls",
     .runs_of_project = "the provider plugins in the project's .terraform folder"},
    {.name = "texlab",
     .commands = "texlab",
     .languages = "latex bibtex",
     .root_markers = ".latexmkrc latexmkrc .texlabroot",
     .install = "see https://github.com/latex-lsp/texlab",
     .runs_of_project = "the project's .latexmkrc"},
    {.name = "tinymist",
     .commands = "tinymist lsp",
     .languages = "typst",
     .root_markers = "typst.toml",
     .install = "see https://github.com/Myriad-Dreamin/tinymist"},
    {.name = "verible",
     .commands = "verible-verilog-ls",
     .languages = "systemverilog verilog",
     .root_markers = "verible.filelist",
     .install = "see https://github.com/chipsalliance/verible"},
    {.name = "vim-language-server",
     .commands = "vim-language-server --stdio",
     .languages = "vim",
     .install = "npm install -g vim-language-server"},
    {.name = "zls",
     .commands = "zls",
     .languages = "zig",
     .root_markers = "build.zig zls.json",
     .install = "see https://zigtools.org/zls/install",
     .runs_of_project = "the project's build.zig"},
};

std::vector<std::vector<std::string>> commands_of(std::string_view text) {
  std::vector<std::vector<std::string>> commands(1);
  for (std::string& word : words(text)) {
    if (word == "|") {
      commands.emplace_back();
    } else {
      commands.back().push_back(std::move(word));
    }
  }
  return commands;
}

}  // namespace

std::vector<ServerSpec> known_servers() {
  std::vector<ServerSpec> specs;
  for (const ServerLine& line : servers) {
    ServerSpec spec;
    spec.name = line.name;
    spec.commands = commands_of(line.commands);
    for (const std::string& id : words(line.languages)) {
      if (const Language* language = known_language(id)) spec.languages.push_back(*language);
    }
    spec.root_markers = words(line.root_markers);
    spec.install = line.install;
    spec.wait_for_progress = line.wait_for_progress;
    spec.answers_at_once = line.answers_at_once;
    spec.version_arguments = words(line.version_arguments);
    spec.kind = line.kind;
    spec.untrusted_options = line.untrusted_options;
    spec.untrusted_environment = words(line.untrusted_environment);
    spec.runs_of_project = line.runs_of_project;
    specs.push_back(std::move(spec));
  }
  return specs;
}

const ServerSpec* server_of_program(const std::vector<ServerSpec>& servers, std::string_view name) {
  const std::size_t dash = name.rfind('-');
  const bool versioned = dash != name.npos && dash + 1 < name.size() &&
                         name.find_first_not_of("0123456789", dash + 1) == name.npos;
  for (const std::string_view wanted : {name, versioned ? name.substr(0, dash) : name}) {
    for (const ServerSpec& spec : servers) {
      for (const std::vector<std::string>& command : spec.commands) {
        const std::string_view program = command.front();
        if (program.substr(program.rfind('/') + 1) == wanted) return &spec;
      }
    }
  }
  return nullptr;
}

}  // namespace symbols::servers
