#include "proxy/settings/version.h"

namespace symbols::settings {

std::string program_version() {
  return SYMBOLS_VERSION;
}

}  // namespace symbols::settings
