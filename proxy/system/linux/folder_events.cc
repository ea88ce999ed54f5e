#include "proxy/system/folder_events.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/descriptor.h"

namespace symbols::system {
namespace {

constexpr std::uint32_t folder_events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                                        IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr int max_reads = 256;  // of 64 KiB, for one look

}  // namespace

struct FolderEvents::State {
  Descriptor queue{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  int error = queue ? 0 : errno;
  Descriptor mounts{::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)};
};

FolderEvents::FolderEvents() : state_(std::make_unique<State>()) {}

FolderEvents::~FolderEvents() = default;

int FolderEvents::error() const {
  return state_->error;
}

int FolderEvents::add(const std::string& path) {
  return ::inotify_add_watch(state_->queue.get(), path.c_str(), folder_events | IN_ONLYDIR | IN_MASK_ADD);
}

void FolderEvents::remove(int folder) {
  (void)::inotify_rm_watch(state_->queue.get(), folder);
}

bool FolderEvents::read(const std::function<void(const FolderEvent&)>& take) {
  bool all = true;
  alignas(inotify_event) std::array<char, 65536> buffer;
  for (int reads = 0;; ++reads) {
    const ssize_t length = ::read(state_->queue.get(), buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return all;
    if (reads == max_reads) return false;  // some process writes without end
    for (ssize_t at = 0; at < length;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof(event));
      const char* const name = buffer.data() + at + sizeof(event);
      at += static_cast<ssize_t>(sizeof(event) + event.len);
      const bool is_lost = (event.mask & IN_Q_OVERFLOW) != 0;
      all = all && !is_lost;
      const bool is_own = event.len == 0 || (event.mask & IN_UNMOUNT) != 0;
      if (is_lost || (is_own && (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) == 0)) continue;
      take({.folder = event.wd,
            .name = is_own ? std::string_view() : std::string_view(name, ::strnlen(name, event.len)),
            .is_folder = (event.mask & IN_ISDIR) != 0,
            .comes_or_goes = (event.mask & (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)) != 0,
            .is_of_attributes = (event.mask & IN_ATTRIB) != 0});
    }
  }
}

// proc(5), mountinfo.
bool FolderEvents::mounts_changed() {
  pollfd change{state_->mounts.get(), POLLPRI, 0};
  return state_->mounts && ::poll(&change, 1, 0) > 0;
}

int FolderEvents::descriptor() const {
  return state_->queue.get();
}

bool FolderEvents::is_shared(const std::string& folder) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  constexpr std::array<std::uint32_t, 9> shared = {
      0x6969 /* NFS */,      0x517B /* SMB */,      0xFE534D42 /* SMB2 */,
      0xFF534D42 /* CIFS */, 0x65735546 /* FUSE */, 0x01021997 /* 9p */,
      0x00C36400 /* Ceph */, 0x5346414F /* AFS */,  0x786F4256 /* VirtualBox */};
  return std::ranges::count(shared, static_cast<std::uint32_t>(status.f_type)) > 0;
}

}  // namespace symbols::system
