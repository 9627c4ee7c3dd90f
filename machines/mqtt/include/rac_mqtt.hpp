/* librac-mqtt in C++17: rac_mqtt.h with the classes of rac.hpp.
 *
 *     rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
 *     rac::mqtt mqtt(options);
 *     auto readings = mqtt.subscribe("house/+/heat");
 *     auto published = mqtt.publish(medians, "median");
 *
 * Options are the structures of rac_mqtt.h. A refused call throws a rac::failure.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_MQTT_HPP
#define RAC_MQTT_HPP

#include <rac.hpp>
#include <rac_mqtt.h>

namespace rac {

/// A client of a broker: rac_mqtt_create().
class mqtt {
 public:
  explicit mqtt(const rac_mqtt_options &options) : raw_(rac_mqtt_create(&options), rac_mqtt_release) {
    if (!raw_) refuse();
  }
  rac_mqtt *raw() const noexcept { return raw_.get(); }

  /// The values that are published to the topics of a filter.
  rac::signal subscribe(const std::string &filter,
                        const rac_mqtt_subscribe_options &options = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT) const {
    return given(rac_mqtt_subscribe(raw(), filter.c_str(), &options));
  }
  /// Publishes what a signal sends; completes when all of it is acknowledged.
  rac::signal publish(const rac::signal &source, const std::string &topic,
                      const rac_mqtt_publish_options &options = RAC_MQTT_PUBLISH_OPTIONS_INIT) const {
    return given(rac_mqtt_publish(raw(), source.raw(), topic.c_str(), &options));
  }
  /// Keeps a property equal to a retained message, both ways, while it is subscribed to.
  rac::signal bind(const rac::property &property, const std::string &topic,
                   const rac_mqtt_bind_options &options = RAC_MQTT_BIND_OPTIONS_INIT) const {
    return given(rac_mqtt_bind(raw(), property.raw(), topic.c_str(), &options));
  }
  rac_mqtt_stats stats() const {
    rac_mqtt_stats all = rac_mqtt_stats();
    all.size = sizeof all;
    rac_mqtt_get_stats(raw(), &all);
    return all;
  }

 private:
  [[noreturn]] static void refuse() { throw failure(RAC_EINVAL, rac_mqtt_last_message()); }
  static rac::signal given(rac_signal *made) {
    if (made == nullptr) refuse();
    return detail::owned<rac::signal>(made);
  }

  std::shared_ptr<rac_mqtt> raw_;
};

}  // namespace rac

#endif  // RAC_MQTT_HPP
