#include "proxy/engine/document_inputs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/proxy/program_files.h"
#include "tests/proxy/temporary_folder.h"

namespace symbols::engine {
namespace document_inputs_test {

DocumentInputs inputs_of(const InputOptions& options) {
  Result<DocumentInputs> inputs = find_document_inputs(options, servers::ServerRegistry::built_in());
  REQUIRE(inputs.has_value());
  return *std::move(inputs);
}

// Of options that name one document.
DocumentJob job_of(const InputOptions& options) {
  const DocumentInputs inputs = inputs_of(options);
  REQUIRE(inputs.documents.size() == 1);
  REQUIRE(inputs.documents.front().job.has_value());
  return *inputs.documents.front().job;
}

TEST_CASE("the server's program lies in no folder that can be called the project") {
  // outer is a project of Python's and p a repository in it; q is elsewhere.
  struct Case {
    const char* what;
    const char* file;
    const char* server;
    const char* root;  // empty: found
    const char* programs;
    bool runs;
    const char* project;  // the job's root where it runs
  };
  const Case cases[] = {
      {"outside", "outer/p/x.cpp", "", "", "bin", true, "outer/p"},
      {"in the repository", "outer/p/x.cpp", "", "", "outer/p/bin", false, ""},
      {"around it, where only Python has a project", "outer/p/x.cpp", "", "", "outer/bin", true, "outer/p"},
      {"the language's own project", "outer/p/x.py", "", "", "outer/bin", false, ""},
      {"--server by name", "outer/p/x.cpp", "pyright", "", "outer/bin", false, ""},
      {"--server by command line", "outer/p/x.cpp", "pyright-langserver --stdio", "", "outer/bin", false, ""},
      {"--server outside", "outer/p/x.cpp", "pyright", "", "bin", true, "outer"},
      {"--root inside of it", "outer/p/s/x.cpp", "", "outer/p/s", "outer/p/bin", false, ""},
      {"--root around it", "outer/p/x.cpp", "", "outer", "outer/bin", false, ""},
      {"--root elsewhere", "outer/p/x.cpp", "", "q", "q/bin", false, ""},
      {"--root elsewhere, the file's own project", "outer/p/x.cpp", "", "q", "outer/p/bin", false, ""},
      {"--root elsewhere, outside of both", "outer/p/x.cpp", "", "q", "bin", true, "q"},
      {"a repository beside", "q/x.cpp", "", "", "outer/p/bin", true, "q"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const TemporaryFolder folder;
    folder.write("outer/pyproject.toml");
    folder.write("outer/p/.git/HEAD");
    folder.write("q/.git/HEAD");
    folder.write(c.file);
    for (const std::string name : {"clangd", "pyright-langserver"})
      write_program(folder, c.programs + ("/" + name));
    const Variable path("PATH", folder.path(c.programs).c_str());
    for (const bool trust : {false, true}) {
      CAPTURE(trust);
      InputOptions options;
      options.paths = {folder.path(c.file)};
      options.server = c.server;
      options.language = *c.server == '\0' ? "" : "python";
      options.root = *c.root == '\0' ? "" : folder.path(c.root);
      options.trust_project = trust;
      const DocumentInputs inputs = inputs_of(options);
      REQUIRE(inputs.errors.empty());
      REQUIRE(inputs.documents.size() == 1);
      const Result<DocumentJob>& job = inputs.documents.front().job;
      CHECK(job.has_value() == (c.runs || trust));
      if (job) {
        CHECK(job->server.command.program.starts_with(folder.path(c.programs) + "/"));
        if (c.runs) CHECK(job->root == folder.path(c.project));
      } else {
        CHECK(job.error().text().find("--trust-project") != std::string::npos);
      }
    }
  }
}

TEST_CASE("flags and databases are guessed in projects, not among unrelated things") {
  struct Case {
    const char* what;
    const char* file;
    const char* root;
    bool guesses;
  };
  const Case cases[] = {
      {"a project", "home/p/a.cpp", "", true},
      {"its flags are set", "home/q/a.cpp", "", false},
      {"home", "home/a.cpp", "", false},
      {"home as the root that was given", "home/p/a.cpp", "home", false},
      {"a folder that strangers share", "home/shared/a.cpp", "", false},
  };
  const TemporaryFolder folder;
  write_program(folder, "bin/clangd");
  folder.write("home/p/.git/HEAD");
  folder.write("home/q/.git/HEAD");
  folder.write("home/q/.clangd", "CompileFlags:\n  CompilationDatabase: None\n");
  for (const std::string place : {"home/p", "home/q", "home", "home/shared"}) {
    folder.write(place + "/a.cpp", "#include \"x/b.h\"\n");
    folder.write(place + "/lib/x/b.h");
  }
  std::filesystem::permissions(folder.path("home/shared"), std::filesystem::perms(01777));
  const Variable path("PATH", folder.path("bin").c_str());
  const Variable home("HOME", folder.path("home").c_str());
  const auto server_of = [&](const Case& c) {
    InputOptions options;
    options.paths = {folder.path(c.file)};
    options.root = *c.root == '\0' ? "" : folder.path(c.root);
    return job_of(options);
  };
  const auto names_database = [](const DocumentJob& job) {
    return std::ranges::any_of(job.server.command.arguments, [](const std::string& argument) {
      return argument.starts_with("--compile-commands-dir=");
    });
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const DocumentJob job = server_of(c);
    CHECK(job.settings.empty() != c.guesses);
    CHECK(!names_database(job));
  }
  for (const std::string place : {"home/p", "home/q", "home", "home/shared"})
    folder.write(place + "/out/compile_commands.json", "[]");
  for (const Case& c : cases) {
    CAPTURE(c.what);
    CHECK(names_database(server_of(c)) == c.guesses);
  }
}

TEST_CASE("what was found for one project is not used for another") {
  // Both files are C++ and in repositories of their own; what Python calls the project differs.
  const TemporaryFolder folder;
  folder.write("outer/pyproject.toml");
  folder.write("outer/p/.git/HEAD");
  folder.write("outer/p/x.cpp");
  folder.write("outer/p/y.cpp");
  folder.write("q/.git/HEAD");
  folder.write("q/x.cpp");
  write_program(folder, "outer/bin/pyright-langserver");
  const Variable path("PATH", folder.path("outer/bin").c_str());
  for (const bool reversed : {false, true}) {
    CAPTURE(reversed);
    InputOptions options;
    options.paths = {folder.path("q/x.cpp"), folder.path("outer/p/x.cpp"), folder.path("outer/p/y.cpp"),
                     folder.path("q/x.cpp")};
    if (reversed) options.paths = {options.paths[1], options.paths[0], options.paths[2]};
    options.server = "pyright";
    options.language = "python";
    const DocumentInputs inputs = inputs_of(options);
    for (const DocumentInput& input : inputs.documents) {
      CAPTURE(input.display_path);
      CHECK(input.job.has_value() == (input.display_path == folder.path("q/x.cpp")));
    }
  }
}

TEST_CASE("files without a project file or .git share the folder that was named, or the current one") {
  const TemporaryFolder folder;
  write_program(folder, "bin/pyright-langserver");
  const Variable path("PATH", folder.path("bin").c_str());
  for (const char* const file : {"p/a/x.py", "p/b/x.py", "p/marked/pyproject.toml", "p/marked/s/x.py",
                                 "q/package/__init__.py", "q/package/s/__init__.py"})
    folder.write(file);
  struct Case {
    std::vector<std::string> paths;
    const char* here;
    std::vector<const char*> roots;
  };
  const Case cases[] = {
      {{"p"}, "", {"p", "p", "p/marked"}},
      {{"p/b"}, "", {"p/b"}},
      {{"p/b", "p/a"}, "p", {"p/b", "p/a"}},
      {{"p/a/x.py"}, "p", {"p"}},
      {{"p/a/x.py"}, "p/b", {"p/a"}},
      {{"q/package/s/__init__.py"}, "q/package/s", {"q"}},
      {{"q/package/s"}, "", {"q"}},
      {{"p/a/x.py", "p/b/x.py", "p/marked/s/x.py"}, "p", {"p", "p", "p/marked"}},
      {{"p/a/x.py", "p/b/x.py"}, "p/b", {"p/a", "p/b"}},
  };
  const std::filesystem::path before = std::filesystem::current_path();
  for (const Case& c : cases) {
    CAPTURE(c.paths.front());
    InputOptions options;
    options.search_project = true;
    for (const std::string& asked : c.paths) options.paths.push_back(folder.path(asked));
    std::filesystem::current_path(folder.path(c.here));
    const DocumentInputs inputs = inputs_of(options);
    std::filesystem::current_path(before);
    std::vector<std::string> roots;
    for (const DocumentInput& input : inputs.documents) {
      REQUIRE(input.job.has_value());
      const DocumentJob& job = *input.job;
      roots.push_back(job.root);
      const bool is_marked = job.root.ends_with("marked");
      CHECK(job.scope.part_of_project == (is_marked ? "" : job.root));
    }
    std::vector<std::string> wanted;
    for (const char* const root : c.roots) wanted.push_back(folder.path(root));
    CHECK(roots == wanted);
  }
}

TEST_CASE("links are followed by name alone, and not at all where paths are resolved") {
  const TemporaryFolder folder;
  folder.write("p/x.cpp");
  folder.write("q/y.cpp");
  folder.link("p/link.cpp", "../q/y.cpp");
  folder.link("p/out", "../q");
  write_program(folder, "bin/clangd");
  const Variable path("PATH", folder.path("bin").c_str());
  const struct {
    const char* path;
    bool resolved;
    const char* file;  // of the one job; empty: none
    files::Symlinks symlinks;
  } cases[] = {
      {"p/x.cpp", false, "p/x.cpp", files::Symlinks::follow},
      {"p/link.cpp", false, "p/link.cpp", files::Symlinks::follow},
      {"p/out/y.cpp", false, "q/y.cpp", files::Symlinks::follow},
      {"p", false, "p/x.cpp", files::Symlinks::refuse},
      {"p/out", false, "q/y.cpp", files::Symlinks::refuse},
      {"p/x.cpp", true, "p/x.cpp", files::Symlinks::refuse},
      {"p/link.cpp", true, "", {}},
      {"p/out/y.cpp", true, "", {}},
      {"p", true, "p/x.cpp", files::Symlinks::refuse},
      {"p/out", true, "", {}},
  };
  for (const auto& c : cases) {
    CAPTURE(c.path);
    CAPTURE(c.resolved);
    InputOptions options;
    options.paths = {folder.path(c.path)};
    options.paths_are_resolved = c.resolved;
    DocumentInputs inputs = inputs_of(options);
    std::vector<DocumentJob> jobs;
    for (DocumentInput& document : inputs.documents) {
      if (document.job) jobs.push_back(*document.job);
    }
    REQUIRE(jobs.size() == (*c.file == '\0' ? 0 : 1));
    if (jobs.empty()) continue;
    CHECK(jobs.front().path == folder.path(c.file));
    CHECK(jobs.front().symlinks == c.symlinks);
  }
}

}  // namespace document_inputs_test
}  // namespace symbols::engine
