#include "proxy/setup/written_files.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

TEST_CASE("a record of written files is read back, and tells what was edited") {
  WrittenFiles written;
  written.add("plugin/a b.lua", "one\n");
  written.add("empty", "");
  const WrittenFiles read = WrittenFiles::parse(written.text());
  CHECK(read.files() == written.files());
  CHECK(read.is_as_written("plugin/a b.lua", "one\n"));
  CHECK(!read.is_as_written("plugin/a b.lua", "one"));
  CHECK(read.is_as_written("empty", ""));
  CHECK(!read.is_as_written("other", ""));
  CHECK(read.has("empty"));
  CHECK(!read.has("other"));
}

TEST_CASE("what is no entry of such a record, or leads out of its folder, is passed over") {
  const std::string sum(16, '0');
  const std::string text = "\n# x\n" + sum + "\n" + sum + " \n" + sum + " /etc/x\n" + sum + " ../x\n" + sum +
                           " a/../../x\n" + sum + " .\n" + sum + " ..\n" + sum +
                           " a//b\nzz00000000000000 x\n" + sum + " kept";
  const WrittenFiles read = WrittenFiles::parse(text);
  CHECK(read.files().size() == 1);
  CHECK(read.has("kept"));
}

}  // namespace
}  // namespace symbols::setup
