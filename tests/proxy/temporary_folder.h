// A folder and environment variables of a test's own, gone with the test.
#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

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

  // Makes the files in `list`, which `separator` stands between, each with what is behind its `=`.
  void write_all(std::string_view list, char separator = '|') const {
    for (const std::string_view file : split(list, separator)) {
      std::string_view content = file;
      write(std::string(take_part(content, '=')), content);
    }
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

// Sets an environment variable during its lifetime; null: it is not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace symbols
