// A delay that ends with its owner: that of a relay::Later cannot be called off.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "proxy/relay/later.h"

namespace symbols::query {

class Timer {
 public:
  explicit Timer(relay::Later later) : later_(std::move(later)) {}

  // Runs `action` after the delay, unless start(), stop() or the destructor comes first. It may destroy the
  // timer.
  void start(std::chrono::milliseconds delay, std::function<void()> action) {
    running_ = std::make_shared<const bool>(true);
    later_(delay, [running = std::weak_ptr(running_), action = std::move(action)] {
      if (!running.expired()) action();
    });
  }
  void stop() { running_.reset(); }

 private:
  relay::Later later_;
  std::shared_ptr<const bool> running_;
};

}  // namespace symbols::query
