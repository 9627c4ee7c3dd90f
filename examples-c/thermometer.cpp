/* The first program of docs/Start.md in C++, with a reading that fails.
 *
 * SPDX-License-Identifier: MIT
 */
#include <iostream>
#include <rac.hpp>

int main() {
  auto thermometer = rac::subject::create();

  auto warnings = thermometer
                      .map([](std::string_view text) {
                        if (text == "?") throw std::runtime_error("no reading");
                        return std::stoi(std::string(text));
                      })
                      .filter([](int degrees) { return degrees > 30; })
                      .distinct_until_changed();

  auto warn = [](const char *who) {
    return [who](int degrees) { std::cout << who << ": " << degrees << " degrees!\n"; };
  };
  auto broken = [](const rac::error &error) { std::cout << "broken: " << error.what() << "\n"; };
  auto ada = warnings.subscribe(warn("Ada"), broken);
  {
    auto bob = warnings.subscribe(warn("Bob"));
    thermometer.send("20");
    thermometer.send("35");
    thermometer.send("35");
  } /* Bob has heard enough */
  thermometer.send("40");
  thermometer.send("?");
  return 0;
}
