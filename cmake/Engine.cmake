# librac.so: the Swift engine as one object, and the C shims.
#
#   default              Embedded Swift. Some 690 KB, and 206 KB of unwind tables;
#                        needs libc alone.
#   engine/<processor>.s Embedded Swift, compiled when the release was made. Used where it is
#                        there; the C compiler assembles it.
#   RAC_EMBEDDED=OFF     Ordinary Swift, its runtime linked in statically.
#   RAC_SANITIZE=...     Ordinary Swift, the runtime of the toolchain, with
#                        AddressSanitizer or ThreadSanitizer. RAC_SANITIZE_EMBEDDED: Embedded
#                        Swift all the same, for what that build alone has: its
#                        pool, and references that are counted without atomic
#                        steps where nobody else has one.
#
# A custom command and not CMake's own Swift support, because that compiles a
# whole module into one object only from CMake 3.29 on.

string(TOLOWER "${CMAKE_SYSTEM_NAME}" platform)
file(GLOB_RECURSE swift_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/Sources/RAC/*.swift")
list(SORT swift_sources)
file(GLOB imported CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/rac_types.h"
  "${PROJECT_SOURCE_DIR}/include/module.modulemap"
  "${PROJECT_SOURCE_DIR}/Sources/CRACShims/include/*")
set(version_script "${PROJECT_SOURCE_DIR}/cmake/librac.map")
set(RAC_ENGINE "" CACHE FILEPATH
  "engine.o of another build of these sources; empty compiles it")
include(CheckCSourceCompiles)
check_c_source_compiles("#include <features.h>
#ifndef __GLIBC__
#error another C library
#endif
int main(void) { return 0; }" RAC_GLIBC)
set(assembly "${PROJECT_SOURCE_DIR}/engine/${CMAKE_SYSTEM_PROCESSOR}.s")
if(NOT RAC_GLIBC)
  set(assembly "${PROJECT_SOURCE_DIR}/engine/${CMAKE_SYSTEM_PROCESSOR}-musl.s")
endif()
set(compile_engine OFF)
if(RAC_ENGINE)
  set(engine "${RAC_ENGINE}")
elseif(RAC_EMBEDDED AND NOT RAC_SANITIZE AND EXISTS "${assembly}")
  enable_language(ASM)
  set(engine "${assembly}")
elseif(RAC_SWIFTC)
  set(compile_engine ON)
  set(engine "${PROJECT_BINARY_DIR}/engine.o")
else()
  message(FATAL_ERROR "There is no compiled engine for ${CMAKE_SYSTEM_PROCESSOR} in the folder \"engine\", and no swiftc on the PATH.\n"
    "Take a release's librac-${PROJECT_VERSION}.tar.xz, which gcc alone builds, or install Swift 6.3: https://www.swift.org/install\n")
endif()

# The Embedded build has two functions of Swift's own runtime replaced, which know how
# that version lays objects out: Sources/CRACShims/objects.c.
set(tried_swift 6.3)
if(compile_engine)
  string(JSON swift_version GET "${target_info}" compilerVersion)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" swift_version "${swift_version}")
  if(RAC_EMBEDDED AND NOT swift_version STREQUAL tried_swift AND NOT RAC_ANY_SWIFT)
    message(FATAL_ERROR "librac replaces parts of Embedded Swift's runtime and was tried with "
      "Swift ${tried_swift}; ${RAC_SWIFTC} is ${swift_version}. -DRAC_ANY_SWIFT=ON tries it all the "
      "same, and the tests say whether its objects are laid out alike; -DRAC_EMBEDDED=OFF replaces nothing.")
  endif()
endif()

set(swift_flags
  -parse-as-library -wmo -num-threads 0 -swift-version 6 -module-name RAC
  -module-cache-path "${PROJECT_BINARY_DIR}/swift-modules"
  -I "${PROJECT_SOURCE_DIR}/include"
  -I "${PROJECT_SOURCE_DIR}/Sources/CRACShims/include")
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  list(APPEND swift_flags -Onone -g)
elseif(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  list(APPEND swift_flags -O -g)
else()
  # With lines the compiler writes unwind tables, without which no backtrace passes through the engine.
  list(APPEND swift_flags -O -gline-tables-only)
endif()

if(RAC_SANITIZE)
  list(APPEND swift_flags -g -sanitize=${RAC_SANITIZE})
  if(RAC_SANITIZE_EMBEDDED)
    list(APPEND swift_flags -enable-experimental-feature Embedded)
  endif()
elseif(RAC_EMBEDDED)
  # Each function in a section of its own, so that the linker leaves out those that nobody calls.
  list(APPEND swift_flags -enable-experimental-feature Embedded -function-sections)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    # A function goes into its callers where that makes them shorter, or where the source says so: what an event
    # passes says it. So librac.so is 57 KB smaller.
    list(APPEND swift_flags -Xllvm -sil-inline-removed-call-benefit=12
      -Xllvm -inline-threshold=0)
    # Functions that events do not pass are compiled for size; minsize alone saves 36 KB of code. Those that
    # events do pass are listed; see benchmarks/README.md.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/hot_functions.txt")
    file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/hot_functions.txt" hot_functions REGEX "^[^#]")
    list(TRANSFORM hot_functions REPLACE "^([^ ]+).*"
      "-Xllvm\n-force-remove-attribute=\\1:optsize\n-Xllvm\n-force-remove-attribute=\\1:minsize\n")
    list(JOIN hot_functions "" hot_functions)
    set(hot_options "${PROJECT_BINARY_DIR}/hot_functions.rsp")
    file(GENERATE OUTPUT "${hot_options}" CONTENT "${hot_functions}")
    list(APPEND swift_flags -Xllvm -force-attribute=optsize -Xllvm -force-attribute=minsize "@${hot_options}")
  endif()
else()
  list(APPEND swift_flags -static-stdlib)
endif()

set(imports ${swift_sources} ${imported} ${hot_options})
if(compile_engine AND RAC_EMBEDDED AND NOT RAC_SANITIZE)
  # By way of assembly, which is what a release carries: assembly.py makes the file for gcc of it.
  set(listing "${PROJECT_BINARY_DIR}/engine.s")
  add_custom_command(
    OUTPUT "${engine}" "${listing}"
    COMMAND "${RAC_SWIFTC}" ${swift_flags} -emit-assembly ${swift_sources} -o "${listing}"
    COMMAND "${swift_prefix}/bin/clang" -c "${listing}" -o "${engine}"
    DEPENDS ${imports}
    COMMENT "Compiling the Swift engine"
    VERBATIM)
  include(cmake/Assembly.cmake)
elseif(compile_engine)
  add_custom_command(
    OUTPUT "${engine}"
    COMMAND "${RAC_SWIFTC}" ${swift_flags} -c ${swift_sources} -o "${engine}"
    DEPENDS ${imports}
    COMMENT "Compiling the Swift engine"
    VERBATIM)
endif()
if(NOT engine STREQUAL assembly)
  set_source_files_properties("${engine}" PROPERTIES
    GENERATED ${compile_engine} EXTERNAL_OBJECT TRUE)
endif()

# What Swift cannot say, and what one system alone has.
file(GLOB shims CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/Sources/CRACShims/*.c"
  "${PROJECT_SOURCE_DIR}/Sources/CRACShims/platform/${platform}/*.c")
add_library(rac SHARED ${shims} "${engine}")
add_library(rac::rac ALIAS rac)
set_target_properties(rac PROPERTIES
  C_VISIBILITY_PRESET hidden
  LINK_DEPENDS "${version_script}"
  # While the major version is 0 a minor one may break programs.
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  VERSION ${PROJECT_VERSION})
target_include_directories(rac
  PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  PRIVATE Sources/CRACShims/include)
if(RAC_EMBEDDED AND NOT RAC_SANITIZE OR RAC_SANITIZE_EMBEDDED)
  target_compile_definitions(rac PRIVATE RAC_EMBEDDED
    $<$<BOOL:${RAC_BUILD_TESTS}>:RAC_CHECK_LAYOUT>)
  # Small objects come from a pool and go back to it: pool.c.
  target_link_options(rac PRIVATE LINKER:--wrap=free)
endif()
# Where system calls are made, what counts is how long the code is.
set(making_calls ${shims})
list(FILTER making_calls INCLUDE REGEX
  "/(wakeup|poll_set|events|descriptors|posix_signals)\\.c$")
set_source_files_properties(${making_calls} PROPERTIES COMPILE_OPTIONS -Os)
if(NOT RAC_GLIBC)
  target_compile_definitions(rac PRIVATE RAC_LATE_TLS)
endif()
target_compile_options(rac PRIVATE -Wall -Wextra
  -include "${PROJECT_SOURCE_DIR}/cmake/glibc_compat.h")
# nodelete: worker threads may be alive when a host calls dlclose().
target_link_options(rac PRIVATE
  "LINKER:--version-script=${version_script}"
  LINKER:-z,nodelete LINKER:-z,now LINKER:-z,relro
  # What is read and what is run share pages: three that are mostly empty less.
  LINKER:-z,noseparate-code)

if(RAC_SANITIZE)
  set(runtime "${swift_prefix}/lib/swift/${platform}")
  # Every client needs the flags too: the runtime of the sanitizer is linked
  # into the program, and Swift's one for threads asks for libdispatch.
  target_compile_options(rac PUBLIC -fsanitize=${RAC_SANITIZE} -g
    -fno-omit-frame-pointer)
  target_link_options(rac PUBLIC -fsanitize=${RAC_SANITIZE} -fuse-ld=lld
    "-L${runtime}" "LINKER:-rpath,${runtime}")
  target_link_libraries(rac PUBLIC dispatch BlocksRuntime)
  if(RAC_SANITIZE_EMBEDDED)
    set(runtime "")
  else()
    target_link_libraries(rac PRIVATE swiftCore swiftSynchronization)
  endif()
elseif(RAC_EMBEDDED)
  set(runtime "")
  target_link_options(rac PRIVATE LINKER:-z,defs LINKER:--gc-sections)
else()
  set(runtime "${swift_prefix}/lib/swift_static/${platform}")
  target_link_options(rac PRIVATE LINKER:-z,defs "-L${runtime}"
    LINKER:--exclude-libs,ALL)
  target_link_libraries(rac PRIVATE swiftSynchronization swiftCore stdc++ dl)
endif()
if(runtime)
  # Tells the runtime of the library's metadata when it is loaded.
  set(registrar "${runtime}/${CMAKE_SYSTEM_PROCESSOR}/swiftrt.o")
  target_sources(rac PRIVATE "${registrar}")
  set_source_files_properties("${registrar}" PROPERTIES EXTERNAL_OBJECT TRUE)
endif()
target_link_libraries(rac PRIVATE Threads::Threads m)

# Lines and names are in a file of their own, which gdb finds beside the library. Packagers, whose
# build type is None, make one of theirs.
if(CMAKE_OBJCOPY AND NOT RAC_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "None")
  add_custom_command(TARGET rac POST_BUILD
    COMMAND "${CMAKE_OBJCOPY}" --only-keep-debug "$<TARGET_FILE_NAME:rac>" "$<TARGET_FILE_NAME:rac>.debug"
    COMMAND "${CMAKE_OBJCOPY}" --strip-debug "--add-gnu-debuglink=$<TARGET_FILE_NAME:rac>.debug"
      "$<TARGET_FILE_NAME:rac>"
    WORKING_DIRECTORY "$<TARGET_FILE_DIR:rac>"
    VERBATIM)
endif()
