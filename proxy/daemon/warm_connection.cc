#include "proxy/daemon/warm_connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/text.h"
#include "proxy/files/content_hash.h"
#include "proxy/files/regular_file.h"
#include "proxy/system/descriptors.h"
#include "proxy/system/introspection.h"

namespace symbols::daemon {
namespace {

// Variables of a shell, a terminal, a multiplexer or a login; they do not reach an answer.
constexpr std::string_view personal =
    " _ PWD OLDPWD SHLVL COLUMNS LINES TERM COLORTERM TERM_PROGRAM WINDOWID TMUX TMUX_PANE STY WINDOW "
    "SSH_TTY SSH_CLIENT SSH_CONNECTION XDG_SESSION_ID NO_COLOR CLICOLOR SYMBOLS_WARM VTE_VERSION "
    "TERM_SESSION_ID WT_SESSION ";

std::optional<sockaddr_un> address_of(const fs::path& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.native().size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, socket.c_str(), socket.native().size());
  return address;
}

constexpr std::size_t fixed_parts = 3;  // of a request
using Numbers = std::array<int, 2>;

// Bytes, with room for two descriptors beside them.
struct Message {
  Message(char* bytes, std::size_t size) : part{bytes, size} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }

  iovec part;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Numbers))> control{};
  msghdr header{};
};

}  // namespace

Result<fs::path> runtime_folder() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const fs::path folder = runtime != nullptr && *runtime == '/'
                              ? fs::path(runtime) / "symbols"
                              : fs::path(fmt::format("/tmp/symbols-{}", ::getuid()));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return files::system_error("make the folder", folder.string(), errno);
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return files::system_error("read", folder.string(), errno);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid() || (status.st_mode & 0077) != 0) {
    return Error{folder.string() + " is not a folder of this user alone",
                 "remove it, or set XDG_RUNTIME_DIR"};
  }
  return folder;
}

fs::path socket_path(const fs::path& folder) {
  files::PartsHash hash;
  struct stat status {};
  if (::stat(system::own_image().c_str(), &status) == 0) {
    const timespec built = system::modified(status);
    hash.add(fmt::format("{} {} {} {}.{}", status.st_dev, status.st_ino, status.st_size, built.tv_sec,
                         built.tv_nsec));
  }
  // In another mount namespace, or below another root, the same path may lead to another file.
  for (const char* const place : {"/proc/self/ns/mnt", "/"}) {
    if (::stat(place, &status) == 0) hash.add(fmt::format("{} {}", status.st_dev, status.st_ino));
  }
  std::vector<std::string> variables = system::own_environment();
  std::erase_if(variables, [](const std::string& variable) {
    const std::string name = fmt::format(" {} ", variable.substr(0, variable.find('=')));
    return personal.find(name) != std::string_view::npos;
  });
  std::sort(variables.begin(), variables.end());
  for (const std::string& variable : variables) hash.add(variable);
  return folder / (files::hex_of(hash.value()).substr(0, 16) + ".socket");
}

std::vector<fs::path> all_sockets(const fs::path& folder) {
  std::vector<fs::path> sockets;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".socket") sockets.push_back(entry->path());
  }
  std::sort(sockets.begin(), sockets.end());
  return sockets;
}

Descriptor connect_to(const fs::path& socket) {
  // Non-blocking: to connect would wait for a process that is stopped and has many calls before it.
  Descriptor connection = system::local_socket();
  const std::optional<sockaddr_un> address = address_of(socket);
  if (!connection || !address ||
      ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0 ||
      !system::is_own_peer(connection.get())) {
    return Descriptor();
  }
  return connection;
}

Result<Descriptor> listen_on(const fs::path& socket) {
  if (connect_to(socket)) return Error{"another process listens on " + socket.string(), {}};
  // Under another name first, so that whoever finds the socket finds it listening.
  const fs::path fresh = fmt::format("{}.{}", socket.string(), ::getpid());
  const std::optional<sockaddr_un> address = address_of(fresh);
  if (!address) return Error{socket.string() + " is too long for a socket", "set XDG_RUNTIME_DIR"};
  Descriptor listening = system::local_socket();
  ::unlink(fresh.c_str());
  constexpr int waiting_connections = 128;
  if (!listening ||
      ::bind(listening.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address)) != 0 ||
      ::listen(listening.get(), waiting_connections) != 0 || ::rename(fresh.c_str(), socket.c_str()) != 0) {
    const int code = errno;
    ::unlink(fresh.c_str());
    return files::system_error("listen on", socket.string(), code);
  }
  return listening;
}

// Parts that each end with a NUL byte, which no path and no argument can have.
std::string write_request(const Request& request) {
  std::string text = request.folder + '\0' + static_cast<char>(request.wanted);
  for (const bool is_set :
       {request.console.is_terminal, request.console.colour, request.message_colour, request.shows_progress})
    text += is_set ? '+' : '-';
  text += '\0' + std::to_string(request.console.width) + '\0';
  for (const std::string& argument : request.arguments) text += argument + '\0';
  return text;
}

std::optional<Request> read_request(std::string_view payload) {
  std::vector<std::string> parts;
  if (!payload.ends_with('\0')) return std::nullopt;
  for (const std::string_view part : split(payload, '\0')) parts.emplace_back(part);
  if (parts.size() < fixed_parts || !parts[0].starts_with('/') || parts[1].size() != 5) return std::nullopt;
  const auto width = whole_number<std::size_t>(parts[2]);
  if (!width) return std::nullopt;
  return Request{
      .wanted = static_cast<Wanted>(parts[1][0]),
      .folder = parts[0],
      .console = {.is_terminal = parts[1][1] == '+', .colour = parts[1][2] == '+', .width = *width},
      .message_colour = parts[1][3] == '+',
      .shows_progress = parts[1][4] == '+',
      .arguments = {parts.begin() + fixed_parts, parts.end()}};
}

std::string frame_of(std::string_view payload) {
  return std::to_string(payload.size()).append(1, '\n').append(payload);
}

std::optional<std::string_view> payload_of(std::string_view frame) {
  const std::size_t line = frame.find('\n');
  if (line == frame.npos) return std::nullopt;
  const auto size = whole_number<std::size_t>(frame.substr(0, line));
  frame.remove_prefix(line + 1);
  return size == frame.size() ? std::optional(frame) : std::nullopt;
}

void send_streams(int connection) {
  char byte = 0;
  Message message(&byte, 1);
  const Numbers numbers{STDOUT_FILENO, STDERR_FILENO};
  cmsghdr* const header = CMSG_FIRSTHDR(&message.header);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(Numbers));
  std::memcpy(CMSG_DATA(header), numbers.data(), sizeof(Numbers));
  ::sendmsg(connection, &message.header, 0);
}

std::optional<std::string> receive(int connection, Streams& streams) {
  std::array<char, 65536> buffer;
  Message message(buffer.data(), buffer.size());
  const ssize_t size = ::recvmsg(connection, &message.header, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::string();
  if (size <= 0) return std::nullopt;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message.header);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(Numbers))) {
    Numbers numbers{};
    std::memcpy(numbers.data(), CMSG_DATA(header), sizeof(Numbers));
    streams = {Descriptor(numbers[0]), Descriptor(numbers[1])};
    for (const int number : numbers) ::fcntl(number, F_SETFD, FD_CLOEXEC);
  }
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

}  // namespace symbols::daemon
