/* rac_redis.hpp, with a broker at the socket that is given. */
#include <rac_redis.hpp>

#include <cstdio>

#define REQUIRE(condition)                                                  \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
      return 1;                                                             \
    }                                                                       \
  } while (0)

int main(int, char **words) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = words[1];
  options.sender = "cpp";
  rac::redis redis(options);
  rac_redis_publish_options publish = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  publish.unique = publish.ends = true;
  auto source = rac::signal::return_(1).concat(rac::signal::return_("two"));
  redis.publish(source, "s", publish).wait_until_completed(20);
  REQUIRE(redis.stats().acknowledged == 3);
  rac_redis_read_options read = RAC_REDIS_READ_OPTIONS_INIT;
  read.from = "0";
  read.ends = true;
  auto heard = redis.read("s", read);
  REQUIRE(heard.first(20).as<int>() == 1);
  REQUIRE(heard.skip(1).first(20).as<std::string>() == "two");
  REQUIRE(redis.last_number("s").first(20).as<int>() == 3);
  auto worked = redis.work("s", "g", [](rac::lent value) { return rac::signal::return_(value); });
  REQUIRE(worked.take(2).count().first(20).as<int>() == 2);
  auto property = rac::property::create(rac::value(7), 0);
  auto bound = redis.bind(property, "key").subscribe([](rac::lent) {});
  read.from = "last";
  REQUIRE(redis.read("key", read).first(20).as<int>() == 7);
  try {
    redis.read("");
    REQUIRE(false);
  } catch (const rac::failure &refused) {
    REQUIRE(refused.status() == RAC_EINVAL);
  }
  return 0;
}
