# librac.a: all of librac as one object, in which the names that are not of the interface are local.
# A plain archive would neither link nor hide them: the engine brings `swift_retain` and
# `posix_memalign` along.

set(static_library "${PROJECT_BINARY_DIR}/librac.a")
set(whole "${PROJECT_BINARY_DIR}/librac.o")
set(kept "${PROJECT_BINARY_DIR}/librac.symbols")
file(STRINGS "${version_script}" exported REGEX "^ +rac_[a-z0-9_]+;")
list(TRANSFORM exported REPLACE "^ +(.*);" "\\1")
list(JOIN exported "\n" exported)
file(GENERATE OUTPUT "${kept}" CONTENT "${exported}\n")
# Compiled without glibc_compat.h: a program that brings its C library along has no older one to fit.
add_library(rac_static_parts OBJECT ${shims})
if(engine STREQUAL assembly)
  target_sources(rac_static_parts PRIVATE "${engine}")
endif()
set_target_properties(rac_static_parts PROPERTIES
  POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_compile_definitions(rac_static_parts PRIVATE RAC_EMBEDDED)
if(NOT RAC_GLIBC)
  target_compile_definitions(rac_static_parts PRIVATE RAC_LATE_TLS)
endif()
target_compile_options(rac_static_parts PRIVATE -Wall -Wextra)
target_include_directories(rac_static_parts PRIVATE include Sources/CRACShims/include)
set(objects "$<TARGET_OBJECTS:rac_static_parts>")
if(NOT engine STREQUAL assembly)
  list(APPEND objects "${engine}")
endif()
add_custom_command(
  OUTPUT "${static_library}"
  COMMAND "${CMAKE_C_COMPILER}" -r -nostdlib -Wl,--wrap=free -o "${whole}" ${objects}
  COMMAND "${CMAKE_OBJCOPY}" --strip-debug "--keep-global-symbols=${kept}" "${whole}"
  COMMAND "${CMAKE_COMMAND}" -E rm -f "${static_library}"
  COMMAND "${CMAKE_AR}" rcsD "${static_library}" "${whole}"
  DEPENDS rac_static_parts ${objects} "${kept}"
  COMMENT "Creating librac.a"
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(rac_static ALL DEPENDS "${static_library}")
