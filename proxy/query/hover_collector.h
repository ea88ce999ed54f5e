// Fills the column HOVER_INFO of one document's rows with the hover at the start of each row's selection:
// from the cache at once, else from the server.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "proxy/query/hover_scheduler.h"
#include "proxy/query/written_declarations.h"
#include "table/hover/hover_text.h"
#include "table/rows.h"

namespace symbols::query {

// What is kept of each hover.
struct HoverForm {
  std::size_t characters = table::default_hover_characters;  // Unicode scalar values; 0 for no limit
  bool parts = false;  // also its two parts, each cut to as many characters
};

// A query, as query_services.h says of all of them.
class HoverCollector {
 public:
  struct Counts {
    std::size_t given = 0;  // rows for which the server has a hover, though the row may show none of it
    std::size_t missing =
        0;  // whose hover did not arrive because the server refused it, the document changed
            // or stop() was called, or is left out because of the scheduler's limits
    std::size_t refused = 0;  // of those that are missing
  };
  using Done = std::function<void(table::SymbolRows rows, Counts counts)>;

  // `uri` names a document that the server has open, `rows` hold its symbols; their hovers are filled in
  // here, with signatures that are `written` where there are such. The scheduler must live until `done` is
  // called or the collector is destroyed. `done` is called from within start() if everything is cached (or
  // there are no rows), else from within a handler of the scheduler or stop().
  HoverCollector(HoverScheduler& scheduler, std::string uri, table::SymbolRows rows, HoverForm form,
                 Done done, WrittenDeclarations written = {});
  ~HoverCollector();
  HoverCollector(const HoverCollector&) = delete;
  HoverCollector& operator=(const HoverCollector&) = delete;

  // To be called once. If it calls `done`, it does so last.
  void start();
  // Finishes now with what has arrived: time is up, the server is lost, or the rest is not wanted. Does
  // nothing if `done` was called before.
  void stop();

  // For a progress line: rows whose hover has arrived (or will not), of how many.
  std::size_t hovers_done() const { return hovers_wanted() - out_; }
  std::size_t hovers_wanted() const { return tickets_.size(); }

 private:
  void receive(std::size_t row, HoverScheduler::Outcome outcome, const table::HoverText& text);
  void fill(std::size_t row, const table::HoverText& whole);
  void finish();

  HoverScheduler& scheduler_;
  std::string uri_;
  table::SymbolRows rows_;
  HoverForm form_;
  Done done_;  // empty once it was called
  WrittenDeclarations written_;
  std::vector<HoverScheduler::Ticket> tickets_;  // [i] is awaited for row i, or none
  std::size_t out_;                              // rows whose hover is awaited
  Counts counts_;
  std::size_t text_ = 0;  // bytes of rows_, as the scheduler counts them
};

}  // namespace symbols::query
