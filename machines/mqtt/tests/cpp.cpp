/* rac_mqtt.hpp, with a broker at the port that is given. */
#include <rac_mqtt.hpp>

#include <cstdio>

#define REQUIRE(condition)                                                  \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
      return 1;                                                             \
    }                                                                       \
  } while (0)

int main(int, char **words) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.port = std::atoi(words[1]);
  rac::mqtt mqtt(options);
  rac_mqtt_publish_options publish = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  publish.retained = true;
  auto source = rac::signal::return_(1).concat(rac::signal::return_("two"));
  mqtt.publish(source, "a/b", publish).wait_until_completed(20);
  REQUIRE(mqtt.stats().acknowledged == 2);
  REQUIRE(mqtt.subscribe("a/+").first(20).as<std::string>() == "two");
  auto property = rac::property::create(rac::value(7), 0);
  auto bound = mqtt.bind(property, "key").subscribe([](rac::lent) {});
  REQUIRE(mqtt.subscribe("key").first(20).as<int>() == 7);
  try {
    mqtt.subscribe("a/#/b");
    REQUIRE(false);
  } catch (const rac::failure &refused) {
    REQUIRE(refused.status() == RAC_EINVAL);
  }
  return 0;
}
