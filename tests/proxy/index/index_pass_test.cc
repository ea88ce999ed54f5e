#include "proxy/index/index_pass.h"

#include <doctest/doctest.h>

#include "tests/proxy/temporary_folder.h"

namespace symbols::index {
namespace index_pass_test {

class Output final : public output::RunOutput {
 public:
  void write(std::string_view text) override { written += text; }
  void tell(std::string_view message) override { (told += message) += '\n'; }

  std::string written;
  std::string told;
};

TEST_CASE("index pass: an answer about a file that changed meanwhile is not kept") {
  struct Case {
    const char* written;  // while the server is asked about a.cc
    const char* told;
    const char* summary;
  };
  constexpr const char* changed =
      "a.cc: it, or a file that it includes, changed while it was being indexed; run symbols index again\n";
  constexpr const char* kept = "1 files, 1 rows: 1 asked, 0 kept, 0 failed, 0 removed";
  constexpr const char* failed = "1 files, 0 rows: 0 asked, 0 kept, 1 failed, 0 removed";
  const Case cases[] = {{"p/b.h", "", kept}, {"p/a.cc", changed, failed}, {"p/a.h", changed, failed}};
  for (const Case& c : cases) {
    CAPTURE(c.written);
    const TemporaryFolder folder;
    engine::DocumentJob job;
    job.path = folder.write("p/a.cc", "#include \"a.h\"\n");
    job.server.name = "clangd";
    folder.write("p/a.h");
    engine::DocumentInputs inputs;
    inputs.documents.push_back({"a.cc", job});
    const servers::ServerRegistry registry = servers::ServerRegistry::built_in();
    const IndexTarget target{.root = folder.path("p"),
                             .folder = folder.path("p"),
                             .database = folder.path("a.db"),
                             .owner = IndexStore::Owner::user};
    Output output;
    {
      const Result<std::unique_ptr<IndexPass>> pass =
          IndexPass::prepare(target, registry, false, inputs, std::chrono::steady_clock::now());
      REQUIRE(pass.has_value());
      (*pass)->write_to(output, IndexPass::Summary::always);
      folder.write(c.written, "int changed;\n");
      table::SymbolRows rows;
      rows.all.emplace_back().name = "a";
      (*pass)->add(0, {.rows = std::move(rows)});
      (*pass)->finish({});
      CHECK((*pass)->any_failed() == (c.summary == failed));
    }
    CHECK(output.told == c.told);
    CHECK(output.written.starts_with(c.summary));
    Result<IndexStore> store =
        IndexStore::open(target.database, IndexStore::Missing::is_error, IndexStore::Owner::user);
    REQUIRE(store.has_value());
    CHECK(store->contents()->files.contains("a.cc") == (c.summary == kept));
  }
}

}  // namespace index_pass_test
}  // namespace symbols::index
