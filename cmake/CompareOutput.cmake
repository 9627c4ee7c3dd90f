# Runs PROGRAM and fails unless it prints what the file EXPECTED holds, and
# nothing to the standard error. One that keeps real time may be late on a machine
# that is busy, but not each of TRIES times.

if(NOT TRIES)
  set(TRIES 1)
endif()
file(READ "${EXPECTED}" expected)
foreach(try RANGE 1 ${TRIES})
  execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE actual
    ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status STREQUAL "0")
    message(FATAL_ERROR "${PROGRAM} ended with ${status}\n${actual}${errors}")
  endif()
  if(actual STREQUAL expected AND errors STREQUAL "")
    return()
  endif()
endforeach()
message(FATAL_ERROR
  "${PROGRAM}\n--- expected\n${expected}--- printed\n${actual}--- errors\n"
  "${errors}")
