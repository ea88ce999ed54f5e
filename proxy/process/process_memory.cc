#include "proxy/process/process_memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace symbols::process {

std::size_t resident_memory(pid_t process) {
  constexpr std::size_t most_processes = 1000;  // a server that starts ever more is not followed for ever
  std::size_t pages = 0;
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size() && all.size() < most_processes; ++i) {
    const std::string folder = fmt::format("/proc/{}", all[i]);
    std::size_t size = 0;
    std::size_t resident = 0;
    if (std::ifstream statm(folder + "/statm"); statm >> size >> resident) pages += resident;
    // Each thread has the children that it started.
    std::error_code failure;
    for (std::filesystem::directory_iterator task(folder + "/task", failure), end; !failure && task != end;
         task.increment(failure)) {
      std::ifstream children(task->path() / "children");
      for (pid_t child = 0; children >> child;) all.push_back(child);
    }
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace symbols::process
