/* Tries for a moment to reach a broker that is not there. */
#include <rac_redis.h>
#include <stdio.h>

int main(void) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = "/no/such/socket";
  options.give_up_after = 0.05;
  rac_redis *redis = rac_redis_create(&options);
  rac_signal *values = rac_redis_read(redis, "numbers", NULL);
  rac_value error = rac_value_nil();
  rac_signal_first(values, 20, &error);
  puts(rac_error_get_code(error) == RAC_REDIS_UNREACHABLE ? "unreachable"
                                                          : "?");
  rac_value_release(error);
  rac_release(values);
  rac_redis_release(redis);
}
