#include "proxy/setup/written_files.h"

#include <doctest/doctest.h>

namespace symbols::setup {
namespace {

TEST_CASE("a record of written files is read back, and tells what was edited") {
  const WrittenFiles written{{"plugin/a b.lua", checksum("one\n")}, {"empty", checksum("")}};
  CHECK(read_record(record_text(written)) == written);
  CHECK(checksum("one\n") != checksum("one"));
}

TEST_CASE("what is no entry of such a record, or leads out of its folder, is passed over") {
  const std::string sum(16, '0');
  const std::string text = "\n# x\n" + sum + "\n" + sum + " \n" + sum + " /etc/x\n" + sum + " ../x\n" + sum +
                           " a/../../x\n" + sum + " .\n" + sum + " ..\n" + sum +
                           " a//b\nzz00000000000000 x\n" + sum + " kept";
  CHECK(read_record(text) == WrittenFiles{{"kept", 0}});
}

}  // namespace
}  // namespace symbols::setup
