#include "platform/gdb/server.h"

#include <utility>

namespace vp::gdb {

/// Keeps account of the time of the host in which the machine stands still.
class Server::StandingStill {
 public:
  explicit StandingStill(Server& server) : server_(server) {
    if (server_.stands_++ != 0) return;
    server_.stands_since_ = std::chrono::steady_clock::now();
    if (server_.on_stand_still_) server_.on_stand_still_(true);
  }
  ~StandingStill() {
    if (--server_.stands_ != 0) return;
    server_.stood_still_ += std::chrono::steady_clock::now() - server_.stands_since_;
    if (server_.on_stand_still_) server_.on_stand_still_(false);
  }
  StandingStill(const StandingStill&) = delete;
  StandingStill& operator=(const StandingStill&) = delete;

 private:
  Server& server_;
};

void Server::start(std::function<void()> on_wish) {
  on_wish_ = std::move(on_wish);
  connection_.start([this] {
    if (!looks_ && connection_.has_event()) on_wish_();  // else it has been seen already
  });
}

Resumption Server::go_on(Resumption resumption) {
  connection_.send(session_.take_output());
  looks_ = false;
  if (connection_.has_event()) on_wish_();
  return last_ = resumption;
}

/// Whatever has come while the machine ran.
Resumption Server::asked_to_stop() {
  looks_ = true;
  while (!connection_.given_up()) {
    Connection::Event event = connection_.take();
    switch (event.kind) {
      case Connection::Event::Kind::nothing:
        return go_on(last_);
      case Connection::Event::Kind::connected:
        session_.connected();
        session_.stopped(Stop{});
        return converse();
      case Connection::Event::Kind::bytes:
        session_.receive(event.bytes);
        if (!session_.wants_stop()) break;
        session_.stopped(Stop{Signal::interrupt});
        return converse();
      case Connection::Event::Kind::disconnected:
        lose_client();
        break;
    }
  }
  return go_on({Resumption::How::kill});
}

/// A client that has gone without a word leaves the machine as it was: it runs on. Whose streams the machine has, it is
/// the machine's only one.
void Server::lose_client() {
  const bool over = session_.over() || connection_.only_one();
  session_.disconnected();
  told_ = false;
  last_ = {over ? Resumption::How::kill : Resumption::How::go_on};
}

Resumption Server::wait_for_client() {
  const StandingStill standing(*this);
  looks_ = true;
  last_ = {};
  told_ = false;
  do {
    connection_.wait();
    asked_to_stop();
  } while (!told_ && last_.how == Resumption::How::go_on);
  return last_;
}

Resumption Server::stopped(const Stop& stop) {
  looks_ = true;
  if (!session_.attached()) return go_on({});
  if (const auto between_steps = session_.stopped(stop)) {
    last_ = *between_steps;
    return asked_to_stop();
  }
  return converse();
}

/// Answers the client until the machine is to go on.
Resumption Server::converse() {
  const StandingStill standing(*this);
  last_ = {Resumption::How::kill};
  told_ = true;
  while (!connection_.given_up()) {
    if (const auto asked = session_.serve()) {
      last_ = *asked;
      break;
    }
    connection_.send(session_.take_output());
    Connection::Event event = connection_.take();
    if (event.kind == Connection::Event::Kind::nothing) connection_.wait();
    if (event.kind == Connection::Event::Kind::bytes) session_.receive(event.bytes);
    if (event.kind == Connection::Event::Kind::disconnected) {
      lose_client();
      break;
    }
  }
  return go_on(last_);
}

bool Server::ended(int exit_code) {
  if (!session_.attached()) return false;
  session_.ended(exit_code);
  return start_again();
}

bool Server::ended(Signal signal) {
  if (!session_.attached()) return false;
  session_.ended(signal);
  return start_again();
}

bool Server::start_again() {
  if (session_.extended() && converse().how == Resumption::How::restart) return true;
  connection_.send(session_.take_output());
  return false;
}

}  // namespace vp::gdb
