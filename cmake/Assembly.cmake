# Targets that write the engine as GNU assembly, as a release carries it:
#
#   assembly-x86_64, assembly-aarch64, assembly-riscv64     engine/<processor>.s in the build's folder
#   assembly-x86_64-musl, assembly-aarch64-musl             the same for musl: see CRACRecord.h
#
# The one for this processor comes of the listing that this build assembles itself. Those for others
# need the headers of their C library: Debian's gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu.

find_package(Python3 3.8 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  return()
endif()
set(translator "${PROJECT_SOURCE_DIR}/scripts/lib/assembly.py")
set(options_aarch64 -target aarch64-none-none-elf)
set(options_riscv64 -target riscv64-none-none-eabi -Xcc -march=rv64gc -Xcc -mabi=lp64d)
foreach(name x86_64 aarch64 riscv64 x86_64-musl aarch64-musl)
  string(REGEX REPLACE "-musl$" "" processor "${name}")
  set(options ${options_${processor}})
  if(NOT processor STREQUAL CMAKE_SYSTEM_PROCESSOR)
    if(NOT options)
      continue()
    endif()
    list(APPEND options -Xcc -isystem -Xcc "/usr/${processor}-linux-gnu/include")
  endif()
  if(name MATCHES "-musl$")
    list(APPEND options -Xcc -DRAC_LATE_TLS)
  endif()
  set(of_name "${PROJECT_BINARY_DIR}/engine/${name}.listing")
  if(name STREQUAL CMAKE_SYSTEM_PROCESSOR)
    set(of_name "${listing}")
  else()
    add_custom_command(
      OUTPUT "${of_name}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/engine"
      COMMAND "${RAC_SWIFTC}" ${swift_flags} ${options} -emit-assembly ${swift_sources} -o "${of_name}"
      DEPENDS ${imports}
      COMMENT "Compiling the Swift engine for ${name}"
      VERBATIM)
  endif()
  set(written "${PROJECT_BINARY_DIR}/engine/${name}.s")
  add_custom_command(
    OUTPUT "${written}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/engine"
    COMMAND "${Python3_EXECUTABLE}" "${translator}" ${processor} "${of_name}" "${written}"
    DEPENDS "${of_name}" "${translator}"
    VERBATIM)
  add_custom_target(assembly-${name} DEPENDS "${written}")
endforeach()
