# PkgConfig::hiredis, and whether librac-redis is built: RAC_REDIS.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hiredis QUIET IMPORTED_TARGET hiredis)
endif()
if(TARGET PkgConfig::hiredis)
  option(RAC_REDIS "Build librac-redis" ON)
else()
  message(WARNING "No hiredis: librac-redis is not built or tested")
  set(RAC_REDIS OFF)
endif()
