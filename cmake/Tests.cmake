# Every test that is not XCTest. With a sanitizer only what runs the library:
# the C tests, the examples, and the header's own example.

find_package(Python3 3.8 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(WARNING "No Python 3.8: only the C tests are built")
endif()
set(abi "${PROJECT_SOURCE_DIR}/Tests/abi")
# What Swift leaves in the library, and so what can be said of it from outside.
set(runtime swift)
if(RAC_EMBEDDED AND NOT RAC_SANITIZE)
  set(runtime embedded)
endif()
# For what hangs. The longest take 20 seconds alone, and many times that on a machine
# that is busy with other things.
set(timeout 300)
if(RAC_LONG_TESTS)
  set(timeout 3600)
elseif(RAC_SANITIZE)
  set(timeout 900)
endif()
# ThreadSanitizer sleeps a second at the end of every process that has threads, for
# races of those with the end: a test that forks sleeps for minutes. Here it is less.
set(thread_options "halt_on_error=1:second_deadlock_stack=1")
if(NOT RAC_LONG_TESTS)
  string(APPEND thread_options ":atexit_sleep_ms=20")
endif()
set(sanitizer_options
  "ASAN_OPTIONS=detect_leaks=1:malloc_context_size=12"
  "TSAN_OPTIONS=${thread_options}")
# What malloc has taken back a sanitizer knows, and not what the pool has.
if(RAC_SANITIZE_EMBEDDED)
  list(APPEND sanitizer_options "RAC_POOL=malloc")
endif()

# rac_add_test(NAME COMMAND...)
function(rac_add_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${timeout}
    ENVIRONMENT "${sanitizer_options};RAC_LIBRARY=$<TARGET_FILE:rac>;\
RAC_EXAMPLES=${PROJECT_BINARY_DIR}/examples;PYTHONDONTWRITEBYTECODE=1")
endfunction()

# ---- C tests: one program a file, sharing what is in Tests/support -----------

file(GLOB c_tests CONFIGURE_DEPENDS Tests/c/test_*.c)
file(GLOB c_support CONFIGURE_DEPENDS Tests/support/*.c)
if(c_support)
  add_library(c_support OBJECT ${c_support})
  target_link_libraries(c_support PRIVATE rac rac_warnings)
endif()
# A program that has nothing but rac.h knows nothing of how the engine was compiled: where
# another build has made it already, that one is run with this library.
set(RAC_TEST_PROGRAMS "" CACHE PATH
  "Folder of a build whose C tests are run; empty compiles them")
if(RAC_TEST_PROGRAMS)
  set(with_this_library "LD_LIBRARY_PATH=$<TARGET_FILE_DIR:rac>")
endif()
# What a sanitizer is to look at is the library: the tests are compiled fast. It comes
# after the flags of the library.
add_library(rac_test_flags INTERFACE)
if(RAC_SANITIZE)
  target_compile_options(rac_test_flags INTERFACE -O1 -gline-tables-only)
endif()
# rac_add_c_test(SOURCE FAMILY): Tests/…/test_x.c becomes the test FAMILY.x
function(rac_add_c_test source family)
  cmake_path(GET source STEM name)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(program "${family}_${name}")
  file(STRINGS "${source}" of_the_engine REGEX "RAC_EMBEDDED|CRACShims|small_stacks\\.h")
  if(RAC_TEST_PROGRAMS AND NOT of_the_engine)
    rac_add_test(${family}.${name} "${RAC_TEST_PROGRAMS}/tests/${family}/test_${name}")
    set_property(TEST ${family}.${name} APPEND PROPERTY ENVIRONMENT ${with_this_library})
    return()
  endif()
  add_executable(${program} ${source}
    $<$<TARGET_EXISTS:c_support>:$<TARGET_OBJECTS:c_support>>)
  target_include_directories(${program} PRIVATE Tests/support Tests/c)
  target_link_libraries(${program} PRIVATE rac rac_warnings rac_test_flags
    Threads::Threads m ${CMAKE_DL_LIBS})
  if(RAC_EMBEDDED AND NOT RAC_SANITIZE)
    target_compile_definitions(${program} PRIVATE RAC_EMBEDDED)
  endif()
  set_target_properties(${program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY tests/${family} OUTPUT_NAME test_${name})
  rac_add_test(${family}.${name} ${program})
endfunction()

# Where all of Swift's runtime is in it, that ends the process when there is no
# memory; sanitizers have a malloc() that cannot be made to refuse.
if(NOT RAC_EMBEDDED OR RAC_SANITIZE)
  list(FILTER c_tests EXCLUDE REGEX "/test_refused_memory")
endif()
foreach(source IN LISTS c_tests)
  rac_add_c_test(${source} c)
endforeach()
# The same with all that happens recorded, by `ctest -R '^recorded[.]'` of a build with
# RAC_LONG_TESTS=ON, but for tests of what a recording changes.
set(recorded_otherwise
  record record_bounded record_waiting            # begin recordings themselves,
  rac_replay rac_replay_refused                   # as do these
  batches_whole                                   # values of an array come one by one
  trace                                           # sees what was subscribed before
  burst memory refused_memory timer_memory        # count memory: each stage takes some
  small_stacks small_stacks_inside small_stacks_running stack_use) # and a level of stack
if(RAC_LONG_TESTS AND RAC_EMBEDDED AND NOT RAC_SANITIZE AND NOT RAC_TEST_PROGRAMS)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/recorded")
  foreach(source IN LISTS c_tests)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^test_" "" name "${name}")
    if(NOT name IN_LIST recorded_otherwise)
      rac_add_test(recorded.${name} c_${name})
      set_property(TEST recorded.${name} APPEND PROPERTY
        ENVIRONMENT "RAC_RECORD=${PROJECT_BINARY_DIR}/recorded/${name}" RAC_STRESS_DIVISOR=10)
    endif()
  endforeach()
endif()
# Operators: a file each, conformance rows included.
file(GLOB operator_tests CONFIGURE_DEPENDS Tests/operators/test_*.c)
foreach(source IN LISTS operator_tests)
  rac_add_c_test(${source} operators)
endforeach()
if(RAC_TEST_PROGRAMS)
  rac_add_test(c.programs-load-this-library ldd "${RAC_TEST_PROGRAMS}/tests/c/test_values_owned")
  set_property(TEST c.programs-load-this-library APPEND PROPERTY
    ENVIRONMENT ${with_this_library})
  set_tests_properties(c.programs-load-this-library PROPERTIES
    PASS_REGULAR_EXPRESSION "=> ${PROJECT_BINARY_DIR}/librac.so")
endif()
# What RAC's own specs demand of the rest, grouped as they are:
# docs/Conformance.md.
file(GLOB conformance_tests CONFIGURE_DEPENDS Tests/conformance/test_*.c)
foreach(source IN LISTS conformance_tests)
  rac_add_c_test(${source} conformance)
endforeach()
# The memory of the engine without the engine: its sources are part of the
# program, so that sanitizers see into it. They are the same whatever Swift the
# engine is compiled as.
if(RAC_EMBEDDED OR RAC_SANITIZE)
  set(shims_folder "${PROJECT_SOURCE_DIR}/Sources/CRACShims")
  set(alone ${shims})
  list(FILTER alone EXCLUDE REGEX "/objects\\.c$")
  add_library(shims_alone OBJECT ${alone})
  target_compile_definitions(shims_alone PRIVATE RAC_EMBEDDED)
  target_include_directories(shims_alone PUBLIC "${shims_folder}/include")
  target_link_libraries(shims_alone PRIVATE rac)
  file(GLOB memory_tests CONFIGURE_DEPENDS Tests/memory/test_*.c)
  foreach(source IN LISTS memory_tests)
    rac_add_c_test(${source} memory)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^test_" "" name "${name}")
    target_sources(memory_${name} PRIVATE
      "${PROJECT_SOURCE_DIR}/Tests/memory/blocks.c" $<TARGET_OBJECTS:shims_alone>)
    target_compile_definitions(memory_${name} PRIVATE RAC_EMBEDDED)
    target_include_directories(memory_${name} PRIVATE "${shims_folder}" "${shims_folder}/include")
    target_link_options(memory_${name} PRIVATE LINKER:--wrap=free)
  endforeach()
endif()
# Without the pool there is little left for sanitizers to look at.
if(RAC_EMBEDDED AND NOT RAC_SANITIZE OR RAC_LONG_TESTS AND TARGET memory_slabs)
  rac_add_test(memory.slabs-malloc memory_slabs)
  set_property(TEST memory.slabs-malloc APPEND PROPERTY
    ENVIRONMENT "RAC_POOL=malloc")
endif()

# The whole library with malloc in the place of its pool, and what that is for.
if(RAC_EMBEDDED AND NOT RAC_SANITIZE)
  find_program(RAC_TEST_valgrind valgrind)
  add_executable(memory_fault Tests/memory/fault.c)
  target_link_libraries(memory_fault PRIVATE rac rac_warnings)
  rac_add_test(memory.malloc c_memory something_of_everything)
  set(malloc_tests memory.malloc)
  if(RAC_TEST_valgrind)
    rac_add_test(memory.valgrind-finds-faults ${RAC_TEST_valgrind}
      $<TARGET_FILE:memory_fault>)
    set_tests_properties(memory.valgrind-finds-faults PROPERTIES
      PASS_REGULAR_EXPRESSION "Invalid read of size 1")
    set(valgrind ${RAC_TEST_valgrind} --error-exitcode=9 --leak-check=full
      --errors-for-leak-kinds=definite)
    rac_add_test(memory.valgrind-finds-nothing-else ${valgrind}
      $<TARGET_FILE:c_values_owned>)
    rac_add_test(memory.valgrind-finds-nothing-in-objects ${valgrind}
      $<TARGET_FILE:c_values_objects>)
    list(APPEND malloc_tests memory.valgrind-finds-faults
      memory.valgrind-finds-nothing-else memory.valgrind-finds-nothing-in-objects)
  else()
    message(WARNING "No valgrind: nothing is tested with it")
  endif()
  set_property(TEST ${malloc_tests} APPEND PROPERTY
    ENVIRONMENT "RAC_POOL=malloc")
  # A program that looks for leaks, over a library that was built without: what they refer to is found.
  set(sanitizing "${swift_prefix}/bin/clang")
  if(EXISTS "${sanitizing}")
    set(leaks "${PROJECT_BINARY_DIR}/tests/memory/leaks")
    add_custom_command(
      OUTPUT "${leaks}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/tests/memory"
      COMMAND "${sanitizing}" -std=c11 -O1 -g -fsanitize=address -fuse-ld=lld
        -I "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/Tests/memory/leaks.c" -o "${leaks}"
        "$<TARGET_FILE:rac>" "-Wl,-rpath,$<TARGET_FILE_DIR:rac>"
      DEPENDS Tests/memory/leaks.c include/rac.h include/rac_types.h rac
      VERBATIM)
    add_custom_target(memory_leaks ALL DEPENDS "${leaks}")
    rac_add_test(memory.nothing-is-lost "${leaks}")
    rac_add_test(memory.what-is-lost-is-found "${leaks}" something)
    set_tests_properties(memory.what-is-lost-is-found PROPERTIES
      PASS_REGULAR_EXPRESSION "SUMMARY: AddressSanitizer: 40 byte.s. leaked in 1 alloc")
    # The contexts of subscriptions, and those of jobs.
    rac_add_test(memory.what-the-library-holds-is-found "${leaks}")
    set_tests_properties(memory.what-the-library-holds-is-found PROPERTIES
      PASS_REGULAR_EXPRESSION "leak of 40000 byte.s. in 1000 object.*leak of 40000 byte.s. in 1000 object")
    set_property(TEST memory.what-the-library-holds-is-found APPEND PROPERTY
      ENVIRONMENT "RAC_LSAN_ROOTS=0")
  endif()
endif()

foreach(long c.stack c.process c.release_races c.stress c.churn c.memory c.small_stacks_inside
    memory.slabs)
  if(TEST ${long})
    set_tests_properties(${long} PROPERTIES COST 1000) # these start first
  endif()
endforeach()
# A step that left something on the stack would overflow it after a few thousand
# as after a million, which takes minutes with sanitizers; so would a burst show.
# The others repeat what does not differ with the engine's build.
function(rac_scale_down divisor)
  foreach(name IN LISTS ARGN)
    if(TEST ${name})
      set_property(TEST ${name} APPEND PROPERTY
        ENVIRONMENT "RAC_STRESS_DIVISOR=${divisor}")
    endif()
  endforeach()
endfunction()
if(RAC_LONG_TESTS AND TEST c.source_spawn)
  set_property(TEST c.source_spawn APPEND PROPERTY ENVIRONMENT "RAC_CHILDREN=100000")
endif()
if(NOT RAC_LONG_TESTS)
  if(RAC_SANITIZE STREQUAL "thread")
    rac_scale_down(100 c.stack)
    rac_scale_down(10 c.burst c.record_bounded)
  elseif(RAC_SANITIZE OR NOT RAC_EMBEDDED)
    rac_scale_down(10 c.stack c.burst c.record_bounded)
  endif()
  if(RAC_SANITIZE)
    rac_scale_down(3 c.operators_all)
    rac_scale_down(30 memory.slabs memory.decay c.sequence_deep c.deep)
  endif()
  # Most of these have one thread at a time, and are for how deep it is.
  if(RAC_SANITIZE STREQUAL "address")
    rac_scale_down(3 c.small_stacks c.small_stacks_running)
  elseif(RAC_SANITIZE STREQUAL "thread")
    rac_scale_down(10 c.small_stacks_running c.two_way c.handles c.waiting_awake)
    rac_scale_down(2 c.stress)
    # How much stack the library takes, which with a sanitizer is another amount.
    set_tests_properties(c.stack_use c.small_stacks c.small_stacks_inside PROPERTIES DISABLED ON)
  endif()
endif()
if(RAC_SANITIZE STREQUAL "address" AND TEST c.process)
  # Nothing can be released in a forked child, so all of it is a leak there.
  set_tests_properties(c.process PROPERTIES
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endif()

if(RAC_SANITIZE STREQUAL "thread" AND TEST c.fork)
  # It would end every child of a process with threads that starts one.
  set_tests_properties(c.fork c.fork_anew c.fork_background c.fork_hook c.bound_fork c.prefork PROPERTIES
    ENVIRONMENT "TSAN_OPTIONS=${thread_options}:die_after_fork=0")
endif()

# ---- Examples: their output is compared --------------------------------------

# rac_add_comparison(NAME TARGET EXPECTED)
function(rac_add_comparison name target expected)
  set(tries 1)
  if(name MATCHES "pull_consumer") # it keeps real time
    set(tries 5)
  endif()
  rac_add_test(${name} ${CMAKE_COMMAND}
    "-DPROGRAM=$<TARGET_FILE:${target}>" "-DEXPECTED=${expected}" "-DTRIES=${tries}"
    -P "${PROJECT_SOURCE_DIR}/cmake/CompareOutput.cmake")
endfunction()

set(examples_dir "${PROJECT_SOURCE_DIR}/Tests/examples")
if(RAC_BUILD_EXAMPLES)
  file(GLOB scenarios CONFIGURE_DEPENDS examples-c/scenario*.c)
  list(TRANSFORM scenarios REPLACE ".*/(.*)\\.c" "\\1")
  if(TARGET thermometer)
    list(APPEND scenarios thermometer)
  endif()
  foreach(name IN LISTS scenarios ITEMS quickstart pull pull_consumer)
    rac_add_comparison(example.${name} ${name}
      "${examples_dir}/expected/${name}.txt")
  endforeach()
  if(TARGET by_hand_pull_consumer)
    rac_add_comparison(example.pull_consumer-by-hand by_hand_pull_consumer
      "${examples_dir}/expected/pull_consumer.txt")
  endif()
endif()
if(RAC_BUILD_EXAMPLES AND Python3_FOUND)
  rac_add_test(example.statements ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/scripts/count-statements" --check)
  file(GLOB scripts CONFIGURE_DEPENDS Tests/examples/test_*.py)
  foreach(script IN LISTS scripts)
    cmake_path(GET script STEM name)
    string(REGEX REPLACE "^test_" "" name "${name}")
    rac_loop_of(${name} loop)
    if(NOT loop OR TARGET ${loop})
      rac_add_test(example.${name} ${Python3_EXECUTABLE} ${script})
      foreach(option RAC_LONG_TESTS RAC_SANITIZE)
        if(${option})
          set_property(TEST example.${name} APPEND PROPERTY ENVIRONMENT "${option}=1")
        endif()
      endforeach()
      if(RAC_SANITIZE STREQUAL "thread")
        set_property(TEST example.${name} APPEND PROPERTY ENVIRONMENT "RAC_WITHOUT_VFORK=1")
      endif()
    endif()
  endforeach()
endif()

# ---- C++: rac.hpp, by hand and by every operator --------------------------------

if(CMAKE_CXX_COMPILER_LOADED AND Python3_FOUND)
  set(cpp "${PROJECT_SOURCE_DIR}/Tests/cpp")
  add_custom_command(
    OUTPUT every_operator_calls.cpp
    COMMAND ${Python3_EXECUTABLE} "${cpp}/every_operator.py" every_operator_calls.cpp
    DEPENDS "${cpp}/every_operator.py" Tests/operators/operators.def
      scripts/lib/cpp_classes.py
    VERBATIM)
  add_executable(cpp_every_operator "${cpp}/every_operator.cpp"
    "${PROJECT_BINARY_DIR}/every_operator_calls.cpp")
  target_include_directories(cpp_every_operator PRIVATE "${cpp}")
  add_executable(cpp_cpp "${cpp}/test_cpp.cpp")
  add_executable(cpp_speed "${cpp}/speed.cpp")
  foreach(program cpp_every_operator cpp_cpp cpp_speed)
    target_link_libraries(${program} PRIVATE rac rac_warnings Threads::Threads)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests/cpp)
  endforeach()
  # Hundreds of lambdas, each called once.
  target_compile_options(cpp_every_operator PRIVATE -O1)
  # Inlining is what makes a lambda cost as much as a function of C.
  target_compile_options(cpp_speed PRIVATE -O2)
  rac_add_test(cpp.cpp cpp_cpp)
  rac_add_test(cpp.every-operator cpp_every_operator)
  if(RAC_TEST_valgrind)
    rac_add_test(cpp.speed ${Python3_EXECUTABLE} "${cpp}/test_speed.py"
      ${RAC_TEST_valgrind} $<TARGET_FILE:cpp_speed>)
  endif()
endif()

# ---- Loops: librac under load in each kind --------------------------------------

# Seconds of a busy machine, of which one build has enough: what is tested are the
# headers and the main scheduler's slices. The examples run with sanitizers, too.
if(RAC_EMBEDDED AND NOT RAC_SANITIZE)
  file(GLOB loop_tests CONFIGURE_DEPENDS Tests/loops/test_*.c)
  foreach(source IN LISTS loop_tests)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^test_" "" name "${name}")
    rac_loop_of(${name} loop)
    if(NOT loop OR TARGET ${loop})
      add_executable(loop_${name} ${source} Tests/loops/load.c)
      target_link_libraries(loop_${name} PRIVATE rac rac_warnings
        Threads::Threads ${loop})
      set_target_properties(loop_${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY tests/loops)
      rac_add_test(loop.${name} loop_${name})
    endif()
  endforeach()
  if(Python3_FOUND)
    rac_add_test(loop.asyncio ${Python3_EXECUTABLE}
      "${PROJECT_SOURCE_DIR}/Tests/loops/test_asyncio.py")
  endif()
  foreach(loop uv glib epoll asyncio overload)
    if(RAC_LONG_TESTS AND TEST loop.${loop})
      set_property(TEST loop.${loop} APPEND PROPERTY
        ENVIRONMENT "RAC_LOOP_SECONDS=30")
    endif()
  endforeach()
  # The headers in C++, as they are in C above.
  find_program(RAC_TEST_cxx g++)
  if(RAC_TEST_cxx AND TARGET PkgConfig::glib AND TARGET PkgConfig::uv)
    list(TRANSFORM glib_INCLUDE_DIRS PREPEND "-isystem")
    rac_add_test(loop.headers-c++17 ${RAC_TEST_cxx} -x c++ -std=c++17 -fsyntax-only
      -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Werror -I "${PROJECT_SOURCE_DIR}/include"
      ${glib_INCLUDE_DIRS} "${PROJECT_SOURCE_DIR}/Tests/loops/headers.cpp")
  endif()
endif()

# ---- The fuzzer: random calls of all that the header has -----------------------

if(Python3_FOUND)
  set(fuzz "${PROJECT_SOURCE_DIR}/Tests/fuzz")
  file(GLOB fuzz_sources CONFIGURE_DEPENDS Tests/fuzz/*.c)
  list(FILTER fuzz_sources EXCLUDE REGEX "/test_[^/]*$")
  set(fuzz_calls "${PROJECT_BINARY_DIR}/fuzz")
  file(MAKE_DIRECTORY "${fuzz_calls}")
  add_custom_command(
    OUTPUT "${fuzz_calls}/calls.c" "${fuzz_calls}/calls.h"
    COMMAND ${Python3_EXECUTABLE} "${fuzz}/generate.py"
      "${PROJECT_SOURCE_DIR}/include" "${fuzz_calls}"
    DEPENDS include/rac.h include/rac_types.h "${fuzz}/generate.py"
      "${fuzz}/header.py" "${fuzz}/rules.py"
    VERBATIM)
  add_executable(fuzz ${fuzz_sources} "${fuzz_calls}/calls.c"
    "${fuzz_calls}/calls.h")
  set_property(SOURCE Tests/fuzz/report.c PROPERTY
    COMPILE_DEFINITIONS "FUZZ_LIVING=\"${fuzz}/living.py\"")
  target_include_directories(fuzz PRIVATE Tests/fuzz "${fuzz_calls}")
  target_link_libraries(fuzz PRIVATE rac rac_warnings Threads::Threads)
  set_target_properties(fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
  # Its pools are part of the test, which takes their steps one by one.
  set(fuzz_parts ${fuzz_sources})
  list(FILTER fuzz_parts EXCLUDE REGEX "/(main|handles)\\.c$")
  add_executable(fuzz_parts "${fuzz}/test_parts.c" ${fuzz_parts}
    "${fuzz_calls}/calls.c" "${fuzz_calls}/calls.h")
  target_include_directories(fuzz_parts PRIVATE Tests/fuzz "${fuzz_calls}")
  target_link_libraries(fuzz_parts PRIVATE rac rac_warnings Threads::Threads)
  set_target_properties(fuzz_parts PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
  rac_add_test(fuzz.parts fuzz_parts)
  # The machine may be slow, but a hang is traced before it is killed.
  rac_add_test(fuzz.one-thread fuzz --seconds 3 --patience 50)
  rac_add_test(fuzz.table ${Python3_EXECUTABLE} "${fuzz}/test_fuzzer.py"
    "${PROJECT_SOURCE_DIR}/include" "$<TARGET_FILE:fuzz>" "$<TARGET_FILE:rac>" ${runtime})
  rac_add_test(fuzz.threads fuzz --threads 3 --seconds 5 --patience 50)
  rac_add_test(fuzz.properties fuzz --threads 3 --seconds 5 --patience 50 --set properties)
  rac_add_test(fuzz.sets fuzz --threads 3 --seconds 5 --patience 50 --set each)
  # The same rounds each time: what may stay in a closed library is still being found
  # out, by scripts/test long, which plays new ones.
  rac_add_test(fuzz.close fuzz --threads 3 --seed 3 --rounds 16 --patience 50 --close)
endif()
# ---- The fuzzer of values: what was sent is what is heard --------------------------

file(GLOB values_sources CONFIGURE_DEPENDS Tests/values/*.c)
add_executable(fuzz_values ${values_sources})
target_link_libraries(fuzz_values PRIVATE rac rac_warnings Threads::Threads)
set_target_properties(fuzz_values PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
rac_add_test(fuzz.values fuzz_values --seconds 5 --patience 50)
if(Python3_FOUND)
  rac_add_test(fuzz.values-plants ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/values/test_plants.py" --check)
endif()

# ---- The fuzzer of holds: no place has too many, and none rests for ever --------------

file(GLOB holds_sources CONFIGURE_DEPENDS Tests/holds/*.c)
add_executable(fuzz_holds ${holds_sources})
target_link_libraries(fuzz_holds PRIVATE rac rac_warnings Threads::Threads)
set_target_properties(fuzz_holds PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
rac_add_test(fuzz.holds fuzz_holds --seconds 4 --patience 50)

# ---- The fuzzer of processes: forks and exits at random calls ----------------------

file(GLOB processes_sources CONFIGURE_DEPENDS Tests/processes/*.c)
add_executable(fuzz_processes ${processes_sources})
target_link_libraries(fuzz_processes PRIVATE rac rac_warnings Threads::Threads)
set_target_properties(fuzz_processes PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
if(RAC_EMBEDDED AND NOT RAC_SANITIZE)
  rac_add_test(fuzz.processes fuzz_processes --seconds 6 --patience 50)
endif()

# Those last for a time of their own, which at the end others would wait for.
foreach(timed example.real_clock fuzz.one-thread fuzz.threads fuzz.properties
    fuzz.sets fuzz.close fuzz.values fuzz.holds fuzz.processes)
  if(TEST ${timed})
    set_tests_properties(${timed} PROPERTIES COST 400)
  endif()
endforeach()

# ---- The header --------------------------------------------------------------

add_executable(abi_version "${abi}/version.c")
target_link_libraries(abi_version PRIVATE rac rac_warnings)
rac_add_test(abi.version abi_version)

if(Python3_FOUND)
  set(extract "${PROJECT_SOURCE_DIR}/scripts/extract-example")
  add_custom_command(
    OUTPUT header_example.c
    COMMAND ${Python3_EXECUTABLE} "${extract}"
      "${PROJECT_SOURCE_DIR}/include/rac.h" c > header_example.c
    DEPENDS "${extract}" include/rac.h
    VERBATIM)
  add_executable(header_example "${PROJECT_BINARY_DIR}/header_example.c")
  target_link_libraries(header_example PRIVATE rac rac_warnings)
  rac_add_comparison(abi.header-example header_example
    "${abi}/header_example.txt")
endif()

if(RAC_SANITIZE)
  return()
endif()

# The header compiles clean in every language and compiler at hand.
function(rac_add_header_test compiler language standard)
  set(documentation "")
  if(compiler STREQUAL "clang")
    set(documentation -Wdocumentation) # gcc reads no doc comments
  endif()
  if(RAC_TEST_${compiler})
    rac_add_test(abi.header-${compiler}-${standard}
      ${RAC_TEST_${compiler}} ${documentation} -x ${language} -std=${standard} -fsyntax-only
      -Wall -Wextra -Wpedantic -Werror
      -I "${PROJECT_SOURCE_DIR}/include" "${abi}/include_header.c")
  else()
    message(WARNING "No ${compiler}: the header is not tested with it")
  endif()
endfunction()

# It is the same for every build.
if(RAC_EMBEDDED)
  find_program(RAC_TEST_gcc gcc)
  find_program(RAC_TEST_clang clang HINTS "${swift_prefix}/bin")
  foreach(compiler gcc clang)
    foreach(standard c99 c11 c17)
      rac_add_header_test(${compiler} c ${standard})
    endforeach()
    rac_add_header_test(${compiler} c++ c++17)
  endforeach()
  if(Python3_FOUND AND RAC_TEST_gcc AND RAC_TEST_clang)
    rac_add_test(abi.manners ${Python3_EXECUTABLE} "${abi}/test_manners.py"
      "${PROJECT_SOURCE_DIR}/include" ${RAC_TEST_gcc} ${RAC_TEST_clang})
  endif()
endif()

# ---- The library as a file, installed, and from Python -----------------------

if(NOT Python3_FOUND)
  return()
endif()
if(RAC_EMBEDDED)
  rac_add_test(abi.header-is-current ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/scripts/generate-header" --check)
  rac_add_test(abi.header-generator ${Python3_EXECUTABLE}
    "${abi}/test_generator.py")
  rac_add_test(abi.compare-interface ${Python3_EXECUTABLE}
    "${abi}/test_compare_interface.py")
  rac_add_test(abi.function-names ${Python3_EXECUTABLE}
    "${abi}/test_function_names.py")
  rac_add_test(model.script ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/model/test_check_model.py")
endif()
rac_add_test(abi.library ${Python3_EXECUTABLE} "${abi}/check_library.py"
  "$<TARGET_FILE:rac>" ${runtime})
rac_add_test(abi.limited-interface ${Python3_EXECUTABLE} "${abi}/test_limited_interface.py")
rac_add_test(abi.install ${Python3_EXECUTABLE} "${abi}/check_install.py"
  "${PROJECT_BINARY_DIR}" "${CMAKE_COMMAND}" "${CMAKE_C_COMPILER}")

# The table of operators, against the header, and the documents, their snippets compiled
# and run.
if(RAC_EMBEDDED)
  # The texts of the Python package quote sentences of rac.h.
  rac_add_test(abi.python-texts ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/python/tools/calls.py"
    "${PROJECT_SOURCE_DIR}/include/rac.json" "${PROJECT_BINARY_DIR}/python_texts.h")
  rac_add_test(operators.table ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/operators/test_table.py")
  file(GLOB scripts CONFIGURE_DEPENDS Tests/docs/test_*.py)
  foreach(script IN LISTS scripts)
    cmake_path(GET script STEM name)
    string(REGEX REPLACE "^test_" "" name "${name}")
    rac_add_test(docs.${name} ${Python3_EXECUTABLE} ${script})
  endforeach()
  # It has the compiler look at each folder of the engine.
  set_property(TEST docs.layers APPEND PROPERTY ENVIRONMENT "RAC_SWIFTC=${RAC_SWIFTC}")
endif()

# Every operator with random input against a model. Elsewhere than in the Embedded
# build less of it: the operators are the same.
file(GLOB player CONFIGURE_DEPENDS Tests/differential/*.c)
add_library(differential_player SHARED ${player})
target_link_libraries(differential_player PRIVATE rac rac_warnings)
set(cases 6000)
if(NOT RAC_EMBEDDED AND NOT RAC_LONG_TESTS)
  set(cases 600)
endif()
# rac_add_differential_test(NAME FAMILIES...)
function(rac_add_differential_test name)
  list(TRANSFORM ARGN PREPEND "--family=")
  rac_add_test(differential.${name} ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/differential/run.py" --cases ${cases} ${ARGN})
  set_property(TEST differential.${name} APPEND PROPERTY
    ENVIRONMENT "RAC_DIFFERENTIAL_PLAYER=$<TARGET_FILE:differential_player>")
  set_tests_properties(differential.${name} PROPERTIES TIMEOUT 300 COST 500)
endfunction()
rac_add_differential_test(values values numbers effects)
rac_add_differential_test(several several ends)
rac_add_differential_test(nested nested windows)
rac_add_differential_test(time time sources sharing)
rac_add_differential_test(composed composed)
if(RAC_EMBEDDED)
  rac_add_test(differential.text ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/differential/test_text.py")
  rac_add_test(differential.coverage ${Python3_EXECUTABLE}
    "${PROJECT_SOURCE_DIR}/Tests/differential/run.py" --coverage)
endif()

if(EXISTS "${PROJECT_SOURCE_DIR}/Tests/python")
  rac_add_test(python ${Python3_EXECUTABLE} -m unittest discover
    -s "${PROJECT_SOURCE_DIR}/Tests/python")
  set_tests_properties(python PROPERTIES TIMEOUT 300)
endif()
# rac-scope reads files alone; it is the same in every build.
if(RAC_EMBEDDED AND EXISTS "${PROJECT_SOURCE_DIR}/Tests/scope")
  rac_add_test(scope ${Python3_EXECUTABLE} -m unittest discover
    -s "${PROJECT_SOURCE_DIR}/Tests/scope")
  if(TARGET faults)
    rac_add_test(scope.faults ${Python3_EXECUTABLE}
      "${PROJECT_SOURCE_DIR}/Tests/scope/real_faults.py" "$<TARGET_FILE:faults>")
    rac_add_test(scope.examples ${Python3_EXECUTABLE}
      "${PROJECT_SOURCE_DIR}/Tests/scope/no_findings.py" "${PROJECT_BINARY_DIR}/examples")
    set_tests_properties(scope.examples PROPERTIES TIMEOUT 600)
  endif()
  # A thousand threads, and a hundred processes that are killed: each file is read.
  if(RAC_LONG_TESTS AND NOT RAC_SANITIZE)
    add_executable(scope_crowd Tests/scope/crowd.c)
    target_link_libraries(scope_crowd PRIVATE rac Threads::Threads)
    rac_add_test(scope.crowds ${Python3_EXECUTABLE}
      "${PROJECT_SOURCE_DIR}/Tests/scope/real_crowds.py" "$<TARGET_FILE:scope_crowd>")
    set_tests_properties(scope.crowds PROPERTIES TIMEOUT 600)
  endif()
endif()

# ---- Bindings of other languages, where their compilers are ----------------------

if(RAC_EMBEDDED AND NOT RAC_SANITIZE AND Python3_FOUND)
  foreach(language rust go)
    set(tool_rust cargo)
    set(tool_go go)
    find_program(RAC_TEST_${tool_${language}} ${tool_${language}})
    if(RAC_TEST_${tool_${language}})
      rac_add_test(bindings.${language} ${Python3_EXECUTABLE}
        "${PROJECT_SOURCE_DIR}/Tests/bindings/test_${language}.py"
        "${RAC_TEST_${tool_${language}}}" "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}")
    else()
      message(WARNING "No ${tool_${language}}: the binding for it is not tested")
    endif()
  endforeach()
endif()
