# PkgConfig::hiredis, and whether librac-redis is built: RAC_REDIS.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hiredis QUIET IMPORTED_TARGET hiredis)
  # With it librac-redis speaks TLS.
  pkg_check_modules(openssl QUIET IMPORTED_TARGET openssl>=1.1.1)
endif()
if(TARGET PkgConfig::hiredis)
  option(RAC_REDIS "Build librac-redis" ON)
  if(NOT TARGET PkgConfig::openssl)
    message(WARNING "No OpenSSL: librac-redis is built and tested without TLS")
  endif()
else()
  message(WARNING "No hiredis: librac-redis is not built or tested")
  set(RAC_REDIS OFF)
endif()
