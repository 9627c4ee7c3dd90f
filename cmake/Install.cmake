# The library, its headers, rac.pc and the CMake package rac::rac.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rac")

target_include_directories(rac
  PUBLIC "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
install(TARGETS rac EXPORT rac-targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(RAC_STATIC)
  include(cmake/Static.cmake)
  install(FILES "${static_library}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(FILES include/rac.h include/rac_types.h include/rac_glib.h include/rac_uv.h
  include/rac_marbles.h include/rac_replay.h include/rac_replay_file.h
  include/rac.hpp include/rac_callbacks.hpp include/rac_classes.hpp
  include/rac_functions.hpp include/rac_step.hpp
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# What bindings are made from, and what is made of it for ctypes.
set(description_dir "${CMAKE_INSTALL_DATADIR}/rac")
install(FILES include/rac.json python/rac_abi.py DESTINATION "${description_dir}")

# rac.pc finds its prefix from where it lies, so an installed tree may move.
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_to_prefix "/prefix/${pc_dir}" "/prefix")
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(cmake/rac.pc.in rac.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/rac.pc" DESTINATION "${pc_dir}")

configure_package_config_file(cmake/rac-config.cmake.in rac-config.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(rac-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT rac-targets NAMESPACE rac:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/rac-config.cmake"
  "${PROJECT_BINARY_DIR}/rac-config-version.cmake"
  DESTINATION "${package_dir}")
