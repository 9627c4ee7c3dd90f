# PkgConfig::mosquitto, and whether librac-mqtt is built: RAC_MQTT.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(mosquitto QUIET IMPORTED_TARGET libmosquitto>=2)
endif()
if(TARGET PkgConfig::mosquitto)
  option(RAC_MQTT "Build librac-mqtt" ON)
else()
  message(WARNING "No libmosquitto: librac-mqtt is not built or tested")
  set(RAC_MQTT OFF)
endif()
