/* rac.hpp by hand: what lambdas get, what exceptions become, when things end. */
#include <array>
#include <cstdio>
#include <rac.hpp>

static int failed = 0;
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
      failed++;                                                                \
    }                                                                          \
  } while (0)

template <class F>
static rac_status thrown(F function) {
  try {
    function();
    return RAC_OK;
  } catch (const rac::failure &failure) {
    return failure.status();
  }
}

struct reading {
  std::string name;
  int degrees;
};

struct no_paper : std::logic_error {
  using std::logic_error::logic_error;
};

static void values() {
  CHECK(rac::value(7).as<int>() == 7);
  CHECK(rac::value(7).as<double>() == 7.0);
  CHECK(rac::value("text").as<std::string>() == "text");
  CHECK(rac::value(std::string("a\0b", 3)).as<std::string_view>().size() == 3);
  CHECK(rac::value(true).as<bool>());
  CHECK(rac::value(nullptr).is_nil());
  CHECK(rac::value(reading{"hall", 21}).as<reading>().degrees == 21);
  const rac::value pair(std::tuple<std::string, int>("a", 1));
  CHECK((pair.as<std::tuple<std::string, int>>() == std::tuple<std::string, int>("a", 1)));
  rac::value moved("moved"), to = std::move(moved), copy = to;
  CHECK(moved.is_nil() && copy == to && copy != rac::value("other"));
  CHECK(thrown([] { rac::value(300).as<int8_t>(); }) == RAC_ERANGE);
  CHECK(thrown([] { rac::value(-1).as<unsigned>(); }) == RAC_ERANGE);
  CHECK(thrown([] { rac::value(UINT64_MAX); }) == RAC_ERANGE);
  CHECK(thrown([] { rac::value("1").as<int>(); }) == RAC_EKIND);
  CHECK(thrown([] { rac::value(1).as<std::string>(); }) == RAC_EKIND);
  CHECK(thrown([] { rac::value(1).as<reading>(); }) == RAC_EKIND);
  CHECK(thrown([&] { pair.as<std::tuple<int>>(); }) == RAC_EKIND);
  CHECK(thrown([] { rac::value(std::string("\xff")); }) == RAC_EUTF8);
}

static void subscriptions() {
  auto subject = rac::subject::create();
  std::string heard;
  {
    auto one = subject.subscribe([&](const std::string &text) { heard += text; });
    subject.send("a");
    auto other = std::move(one);
    CHECK(other.is_active() && !one.is_active());
    subject.send("b");
    one = subject.subscribe([](rac::lent) {});
    CHECK(subject.subscriber_count() == 2);
    one = subject.subscribe_inline(nullptr, [](rac::lent) {}, [](const rac::error &) {});
    CHECK(subject.subscriber_count() == 2);
    one = rac::subscription();
    CHECK(subject.subscriber_count() == 1);
  }
  CHECK(subject.subscriber_count() == 0);
  subject.send("c");
  subject.subscribe_detached([&](std::string_view text) { heard += text; }, nullptr,
                             [&] { heard += "|"; });
  subject.send("d");
  subject.send_completed();
  CHECK(heard == "abd|");
}

/* What a callback throws ends the stream, and comes out as it was. */
static void exceptions() {
  auto subject = rac::subject::create();
  auto failing = subject.map([](int n) {
    if (n == 1) throw no_paper("no paper");
    if (n == 2) throw rac::error("printer", 5, "jam");
    if (n == 3) throw 3;
    return n;
  });
  std::string heard;
  auto note = [&](const rac::error &e) {
    heard += std::string(e.domain()) + " " + std::to_string(e.code()) + " " + e.what() + ";";
    try {
      e.rethrow();
    } catch (const no_paper &) {
      heard += " as it was;";
    } catch (const rac::error &same) {
      heard += same.code() == e.code() ? " itself;" : " another;";
    } catch (int number) {
      heard += " int " + std::to_string(number) + ";";
    }
  };
  for (int n = 0; n < 4; n++) {
    auto subscription = failing.subscribe([](int) {}, note);
    subject.send(n);
  }
  CHECK(heard ==
        "c++ 0 no paper; as it was;printer 5 jam; itself;c++ 0 an exception; int 3;");
  auto no = rac::signal::return_(1).map([](int) -> int { throw no_paper("first"); });
  bool caught = false;
  try {
    no.first(1);
  } catch (const no_paper &e) {
    caught = std::string(e.what()) == "first";
  }
  CHECK(caught);
  /* What is not taken is an error of the stream, too. */
  std::string said;
  auto other = rac::signal::return_("text").map([](const reading &one) { return one.degrees; });
  auto subscription = other.subscribe([](int) {}, [&](const rac::error &e) {
    if (e.code() == RAC_EKIND) said = std::string(e.domain()) + ": " + e.what();
  });
  CHECK(said == "rac.callback: text is no reading");
  CHECK(thrown([&] { other.first(); }) == RAC_EKIND);
  CHECK(thrown([] { rac::signal::never().first(0.001); }) == RAC_ETIMEDOUT);
  CHECK(thrown([] { rac::signal::never().delay(-1); }) == RAC_EINVAL);
  try {
    rac::signal().delay(1);
    CHECK(!"thrown");
  } catch (const rac::failure &e) {
    CHECK(std::string(e.what()) == "rac_signal_delay: RAC_ENULL: the signal is NULL");
  }
  CHECK(thrown([] { rac::signal().map([](int n) { return n; }); }) == RAC_ENULL);
}

/* Of a subscription without an error lambda. Law 17. */
static void unhandled() {
  std::string told;
  rac::set_unhandled_error([&](const rac::error &error, std::string_view chain) {
    told += std::string(chain) + ": " + error.what() + ";";
  });
  auto failing = rac::signal::return_(1).map([](int) -> int { throw no_paper("no paper"); });
  failing.set_name("printing");
  failing.subscribe_detached([](int) {});
  CHECK(told == "printing: no paper;");
  failing.subscribe_detached([](int) {}, [](const rac::error &) {});
  CHECK(told == "printing: no paper;");
  rac::set_unhandled_error(nullptr);
}

static void sources() {
  auto made = rac::signal::create([](const rac::subscriber &subscriber) {
    subscriber.send(1);
    subscriber.send(2);
    subscriber.send_completed();
  });
  CHECK((made.to_array(1).as<std::tuple<int, int>>() == std::tuple<int, int>(1, 2)));
  auto nested = rac::signal::from_values({made, rac::signal::return_(3)});
  CHECK((nested.flatten(0).to_array(1).as<std::tuple<int, int, int>>() ==
         std::tuple<int, int, int>(1, 2, 3)));
  auto property = rac::property::create(20);
  std::string heard;
  auto derived = property.map([](int n) { return n + 1; });
  auto halves = rac::property::combine_latest({property, derived}, [](int a, int b) { return (a + b) / 20; });
  auto seldom = halves.map(RAC_PROPERTY_DISTINCT, [](int n) { return n; });
  CHECK(halves.get().as<int>() == 2 && seldom.get().as<int>() == 2);
  auto subscription = derived.subscribe([&](int n) { heard += std::to_string(n) + " "; });
  property.set(30);
  CHECK(property.get().as<int>() == 30 && heard == "21 31 ");
  int total = 0;
  auto squares = rac::sequence::from_values({1, 2, 3, 4}).map([](int n) { return n * n; });
  auto rest = squares.iterate();
  while (total < 30) total += rest.next().as<int>();
  CHECK(total == 30);
  auto sums = rac::signal::combine_latest_reduce({made, made},
                                                 [](int one, int other) { return one * 10 + other; });
  CHECK(sums.first(1).as<int>() == 21);
  auto clock = rac::scheduler::virtual_();
  int ran = 0;
  clock.schedule_after(1.5, [&] { ran++; });
  clock.advance_to(2);
  CHECK(ran == 1);
}

/* A service at a socket, and a client of it. */
static void output() {
  std::string address, heard;
  auto listening = rac::subject::create();
  auto hears = listening.subscribe([&](const std::string &text) { address = text; });
  auto service = rac::signal::listen("unix:@rac-cpp", 0, listening)
                     .flatten_map([](const rac::socket &client) {
                       return rac::signal::lines(client.descriptor(), RAC_DESCRIPTOR_OWNED, 0)
                           .add_delimiter(";", 0)
                           .write(client.descriptor(), RAC_DESCRIPTOR_OWNED);
                     })
                     .subscribe([](int64_t) {});
  CHECK(address == "unix:@rac-cpp");
  auto answers = rac::signal::connect(address.c_str(), 10)
                     .flatten_map([&](const rac::socket &server) {
                       CHECK(server.peer() == address);
                       auto asked = rac::signal::return_("a\nb\n").write(
                           server.descriptor(), RAC_DESCRIPTOR_OWNED);
                       auto come = rac::signal::chunks(server.descriptor(),
                                                       RAC_DESCRIPTOR_OWNED, 0);
                       return rac::signal::merge({asked.ignore_values(), come});
                     })
                     .split_by_delimiter(";", 0)
                     .subscribe([&](std::string_view text) { heard += std::string(text) + "."; });
  for (int i = 0; i < 1000 && heard != "a.b."; i++) rac_main_run_for(0.01);
  CHECK(heard == "a.b.");
  service.dispose();
}

/* Datagrams, each answered by its address. */
static void datagrams() {
  std::string address, heard;
  auto listening = rac::subject::create();
  auto hears = listening.subscribe([&](const std::string &text) { address = text; });
  auto service =
      rac::signal::listen("udp:127.0.0.1:0", 0, listening)
          .flatten_map([](const rac::socket &socket) {
            return rac::signal::datagrams(socket.descriptor(), RAC_DESCRIPTOR_OWNED, 0)
                .map([](const std::tuple<std::string_view, std::string, int64_t> &come) {
                  return std::make_tuple(std::string(std::get<0>(come)) + ".", std::get<1>(come));
                })
                .write(socket.descriptor(), RAC_DESCRIPTOR_OWNED);
          })
          .subscribe([](int64_t) {});
  auto answers = rac::signal::connect(("udp:" + address).c_str(), 10)
                     .flatten_map([&](const rac::socket &server) {
                       CHECK(server.peer() == address);
                       auto asked = rac::signal::return_("a").write(server.descriptor(),
                                                                    RAC_DESCRIPTOR_OWNED);
                       auto come = rac::signal::chunks(server.descriptor(),
                                                       RAC_DESCRIPTOR_OWNED, 0);
                       return rac::signal::merge({asked.ignore_values(), come});
                     })
                     .subscribe([&](std::string_view text) { heard += std::string(text); });
  for (int i = 0; i < 1000 && heard != "a."; i++) rac_main_run_for(0.01);
  CHECK(heard == "a.");
  answers.dispose();
  service.dispose();
}

/* What C has NULL or a negative time for may be left out. */
static void left_out() {
  auto numbers = rac::signal::from_values({1, 2, 3});
  CHECK(numbers.first().as<int>() == 1 && numbers.any().first().as<bool>());
  auto groups = numbers.group_by([](int n) { return n % 2; });
  auto sums = groups.flatten_map([](const rac::signal &group) { return group.sum(); });
  CHECK((sums.to_array().as<std::vector<int>>() == std::vector<int>{4, 2}));
  auto twice = rac::command::create([](int n) { return rac::signal::return_(n * 2); });
  CHECK(twice.execute(4).asynchronous_first_or_default(1, 0).as<int>() == 8);
  CHECK(rac::sequence::create([] { return 1; }).to_array().as<std::vector<int>>().size() == 1);
}

static void vectors_and_loops() {
  std::vector<double> pair;
  auto heard = rac::signal::from_values({1, 2.5}).collect().subscribe(
      [&](const std::vector<double> &all) { pair = all; });
  CHECK((pair == std::vector<double>{1, 2.5}));
  const std::vector<std::string> words{"a", "b"};
  CHECK(rac::value(words).as<std::vector<std::string>>() == words);
  CHECK(thrown([] { rac::value(std::tuple<int, const char *>(1, "b")).as<std::vector<int>>(); }) ==
        RAC_EKIND);
  CHECK(thrown([] { rac::value(1).as<std::vector<int>>(); }) == RAC_EKIND);
  std::string seen;
  for (const rac::value &each : rac::sequence::range(1, 2, 3)) seen += std::to_string(each.as<int>());
  for (const rac::value &each : rac::sequence::empty()) seen += std::to_string(each.kind());
  CHECK(seen == "135");
  auto failing = rac::sequence::range(1, 1, 3).map([](int n) {
    if (n == 3) throw no_paper("three");
    return n;
  });
  bool caught = false;
  try {
    for (const rac::value &each : failing) seen += std::to_string(each.as<int>());
  } catch (const no_paper &) {
    caught = true;
  }
  CHECK(caught && seen == "13512");
}

/* The type of an array's elements is C's type of array. */
static void arrays() {
  auto subject = rac::subject::create();
  std::string heard;
  auto all = subject.subscribe([&](rac::lent value) {
    heard += value.kind() == RAC_DOUBLE ? "d" : value.kind() == RAC_INT64 ? "i" : "t";
  });
  const std::vector<double> doubles{0.5, 1.5};
  CHECK(subject.send_array(std::vector<int64_t>{1, 2}) == RAC_OK);
  CHECK(subject.send_array(doubles) == RAC_OK);
  CHECK(subject.send_array({1, "text"}) == RAC_OK);
  CHECK(heard == "iiddit");
}

/* A state of each subscription's own, freed with it. */
static void steps() {
  auto subject = rac::subject::create();
  auto kept = std::make_shared<int>(0);
  auto own = subject.step(
      std::make_pair(std::string(), kept),
      [](std::pair<std::string, std::shared_ptr<int>> &state, rac::step &step) {
        if (step.is_completed()) step.send(state.first);
        if (!step.is_next()) return;
        if (step.as<std::string_view>() == "?") throw no_paper("none");
        state.first += step.as<std::string>();
        if (state.first.size() == 3) step.complete();
      });
  auto note = [](std::string &heard) {
    return [&heard](std::string_view text) { heard += text; };
  };
  std::string early, late, code;
  auto one = own.subscribe(note(early), nullptr, [&] { early += "|"; });
  subject.send("a");
  CHECK(kept.use_count() == 3);
  auto two = own.subscribe(note(late), [&](const rac::error &e) { late += e.what(); });
  subject.send("b");
  subject.send("c");
  CHECK(early == "|" && late.empty());
  subject.send("?");
  CHECK(late == "none");
  auto three = own.subscribe(note(code), nullptr, [&] { code += "|"; });
  subject.send("de");
  subject.send_completed();
  CHECK(code == "de|");
  own = rac::signal();
  one = rac::subscription(), two = rac::subscription(), three = rac::subscription();
  CHECK(kept.use_count() == 1);
  auto twice = rac::sequence::from_values({1, 2}).step(0, [](int &sum, const rac::step &step) {
    if (step.is_next()) step.send(sum += step.as<int>()), step.send(sum);
  });
  CHECK((twice.to_array().as<std::tuple<int, int, int, int>>() ==
         std::tuple<int, int, int, int>(1, 1, 3, 3)));
}

static void bytes() {
  const std::vector<std::byte> some = {std::byte(255), std::byte(0)};
  CHECK(rac::value(some).kind() == RAC_BYTES);
  CHECK(rac::value(some).as<std::vector<std::byte>>() == some);
  CHECK(rac::value(some).as<std::string>() == std::string("\xff\0", 2));
  CHECK(rac::value(std::vector<std::byte>()).as<std::string_view>().empty());
  CHECK(thrown([] { rac::value("text").as<std::vector<std::byte>>(); }) == RAC_EKIND);
  CHECK(thrown([] { rac::signal::lines(-1, RAC_DESCRIPTOR_LENT, 10); }) == RAC_EINVAL);
}

template <class... F>
static bool needs_memory(F... function) {
  rac::detail::kept<rac::detail::functions<F...>> kept(function...);
  const rac_destroy_fn destroy = kept.give();
  if (destroy != nullptr) destroy(kept.get());
  return destroy != nullptr;
}

struct counting {
  mutable int calls = 0;
  int operator()(int) const { return ++calls; }
};
struct listener {
  int sum = 0, ends = 0;
  rac::subscription listen(const rac::signal &to) {
    return to.subscribe([this](int n) { sum += n; },
                        [this](const rac::error &) { ends += 10; }, [this] { ends++; });
  }
};
static int twice(int n) { return 2 * n; }
static int plain_sum = 0;
static void hear(int n) { plain_sum += n; }
static void hear_error(const rac::error &) { plain_sum += 100; }
static void hear_end() { plain_sum += 1000; }
static bool is_three(int n) { return n == 3; }
static int add(int a, int b) { return a + b; }

// The captures of a lambda lie in the context, if they fit and if a copy does as well.
static void captures() {
  auto one = rac::signal::from_values({1, 1, 1});
  const auto list = [](const rac::signal &signal) { return signal.to_array().as<std::vector<int>>(); };
  using numbers = std::vector<int>;
  int16_t small = 5;
  const auto plus = [small](int n) { return n + small; };
  CHECK(!needs_memory(plus) && list(one.map(plus)) == (numbers{6, 6, 6}));
  CHECK(!needs_memory(twice) && list(one.map(twice)) == (numbers{2, 2, 2}));
  CHECK(!needs_memory([](auto n) { return n; }) && list(one.map([](auto n) { return n; })) == (numbers{1, 1, 1}));
  auto counted = [n = 0](int) mutable { return ++n; };
  CHECK(needs_memory(counted) && list(one.map(counted)) == (numbers{1, 2, 3}));
  CHECK(needs_memory(counting()) && list(one.map(counting())) == (numbers{1, 2, 3}));
  // Plain functions, by name and by pointer.
  one.subscribe_detached(hear, hear_error, hear_end);
  one.subscribe_detached(&hear, &hear_error, &hear_end);
  CHECK(plain_sum == 2006);
  const auto numbered = rac::sequence::from_values({1, 2, 3});
  CHECK(numbered.any(is_three) && numbered.fold_left(0, add).as<int>() == 6);
  const auto kept = std::make_shared<int>(1);
  CHECK(needs_memory([kept](int n) { return n + *kept; }));
  CHECK(kept.use_count() == 1);
  int64_t large = 1, other = 2;
  CHECK(needs_memory([large, other](int n) { return n + large + other; }));
  // Two that fit together, each with its own.
  int16_t first = 1, last = 2;
  const auto next = [first](int n) { CHECK(n == first); };
  const auto end = [last] { CHECK(last == 2); };
  CHECK(!needs_memory(next, nullptr, end));
  one.subscribe_detached(next, nullptr, end);
  // A text in a lambda that returns it is there until librac has it.
  const std::array<char, 4> text{'a', 'b', 'c', 'd'};
  auto texts = one.map([text](int) { return std::string_view(text.data(), text.size()); });
  CHECK(texts.first().as<std::string>() == "abcd");
  // One word for all, or three.
  auto subject = rac::subject::create();
  listener object, second, *none = nullptr;
  auto heard = object.listen(subject);
  auto apart = subject.subscribe([&object](int n) { object.sum += n; },
                                 [](const rac::error &) {}, [&second] { second.ends++; });
  listener *some = &second;
  auto with_null = subject.subscribe([none](int) { CHECK(none == nullptr); }, nullptr,
                                     [some] { some->ends++; });
  subject.send(3);
  subject.send_completed();
  CHECK(object.sum == 6 && object.ends == 1 && second.ends == 2);
  CHECK(second.listen(rac::signal::error(rac::error("test", 1, "no"))).raw() && second.ends == 12);
}

// A subscriber is lent to its lambda, which keeps it in any of these ways.
static void subscribers() {
  std::vector<rac::subscriber> kept;
  const auto keep_copy = [&](rac::subscriber each) { kept.push_back(std::move(each)); };
  const auto keep_lent = [&](const rac::subscriber &each) { kept.push_back(each); };
  const auto keep_moved = [&](rac::subscriber &each) { kept.push_back(std::move(each)); };
  const auto keep_any = [&](auto &&each) { kept.push_back(std::move(each)); };
  std::string heard;
  const auto listen = [&](const rac::signal &to) {
    return to.subscribe([&](std::string_view text) { heard += text; });
  };
  const rac::subscription all[] = {
      listen(rac::signal::create(keep_copy)), listen(rac::signal::create(keep_lent)),
      listen(rac::signal::create(keep_moved)), listen(rac::signal::create(keep_any))};
  for (const rac::subscriber &each : kept) CHECK(each.send("a") == RAC_OK);
  CHECK(kept.size() == 4 && heard == "aaaa");
}

// A producer asks, waits, and takes that back.
static void holds() {
  const auto slow = rac::scheduler::virtual_();
  const auto bound = rac::bound::create(1, RAC_BOUND_WAIT);
  const auto subject = rac::subject::create_bounded(bound);
  const auto heard = subject.deliver_on_bounded(slow, bound).subscribe([](int) {});
  const auto sender = subject.as_subscriber();
  int calls = 0;
  rac::detail::kept<rac::detail::functions<std::nullptr_t>> nothing(nullptr);
  CHECK(nothing.get() == nullptr && nothing.give() == nullptr);  // a question takes no memory
  CHECK(sender.hold(nullptr) == RAC_OK);
  subject.send(1);
  CHECK(sender.hold(nullptr) == RAC_PENDING);
  rac::disposable waiting;
  CHECK(sender.hold(slow, [&] { calls++; }, &waiting) == RAC_PENDING);
  CHECK(waiting && !waiting.is_disposed());
  waiting.dispose();
  CHECK(sender.hold(slow, [&] { calls += 10; }) == RAC_PENDING);
  slow.step_all();
  CHECK(calls == 10);
  CHECK(sender.hold([&] { calls++; }) == RAC_OK);
}

int main() {
  const uint64_t before = rac_live_objects();
  values();
  subscriptions();
  exceptions();
  unhandled();
  sources();
  output();
  datagrams();
  left_out();
  vectors_and_loops();
  arrays();
  steps();
  bytes();
  captures();
  subscribers();
  holds();
  rac_main_drain(0);  // on which a command ends
  CHECK(rac_live_objects() == before);
  return failed != 0;
}
