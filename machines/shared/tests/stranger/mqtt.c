/* Tries for a moment to reach a broker that is not there. */
#include <rac_mqtt.h>
#include <stdio.h>

int main(void) {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.socket = "/no/such/socket";
  options.give_up_after = 0.05;
  rac_mqtt *mqtt = rac_mqtt_create(&options);
  rac_signal *values = rac_mqtt_subscribe(mqtt, "numbers", NULL);
  rac_value error = rac_value_nil();
  rac_signal_first(values, 20, &error);
  puts(rac_error_get_code(error) == RAC_MQTT_UNREACHABLE ? "unreachable" : "?");
  rac_value_release(error);
  rac_release(values);
  rac_mqtt_release(mqtt);
}
