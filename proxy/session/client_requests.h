// The requests that the client still waits for, whoever is to answer them: should the server be lost, each
// gets an error instead of silence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace symbols::session {

// Ids are kept as the bytes that came: `1` is not `"1"`, 9007199254740993 stays itself.
class ClientRequests {
 public:
  // Beyond it no more are remembered; none of their messages is touched by that.
  static constexpr std::size_t most = std::size_t{1} << 16;
  // A longer id is not remembered.
  static constexpr std::size_t longest_id = 256;

  void add(std::string_view id) {
    if (waiting_.size() >= most || id.size() > longest_id) return;
    if (spare_) {
      spare_.value().assign(id);
      spare_ = waiting_.insert(std::move(spare_)).node;
    } else {
      waiting_.emplace(id);
    }
  }
  void remove(std::string_view id) {
    if (const auto found = waiting_.find(id); found != waiting_.end()) spare_ = waiting_.extract(found);
  }
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

  // All of them, and forgets them.
  std::vector<std::string> take_all() {
    std::vector<std::string> ids(waiting_.begin(), waiting_.end());
    waiting_.clear();
    return ids;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Ids = std::unordered_set<std::string, Hash, std::equal_to<>>;
  Ids waiting_;
  Ids::node_type spare_;  // of the id removed last, for the next one: one comes for each that goes
};

}  // namespace symbols::session
