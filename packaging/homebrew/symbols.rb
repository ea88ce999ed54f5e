# Filled in by scripts/package: brew install --build-from-source dist/recipes/symbols.rb
class Symbols < Formula
  desc "Symbols of source files, from language servers, as a compact table"
  homepage "@HOMEPAGE@"
  url "@URL@/symbols-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "rapidjson" => :build
  depends_on "xxhash" => :build
  depends_on "boost"
  depends_on "fmt"
  depends_on :linux
  depends_on "md4c"
  depends_on "re2"
  depends_on "sqlite"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DSYMBOLS_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_equal "symbols #{version}\n", shell_output("#{bin}/symbols --version")
    (testpath/"reply.json").write '[{"name":"a","kind":12,"range":{"start":{"line":0,"character":0},' \
                                  '"end":{"line":1,"character":1}},"selectionRange":{"start":{"line":0,' \
                                  '"character":5},"end":{"line":0,"character":6}}}]'
    assert_match "a | 12 | 0:0-1:1 | 0:5-6 |",
                 shell_output("#{bin}/symbols convert --from json --to table reply.json")
  end
end
