#include "proxy/warm/warm_message.h"

#include "base/number.h"

namespace symbols::warm {
namespace {

constexpr std::size_t header = 5;
constexpr std::size_t fixed_parts = 3;  // of a request

}  // namespace

std::string frame_of(Say say, std::string_view payload) {
  std::string frame(1, static_cast<char>(say));
  for (unsigned shift = 0; shift < 32; shift += 8)
    frame += static_cast<char>((payload.size() >> shift) & 0xFFU);
  frame += payload;
  return frame;
}

// Parts that each end with a NUL byte, which no path and no argument can have.
std::string write_request(const Request& request) {
  std::string text = request.folder;
  text += '\0';
  text += request.output_is_terminal ? 't' : '-';
  text += request.output_colour ? 'c' : '-';
  text += request.shows_progress ? 'p' : '-';
  text += '\0';
  text += std::to_string(request.width);
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
  if (parts.size() < fixed_parts || !parts[0].starts_with('/') || parts[1].size() != 3) return std::nullopt;
  const auto width = whole_number<std::size_t>(parts[2]);
  if (!width) return std::nullopt;
  return Request{.folder = parts[0],
                 .output_is_terminal = parts[1][0] == 't',
                 .output_colour = parts[1][1] == 'c',
                 .shows_progress = parts[1][2] == 'p',
                 .width = *width,
                 .arguments = {parts.begin() + fixed_parts, parts.end()}};
}

std::optional<Message> MessageReader::next() {
  const std::string_view rest = std::string_view(bytes_).substr(read_);
  if (rest.size() < header || too_large_) return std::nullopt;
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size |= std::size_t{static_cast<unsigned char>(rest[1 + i])} << (8 * i);
  if (size > most_) {
    too_large_ = true;
    return std::nullopt;
  }
  if (rest.size() < header + size) return std::nullopt;
  Message message{static_cast<Say>(rest[0]), std::string(rest.substr(header, size))};
  read_ += header + size;
  if (read_ > bytes_.size() / 2) {
    bytes_.erase(0, read_);
    read_ = 0;
  }
  return message;
}

}  // namespace symbols::warm
