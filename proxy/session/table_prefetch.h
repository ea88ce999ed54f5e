// Hovers ahead of time (`symbols proxy --prefetch`): after a change and a pause in the typing, the tables
// that the client has asked for before are made for nobody, so that the scheduler's cache has their hovers
// when it asks again.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "proxy/options/answer_options.h"
#include "proxy/query/symbol_query.h"
#include "proxy/relay/timers.h"

namespace symbols::session {

// Single-threaded.
class TablePrefetch {
 public:
  // What the client asked for.
  struct Table {
    std::string uri;
    std::string params;  // SymbolQuery's
    options::AnswerOptions options;
  };
  struct Callbacks {
    // A query for the table, not started yet; null where the document is not open any more.
    std::function<std::shared_ptr<query::SymbolQuery>(const Table& table, query::SymbolQuery::Done done)>
        make_query;
    // Whether the client waits for nothing, and the server is not loading.
    std::function<bool()> may_run;
    // Around each run.
    std::function<void(bool running)> on_running;
  };

  // `timers` outlives it.
  TablePrefetch(relay::Timers& timers, Callbacks callbacks);

  void asked(Table table);
  // Something has changed: hovers of before do not hold any more.
  void changed();
  // The client asks for something: what is under way is cancelled, and goes on later.
  void make_room();
  void stop();

 private:
  struct Entry {
    Table table;
    bool is_due = false;
    std::size_t runs = 0;  // since the client asked for it last
  };

  void wait();
  void run_next();
  void cancel();

  Callbacks callbacks_;
  std::list<Entry> tables_;  // the one asked for last first
  std::shared_ptr<query::SymbolQuery> running_;
  std::string running_uri_;
  relay::Timer timer_;
  std::size_t waits_ = 0;  // in a row, for the client to wait for nothing
};

}  // namespace symbols::session
