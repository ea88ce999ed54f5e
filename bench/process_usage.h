// What processes have used of the machine, from /proc: a relay is measured apart from its server, a proxy
// with it.
#pragma once

#include <dirent.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

struct Usage {
  double processor = 0;      // microseconds that all threads have run
  std::size_t resident = 0;  // KiB
  std::size_t peak = 0;      // KiB; the most that was resident, added up over the processes
};

inline std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline std::vector<int> numbered_entries(const std::string& folder) {
  std::vector<int> found;
  if (DIR* open = ::opendir(folder.c_str())) {
    while (const dirent* entry = ::readdir(open)) {
      if (const int number = std::atoi(entry->d_name)) found.push_back(number);
    }
    ::closedir(open);
  }
  return found;
}

/** All processes below `root`, itself left out, and so `except` with what is below it (0: none). */
inline std::vector<int> descendants(int root, int except) {
  std::multimap<int, int> children;
  for (const int pid : numbered_entries("/proc")) {
    // The parent follows the name, which may hold anything, and the state's letter.
    const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t at = stat.rfind(')');
    if (at != std::string::npos && at + 4 < stat.size()) {
      children.emplace(std::atoi(stat.c_str() + at + 4), pid);
    }
  }
  std::vector<int> found;
  std::vector<int> unseen{root};
  while (!unseen.empty()) {
    const auto [first, last] = children.equal_range(unseen.back());
    unseen.pop_back();
    for (auto child = first; child != last; ++child) {
      if (child->second == except) continue;
      unseen.push_back(child->second);
      found.push_back(child->second);
    }
  }
  return found;
}

/** The sum over these processes; one that has ended counts nothing. */
inline Usage usage_of(const std::vector<int>& processes) {
  Usage sum;
  for (const int pid : processes) {
    const std::string proc = "/proc/" + std::to_string(pid);
    for (const int task : numbered_entries(proc + "/task")) {
      // In nanoseconds, and exact for what does not run just now.
      const std::string schedstat = read_file(proc + "/task/" + std::to_string(task) + "/schedstat");
      sum.processor += std::strtod(schedstat.c_str(), nullptr) / 1e3;
    }
    const std::string status = read_file(proc + "/status");
    const auto line = [&status](const char* name) {
      const std::size_t at = status.find(name);
      return at == std::string::npos ? 0
                                     : std::strtoul(status.c_str() + status.find(':', at) + 1, nullptr, 10);
    };
    sum.resident += line("VmRSS:");
    sum.peak += line("VmHWM:");
  }
  return sum;
}

}  // namespace bench
