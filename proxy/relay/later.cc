#include "proxy/relay/later.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <utility>

namespace symbols::relay {

Later later_on(boost::asio::io_context& io) {
  return [&io](std::chrono::milliseconds delay, std::function<void()> action) {
    auto timer = std::make_shared<boost::asio::steady_timer>(io, delay);
    timer->async_wait([timer, action = std::move(action)](const boost::system::error_code& error) {
      if (!error) action();
    });
  };
}

}  // namespace symbols::relay
