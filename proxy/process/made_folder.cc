#include "proxy/process/made_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "proxy/process/remove_folder.h"
#include "proxy/relay/byte_writer.h"
#include "table/escape.h"

namespace symbols::process {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<MadeFolder> MadeFolder::make() {
  std::error_code error;
  fs::path place = fs::temp_directory_path(error);
  if (!error) place = fs::canonical(place, error);
  std::string name = (error ? fs::path("/tmp") : place) / "symbols-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return Error{
        fmt::format("cannot make a folder for its files, {}: {}", table::quoted(name), std::strerror(errno)),
        "set TMPDIR to a folder that may be written"};
  }
  return {boost::system::in_place_value, MadeFolder(std::move(name))};
}

MadeFolder::~MadeFolder() {
  if (path_.empty()) return;
  // Retries if something was in the way, such as the last file of a process that is just being killed.
  for (int i = 0; i < 3; ++i) {
    if (remove_folder(path_)) return;
  }
  const std::string message =
      fmt::format("the folder made for a server, {}, cannot be removed: {}; remove it by hand",
                  table::quoted(path_), std::strerror(errno));
  relay::write_shared_error("symbols: " + message + "\n", std::chrono::milliseconds(0));
}

MadeFolder::MadeFolder(MadeFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

std::vector<std::string> MadeFolder::environment() const {
  return {
      "TMPDIR=" + path_,
      "TEMP=" + path_,  // pyright and others look at these too
      "TMP=" + path_,
      "XDG_CACHE_HOME=" + path_ + "/cache",  // clangd, gopls, jedi (pylsp)
      // The user may have set these, which would take precedence over XDG_CACHE_HOME, and go does not run
      // without a writable cache.
      "GOCACHE=" + path_ + "/cache/go-build",
      "GOPLSCACHE=" + path_ + "/cache/gopls",
  };
}

}  // namespace symbols::process
