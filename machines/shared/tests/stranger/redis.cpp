// The same in C++.
#include <cstdio>
#include <rac_redis.hpp>

int main() {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = "/no/such/socket";
  options.give_up_after = 0.05;
  try {
    rac::redis(options).read("numbers").first(20);
  } catch (const rac::error &error) {
    std::puts(error.code() == RAC_REDIS_UNREACHABLE ? "unreachable" : error.what());
  }
}
