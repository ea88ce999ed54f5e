#include "proxy/warm/warm_request.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace symbols::warm {
namespace {

constexpr std::size_t fixed_parts = 3;  // of a request
using Numbers = std::array<int, 2>;

}  // namespace

// Parts that each end with a NUL byte, which no path and no argument can have.
std::string write_request(const Request& request) {
  std::string text = request.folder;
  text += '\0';
  text += static_cast<char>(request.wanted);
  text += request.console.is_terminal ? 't' : '-';
  text += request.console.colour ? 'c' : '-';
  text += request.message_colour ? 'c' : '-';
  text += request.shows_progress ? 'p' : '-';
  text += '\0';
  text += std::to_string(request.console.width);
  text += '\0';
  for (const std::string& argument : request.arguments) {
    text += argument;
    text += '\0';
  }
  return text;
}

std::optional<Request> read_request(std::string_view payload) {
  std::vector<std::string> parts;
  while (!payload.empty()) {
    const std::size_t end = payload.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    parts.emplace_back(payload.substr(0, end));
    payload.remove_prefix(end + 1);
  }
  if (parts.size() < fixed_parts || !parts[0].starts_with('/') || parts[1].size() != 5) return std::nullopt;
  const auto width = whole_number<std::size_t>(parts[2]);
  if (!width) return std::nullopt;
  return Request{
      .wanted = static_cast<Wanted>(parts[1][0]),
      .folder = parts[0],
      .console = {.is_terminal = parts[1][1] == 't', .colour = parts[1][2] == 'c', .width = *width},
      .message_colour = parts[1][3] == 'c',
      .shows_progress = parts[1][4] == 'p',
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
  iovec part{&byte, 1};
  const Numbers numbers{STDOUT_FILENO, STDERR_FILENO};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Numbers))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(Numbers));
  std::memcpy(CMSG_DATA(header), numbers.data(), sizeof(Numbers));
  ::sendmsg(connection, &message, MSG_NOSIGNAL);
}

std::optional<std::string> receive(int connection, Streams& streams) {
  std::array<char, 65536> buffer;
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Numbers))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(connection, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::string();
  if (size <= 0) return std::nullopt;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(Numbers))) {
    Numbers numbers{};
    std::memcpy(numbers.data(), CMSG_DATA(header), sizeof(Numbers));
    streams = {Descriptor(numbers[0]), Descriptor(numbers[1])};
  }
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

}  // namespace symbols::warm
