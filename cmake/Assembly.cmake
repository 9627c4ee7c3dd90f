# Targets that write the engine as GNU assembly, as a release carries it:
#
#   assembly-x86_64, assembly-aarch64, assembly-riscv64   engine/<processor>.s in the build's folder
#
# The first comes of the listing that this build assembles itself, where it is of that processor. The
# others need the headers of their C library: Debian's gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu.

find_package(Python3 3.8 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  return()
endif()
set(translator "${PROJECT_SOURCE_DIR}/scripts/lib/assembly.py")
set(triple_aarch64 aarch64-none-none-elf)
set(triple_riscv64 riscv64-none-none-eabi)
set(options_riscv64 -Xcc -march=rv64gc -Xcc -mabi=lp64d)
foreach(processor x86_64 aarch64 riscv64)
  set(written "${PROJECT_BINARY_DIR}/engine/${processor}.s")
  set(of_processor "${listing}")
  if(NOT processor STREQUAL CMAKE_SYSTEM_PROCESSOR)
    if(NOT triple_${processor})
      continue()
    endif()
    set(of_processor "${PROJECT_BINARY_DIR}/engine/${processor}.listing")
    add_custom_command(
      OUTPUT "${of_processor}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/engine"
      COMMAND "${RAC_SWIFTC}" ${swift_flags} -target ${triple_${processor}} ${options_${processor}}
        -Xcc -isystem -Xcc "/usr/${processor}-linux-gnu/include"
        -emit-assembly ${swift_sources} -o "${of_processor}"
      DEPENDS ${imports}
      COMMENT "Compiling the Swift engine for ${processor}"
      VERBATIM)
  endif()
  add_custom_command(
    OUTPUT "${written}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/engine"
    COMMAND "${Python3_EXECUTABLE}" "${translator}" ${processor} "${of_processor}" "${written}"
    DEPENDS "${of_processor}" "${translator}"
    VERBATIM)
  add_custom_target(assembly-${processor} DEPENDS "${written}")
endforeach()
