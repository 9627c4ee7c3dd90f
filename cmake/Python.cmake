# The Python package librac: the extension _librac, and librac.so beside it.
#
# scikit-build-core comes here from pyproject.toml; `pip install .` is all there is to
# say. Without it, -DRAC_PYTHON=ON puts the whole package into the build's folder
# `python`, ready for PYTHONPATH.

set(component Development.Module)
if(SKBUILD_SABI_COMPONENT)
  set(component ${SKBUILD_SABI_COMPONENT})
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter ${component})

set(calls "${PROJECT_BINARY_DIR}/python/calls_table.h")
set(tools "${PROJECT_SOURCE_DIR}/python/tools")
add_custom_command(
  OUTPUT "${calls}"
  COMMAND "${Python_EXECUTABLE}" "${tools}/calls.py"
    "${PROJECT_SOURCE_DIR}/include/rac.json" "${calls}"
  DEPENDS "${tools}/calls.py" "${tools}/names.py" "${tools}/texts.py"
          "${tools}/wording.py" include/rac.json
  COMMENT "Writing the table of what Python calls"
  VERBATIM)

file(GLOB extension_sources CONFIGURE_DEPENDS python/src/*.c)
if(SKBUILD_SABI_VERSION)
  Python_add_library(_librac MODULE WITH_SOABI USE_SABI ${SKBUILD_SABI_VERSION}
    ${extension_sources} "${calls}")
else()
  Python_add_library(_librac MODULE WITH_SOABI ${extension_sources} "${calls}")
endif()
target_include_directories(_librac PRIVATE "${PROJECT_BINARY_DIR}/python" python/src)
target_link_libraries(_librac PRIVATE rac Threads::Threads)
target_compile_definitions(_librac PRIVATE _GNU_SOURCE)
# Where the lock is looked for with every callback: no call for the thread-local. musl's loader
# refuses such in a library that is loaded late.
if(RAC_GLIBC)
  target_compile_options(_librac PRIVATE -ftls-model=initial-exec)
endif()
target_compile_options(_librac PRIVATE -fno-plt -Wall -Wextra -Wno-missing-field-initializers
  -Werror=implicit-function-declaration -Werror=incompatible-pointer-types
  -include "${PROJECT_SOURCE_DIR}/cmake/glibc_compat.h")
set_target_properties(_librac PROPERTIES
  C_VISIBILITY_PRESET hidden
  BUILD_RPATH "\$ORIGIN" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN"
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/librac")

# The extensions of other machines, each by itself, so that the package needs none of what
# they are linked with: librac.redis and librac.mqtt. They have the sources of librac-redis
# and librac-mqtt, and the engine of _librac.
include("${PROJECT_SOURCE_DIR}/machines/redis/cmake/Hiredis.cmake")
include("${PROJECT_SOURCE_DIR}/machines/mqtt/cmake/Mosquitto.cmake")
add_custom_target(python_extensions DEPENDS _librac)
function(add_machine_extension name library)
  set(place "${PROJECT_SOURCE_DIR}/machines")
  file(GLOB sources CONFIGURE_DEPENDS "${place}/${name}/src/*.c" "${place}/shared/*.c")
  set(abi)
  if(SKBUILD_SABI_VERSION)
    set(abi USE_SABI ${SKBUILD_SABI_VERSION})
  endif()
  Python_add_library(_${name} MODULE WITH_SOABI ${abi} python/machines/${name}.c ${sources})
  target_include_directories(_${name} PRIVATE "${place}/${name}/include" "${place}/${name}/src"
    "${place}/shared")
  target_link_libraries(_${name} PRIVATE rac ${library} Threads::Threads)
  target_compile_definitions(_${name} PRIVATE _GNU_SOURCE)
  # Jobs of it may wait when the interpreter has gone.
  target_link_options(_${name} PRIVATE LINKER:-z,nodelete)
  target_compile_options(_${name} PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
  set_target_properties(_${name} PROPERTIES
    C_VISIBILITY_PRESET hidden
    BUILD_RPATH "\$ORIGIN" BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/librac")
  install(TARGETS _${name} LIBRARY DESTINATION librac COMPONENT python)
  add_dependencies(python_extensions _${name})
endfunction()
if(RAC_REDIS)
  add_machine_extension(redis PkgConfig::hiredis)
  if(TARGET PkgConfig::openssl)
    target_link_libraries(_redis PRIVATE PkgConfig::openssl)
    target_compile_definitions(_redis PRIVATE RAC_REDIS_TLS)
  endif()
endif()
if(RAC_MQTT)
  add_machine_extension(mqtt PkgConfig::mosquitto)
endif()

# The library under the name that it is looked for by, as a file: a wheel has no links.
set(beside "${PROJECT_BINARY_DIR}/python/librac/librac.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
add_custom_command(TARGET _librac POST_BUILD
  COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_FILE:rac>" "${beside}"
  COMMAND "${CMAKE_STRIP}" "${beside}"
  VERBATIM)
if(NOT SKBUILD)
  add_custom_target(python_package ALL
    COMMAND "${CMAKE_COMMAND}" -E copy_directory
      "${PROJECT_SOURCE_DIR}/python/librac" "${PROJECT_BINARY_DIR}/python/librac"
    VERBATIM)
  add_dependencies(python_package python_extensions)
endif()
install(TARGETS _librac LIBRARY DESTINATION librac COMPONENT python)
install(PROGRAMS "${beside}" DESTINATION librac COMPONENT python)
