#include "proxy/session/session_replay.h"

namespace symbols::session {
namespace {

constexpr std::string_view folders_changed = "workspace/didChangeWorkspaceFolders";
constexpr std::string_view configuration_changed = "workspace/didChangeConfiguration";

}  // namespace

void SessionReplay::initialize(std::string_view id, std::string_view body) {
  *this = {};
  id_ = id;
  initialize_ = body;
}

bool SessionReplay::keeps(std::string_view method) {
  return method == "initialized" || method == "$/setTrace" || method == configuration_changed ||
         method == folders_changed;
}

void SessionReplay::notified(std::string_view method, std::string_view body) {
  if (method == "initialized") {
    initialized_ = body;
  } else if (method == "$/setTrace") {
    trace_ = body;
  } else if (method == configuration_changed) {
    configuration_ = body;
  } else if (method == folders_changed) {
    folders_.emplace_back(body);
    folder_bytes_ += body.size();
    while (folder_bytes_ > most_folder_bytes && !folders_.empty()) {
      folder_bytes_ -= folders_.front().size();
      folders_.erase(folders_.begin());
    }
  }
}

std::vector<std::string_view> SessionReplay::notifications() const {
  std::vector<std::string_view> all;
  for (const std::string* const one : {&initialized_, &trace_, &configuration_}) {
    if (!one->empty()) all.emplace_back(*one);
  }
  all.insert(all.end(), folders_.begin(), folders_.end());
  return all;
}

}  // namespace symbols::session
