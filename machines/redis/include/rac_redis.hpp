/* librac-redis in C++17: rac_redis.h with the classes of rac.hpp.
 *
 *     rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
 *     rac::redis redis(options);
 *     auto stored = redis.publish(readings, "orders");
 *     auto orders = redis.read("orders");
 *
 * Options are the structures of rac_redis.h. A refused call throws a rac::failure.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_REDIS_HPP
#define RAC_REDIS_HPP

#include <rac.hpp>
#include <rac_redis.h>

namespace rac {

/// A broker, and who asks: rac_redis_create().
class redis {
 public:
  explicit redis(const rac_redis_options &options) : raw_(rac_redis_create(&options), rac_redis_release) {
    if (!raw_) refuse();
  }
  rac_redis *raw() const noexcept { return raw_.get(); }

  /// Stores what a signal sends; completes when all of it is stored.
  rac::signal publish(const rac::signal &source, const std::string &stream,
                      const rac_redis_publish_options &options = RAC_REDIS_PUBLISH_OPTIONS_INIT) const {
    return given(rac_redis_publish(raw(), source.raw(), stream.c_str(), &options));
  }
  /// The number of the sender's last entry.
  rac::signal last_number(const std::string &stream) const {
    return given(rac_redis_last_number(raw(), stream.c_str()));
  }
  /// The values of a stream.
  rac::signal read(const std::string &stream,
                   const rac_redis_read_options &options = RAC_REDIS_READ_OPTIONS_INIT) const {
    return given(rac_redis_read(raw(), stream.c_str(), &options));
  }
  /// A worker's share of a stream: `handle` makes a signal of each value.
  template <class Handle>
  rac::signal work(const std::string &stream, const std::string &group, Handle &&handle,
                   const rac_redis_work_options &options = RAC_REDIS_WORK_OPTIONS_INIT) const {
    using functions = detail::functions<std::decay_t<Handle>>;
    detail::kept<functions> kept(std::forward<Handle>(handle));
    return given(rac_redis_work(raw(), stream.c_str(), group.c_str(), &options, kept.get(),
                                detail::rac_signal_fn<functions, 0>(), kept.give()));
  }
  /// Keeps a property equal to a key, both ways, while it is subscribed to.
  rac::signal bind(const rac::property &property, const std::string &key) const {
    return given(rac_redis_bind(raw(), property.raw(), key.c_str()));
  }
  rac_redis_stats stats() const {
    rac_redis_stats all = rac_redis_stats();
    all.size = sizeof all;
    rac_redis_get_stats(raw(), &all);
    return all;
  }

 private:
  [[noreturn]] static void refuse() { throw failure(RAC_EINVAL, rac_redis_last_message()); }
  static rac::signal given(rac_signal *made) {
    if (made == nullptr) refuse();
    return detail::owned<rac::signal>(made);
  }

  std::shared_ptr<rac_redis> raw_;
};

}  // namespace rac

#endif  // RAC_REDIS_HPP
