// A folder of a test's own, gone with the test.
#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace symbols {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::canonical(std::filesystem::temp_directory_path()) / "symbols-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // The canonical path of `inside`, a path relative to the folder.
  std::string path(const std::string& inside = "") const {
    return inside.empty() ? path_ : path_ + "/" + inside;
  }

  // Makes the file `inside` and the folders it lies in.
  std::string write(const std::string& inside, std::string_view content = "") const {
    std::filesystem::create_directories(std::filesystem::path(path(inside)).parent_path());
    std::ofstream(path(inside), std::ios::binary) << content;
    REQUIRE(std::filesystem::exists(path(inside)));
    return path(inside);
  }

  std::string make_folder(const std::string& inside) const {
    std::filesystem::create_directories(path(inside));
    return path(inside);
  }

  std::string make_fifo(const std::string& inside) const {
    REQUIRE(::mkfifo(path(inside).c_str(), 0600) == 0);
    return path(inside);
  }

  // `inside` becomes a symbolic link to `target`.
  std::string link(const std::string& inside, const std::string& target) const {
    std::filesystem::create_symlink(target, path(inside));
    return path(inside);
  }

 private:
  std::string path_;
};

}  // namespace symbols
