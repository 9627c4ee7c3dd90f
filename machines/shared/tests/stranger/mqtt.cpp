// The same in C++.
#include <cstdio>
#include <rac_mqtt.hpp>

int main() {
  rac_mqtt_options options = RAC_MQTT_OPTIONS_INIT;
  options.socket = "/no/such/socket";
  options.give_up_after = 0.05;
  try {
    rac::mqtt(options).subscribe("numbers").first(20);
  } catch (const rac::error &error) {
    std::puts(error.code() == RAC_MQTT_UNREACHABLE ? "unreachable" : error.what());
  }
}
