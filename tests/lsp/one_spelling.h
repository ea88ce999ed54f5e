// JSON values in one spelling, so that two can be compared: RapidJSON's operator== compares only the first of
// several members of one name.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>

namespace symbols::lsp {

inline std::string one_spelling(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

}  // namespace symbols::lsp
