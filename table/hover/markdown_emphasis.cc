#include "table/hover/markdown_emphasis.h"

#include <algorithm>
#include <optional>

namespace symbols::table {
namespace {

bool may_pair(const DelimiterRun& opener, const DelimiterRun& closer) {
  if (opener.mark != closer.mark) return false;
  if (!opener.can_close && !closer.can_open) return true;
  return (opener.length + closer.length) % 3 != 0 || (opener.length % 3 == 0 && closer.length % 3 == 0);
}

}  // namespace

std::size_t EmphasisPairs::bucket_of(const DelimiterRun& run) {
  const std::size_t mark = run.mark == '*' ? 0 : run.mark == '_' ? 1 : 2;
  return mark * 6 + (run.can_close ? 3 : 0) + run.length % 3;
}

void EmphasisPairs::add(DelimiterRun run) {
  run.unused = run.length;
  while (run.can_close && run.unused > 0) {
    std::optional<std::size_t> opener;
    for (const std::vector<std::size_t>& bucket : openers_) {
      if (bucket.empty() || (opener && bucket.back() < *opener)) continue;
      if (may_pair(runs_[bucket.back()], run)) opener = bucket.back();
    }
    if (!opener) break;
    for (std::vector<std::size_t>& bucket : openers_) {
      while (!bucket.empty() && bucket.back() > *opener) bucket.pop_back();
    }
    DelimiterRun& partner = runs_[*opener];
    const std::size_t used = std::min<std::size_t>({2, partner.unused, run.unused});
    partner.unused -= used;
    run.unused -= used;
    if (partner.unused == 0) openers_[bucket_of(partner)].pop_back();
  }
  if (run.can_open && run.unused > 0) openers_[bucket_of(run)].push_back(runs_.size());
  runs_.push_back(run);
}

}  // namespace symbols::table
