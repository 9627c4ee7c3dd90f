/* The same jobs in C and through rac.hpp. test_speed.py counts their instructions:
 *
 *     speed          runs each a thousand times, for what counts
 *     speed times    prints the nanoseconds of each, the least of many rounds
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <rac.hpp>

/* Each job runs TIMES times and gives a sum, which is the same in both languages. */
namespace {

extern "C" {
static rac_status twice(void *, rac_value value, rac_value *out) {
  *out = rac_int64(value.bits * 2);
  return RAC_OK;
}
static rac_status is_even(void *, rac_value value, bool *out) {
  *out = value.bits % 2 == 0;
  return RAC_OK;
}
static rac_status add(void *, rac_value running, rac_value value, rac_value *out) {
  *out = rac_int64(running.bits + value.bits);
  return RAC_OK;
}
static void note(void *context, rac_value value) {
  *static_cast<int64_t *>(context) += value.bits;
}
static void note_completed(void *context) { *static_cast<int64_t *>(context) += 1; }
static void note_error(void *context, rac_value) { *static_cast<int64_t *>(context) += 1; }
static void note_text(void *context, rac_value value) {
  const char *text = nullptr;
  size_t length = 0;
  if (rac_value_get_text(value, &text, &length) == RAC_OK)
    *static_cast<int64_t *>(context) += static_cast<int64_t>(length) + text[0];
}
static rac_status without_first(void *, rac_value value, rac_value *out) {
  const char *text = nullptr;
  size_t length = 0;
  const rac_status status = rac_value_get_text(value, &text, &length);
  if (status != RAC_OK) return status;
  *out = rac_value_string_copy(text + 1, length - 1);
  return out->kind == RAC_STRING ? RAC_OK : RAC_EUSER;
}
static rac_status send_one(void *context, rac_subscriber *subscriber, rac_disposable **) {
  rac_subscriber_send(subscriber, rac_int64(reinterpret_cast<intptr_t>(context)));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}
static rac_status created(void *, rac_value value, rac_signal **out) {
  *out = rac_signal_create(reinterpret_cast<void *>(static_cast<intptr_t>(value.bits)), send_one,
                           nullptr);
  return *out == nullptr ? RAC_EUSER : RAC_OK;
}
}

rac::signal one_value(int64_t n) {
  return rac::signal::create([n](const rac::subscriber &subscriber) {
    subscriber.send(n);
    subscriber.send_completed();
  });
}

/// Sends numbers to one subscriber of a signal that a function makes of the subject.
template <class Make>
int64_t send_in_c(int times, Make make) {
  int64_t sum = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = make(rac_subject_as_signal(subject));
  rac_disposable *subscription = rac_subscribe_next(signal, &sum, note, nullptr);
  for (int i = 0; i < times; i++) rac_subject_send(subject, rac_int64(i));
  rac_dispose_and_release(subscription);
  rac_release(signal);
  rac_release(subject);
  return sum;
}

template <class Make>
int64_t send_in_cpp(int times, Make make) {
  int64_t sum = 0;
  auto subject = rac::subject::create();
  auto subscription = make(subject).subscribe([&sum](int64_t n) { sum += n; });
  for (int i = 0; i < times; i++) subject.send(i);
  return sum;
}

struct send {
  static constexpr const char *name = "a send, one subscriber";
  static int64_t c(int times) {
    return send_in_c(times, [](rac_signal *source) {
      return static_cast<rac_signal *>(rac_retain(source));
    });
  }
  static int64_t cpp(int times) {
    return send_in_cpp(times, [](const rac::signal &source) { return source; });
  }
};

struct chain {
  static constexpr const char *name = "a send through map, filter and scan";
  static int64_t c(int times) {
    return send_in_c(times, [](rac_signal *source) {
      rac_signal *signal = rac_signal_map(source, nullptr, twice, nullptr);
      RAC_ASSIGN(signal, rac_signal_filter(signal, nullptr, is_even, nullptr));
      RAC_ASSIGN(signal, rac_signal_scan(signal, rac_int64(0), nullptr, add, nullptr));
      return signal;
    });
  }
  static int64_t cpp(int times) {
    return send_in_cpp(times, [](const rac::signal &source) {
      return source.map([](int64_t n) { return n * 2; })
          .filter([](int64_t n) { return n % 2 == 0; })
          .scan(0, [](int64_t running, int64_t n) { return running + n; });
    });
  }
};

struct flatten_map {
  static constexpr const char *name = "a send through flattenMap to a create";
  static int64_t c(int times) {
    return send_in_c(times, [](rac_signal *source) {
      return rac_signal_flatten_map(source, nullptr, created, nullptr);
    });
  }
  static int64_t cpp(int times) {
    return send_in_cpp(times, [](const rac::signal &source) {
      return source.flatten_map([](int64_t n) { return one_value(n); });
    });
  }
};

struct create {
  static constexpr const char *name = "create, subscribe, a value, the end";
  static int64_t c(int times) {
    int64_t sum = 0;
    for (int i = 0; i < times; i++) {
      rac_signal *signal = rac_signal_create(reinterpret_cast<void *>(static_cast<intptr_t>(i)),
                                             send_one, nullptr);
      rac_disposable *subscription = rac_subscribe_next(signal, &sum, note, nullptr);
      rac_dispose_and_release(subscription);
      rac_release(signal);
    }
    return sum;
  }
  static int64_t cpp(int times) {
    int64_t sum = 0;
    for (int i = 0; i < times; i++)
      auto subscription = one_value(i).subscribe([&sum](int64_t n) { sum += n; });
    return sum;
  }
};

struct subscribe {
  static constexpr const char *name = "subscribe, dispose";
  static int64_t c(int times) {
    int64_t sum = 0;
    rac_subject *subject = rac_subject_create();
    for (int i = 0; i < times; i++) {
      rac_disposable *subscription =
          rac_subscribe_next(rac_subject_as_signal(subject), &sum, note, nullptr);
      rac_dispose_and_release(subscription);
    }
    rac_release(subject);
    return sum;
  }
  static int64_t cpp(int times) {
    int64_t sum = 0;
    auto subject = rac::subject::create();
    for (int i = 0; i < times; i++)
      auto subscription = subject.subscribe([&sum](int64_t n) { sum += n; });
    return sum;
  }
};

struct subscribe_all {
  static constexpr const char *name = "subscribe with all three callbacks, dispose";
  int64_t sum = 0;
  rac::subscription listen(const rac::subject &subject) {
    return subject.subscribe([this](int64_t n) { sum += n; },
                             [this](const rac::error &) { sum += 1; }, [this] { sum += 1; });
  }
  static int64_t c(int times) {
    int64_t sum = 0;
    rac_subject *subject = rac_subject_create();
    for (int i = 0; i < times; i++) {
      const rac_observer observer =
          rac_observer_init(&sum, note, note_error, note_completed, nullptr);
      rac_disposable *subscription = rac_subscribe(rac_subject_as_signal(subject), &observer);
      rac_dispose_and_release(subscription);
    }
    rac_release(subject);
    return sum;
  }
  static int64_t cpp(int times) {
    subscribe_all all;
    auto subject = rac::subject::create();
    for (int i = 0; i < times; i++) auto subscription = all.listen(subject);
    return all.sum;
  }
};

struct text {
  static constexpr const char *name = "a send of a lent text";
  static constexpr std::string_view sent = "a text of twenty-four ch";
  static int64_t c(int times) {
    int64_t sum = 0;
    rac_subject *subject = rac_subject_create();
    rac_disposable *subscription =
        rac_subscribe_next(rac_subject_as_signal(subject), &sum, note_text, nullptr);
    for (int i = 0; i < times; i++)
      rac_subject_send(subject, rac_value_string_view(sent.data(), sent.size()));
    rac_dispose_and_release(subscription);
    rac_release(subject);
    return sum;
  }
  static int64_t cpp(int times) {
    int64_t sum = 0;
    auto subject = rac::subject::create();
    auto subscription = subject.subscribe([&sum](std::string_view heard) {
      sum += static_cast<int64_t>(heard.size()) + heard[0];
    });
    for (int i = 0; i < times; i++) subject.send(sent);
    return sum;
  }
};

struct text_map {
  static constexpr const char *name = "a send of a text through a map to a text";
  static int64_t c(int times) {
    int64_t sum = 0;
    rac_subject *subject = rac_subject_create();
    rac_signal *signal =
        rac_signal_map(rac_subject_as_signal(subject), nullptr, without_first, nullptr);
    rac_disposable *subscription = rac_subscribe_next(signal, &sum, note_text, nullptr);
    for (int i = 0; i < times; i++)
      rac_subject_send(subject, rac_value_string_view(text::sent.data(), text::sent.size()));
    rac_dispose_and_release(subscription);
    rac_release(signal);
    rac_release(subject);
    return sum;
  }
  static int64_t cpp(int times) {
    int64_t sum = 0;
    auto subject = rac::subject::create();
    auto subscription =
        subject.map([](std::string_view heard) { return heard.substr(1); })
            .subscribe([&sum](std::string_view heard) {
              sum += static_cast<int64_t>(heard.size()) + heard[0];
            });
    for (int i = 0; i < times; i++) subject.send(text::sent);
    return sum;
  }
};

template <class Job>
[[gnu::noinline]] int64_t in_c(int times) {
  return Job::c(times);
}
template <class Job>
[[gnu::noinline]] int64_t in_cpp(int times) {
  return Job::cpp(times);
}

double nanoseconds(int64_t (*job)(int), int times) {
  const auto start = std::chrono::steady_clock::now();
  job(times);
  const auto taken = std::chrono::steady_clock::now() - start;
  return std::chrono::duration<double, std::nano>(taken).count() / times;
}

/// Both languages in turn, round after round: what slows the machine for a while slows both.
template <class Job>
void time_both() {
  constexpr int times = 10000, rounds = 50;
  double c = 1e9, cpp = 1e9;
  for (int i = 0; i < rounds; i++) {
    c = std::min(c, nanoseconds(in_c<Job>, times));
    cpp = std::min(cpp, nanoseconds(in_cpp<Job>, times));
  }
  std::printf("%-40s %6.1f ns in C %6.1f in C++  %.2f\n", Job::name, c, cpp, cpp / c);
}

/// Whether both give the same; once before, since a first time costs more.
template <class Job>
bool run_both() {
  return Job::c(100) == Job::cpp(100) && in_c<Job>(1000) == in_cpp<Job>(1000);
}

template <class... Job>
struct jobs {
  static bool run() { return (run_both<Job>() && ...); }
  static void time() { (time_both<Job>(), ...); }
};
using all = jobs<send, chain, create, flatten_map, subscribe, subscribe_all, text, text_map>;

}  // namespace

int main(int count, char **) {
  if (count > 1) all::time();
  return all::run() ? 0 : 1;
}
