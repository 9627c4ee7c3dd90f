/* Sends through map, filter and scan, once written in C and once in C++: what
 * test_speed.py counts the instructions of.
 *
 *     speed c|c++ SENDS
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <rac.hpp>

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
  *static_cast<int64_t *>(context) = value.bits;
}
}

static int64_t in_c(int sends) {
  int64_t last = 0;
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = rac_signal_map(rac_subject_as_signal(subject), nullptr, twice, nullptr);
  RAC_ASSIGN(signal, rac_signal_filter(signal, nullptr, is_even, nullptr));
  RAC_ASSIGN(signal, rac_signal_scan(signal, rac_int64(0), nullptr, add, nullptr));
  rac_disposable *subscription = rac_subscribe_next(signal, &last, note, nullptr);
  for (int i = 0; i < sends; i++) rac_subject_send(subject, rac_int64(i));
  rac_dispose(subscription);
  rac_release(subscription);
  rac_release(signal);
  rac_release(subject);
  return last;
}

static int64_t in_cpp(int sends) {
  int64_t last = 0;
  auto subject = rac::subject::create();
  auto subscription = subject.map([](int64_t n) { return n * 2; })
                          .filter([](int64_t n) { return n % 2 == 0; })
                          .scan(0, [](int64_t running, int64_t n) { return running + n; })
                          .subscribe([&last](int64_t n) { last = n; });
  for (int i = 0; i < sends; i++) subject.send(i);
  return last;
}

int main(int, char **argv) {
  const int sends = std::atoi(argv[2]);
  const int64_t last = std::strcmp(argv[1], "c") == 0 ? in_c(sends) : in_cpp(sends);
  return last == static_cast<int64_t>(sends) * (sends - 1) ? 0 : 1;
}
