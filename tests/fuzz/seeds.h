// First inputs for the targets, made from what real servers have sent (fixtures/). They are made when they
// are needed, so that no second copy of the fixtures is kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace symbols::fuzz {

struct Seed {
  std::string name;  // of its file
  std::string bytes;
};

// The inputs that scripts/fuzz --keep has put into tests/fuzz/corpus/TARGET.json, an array of strings in
// which each character is a byte.
std::vector<Seed> kept_inputs_of(std::string_view target);

// None for a target whose inputs no fixture resembles: its kept ones and its dictionary are enough.
std::vector<Seed> seeds_of(std::string_view target);

}  // namespace symbols::fuzz
