# Runs PROGRAM and fails unless it prints what the file EXPECTED holds, and
# nothing to the standard error.

execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE actual
  ERROR_VARIABLE errors RESULT_VARIABLE status)
file(READ "${EXPECTED}" expected)
if(NOT status STREQUAL "0")
  message(FATAL_ERROR "${PROGRAM} ended with ${status}\n${actual}${errors}")
endif()
if(NOT actual STREQUAL expected OR NOT errors STREQUAL "")
  message(FATAL_ERROR
    "${PROGRAM}\n--- expected\n${expected}--- printed\n${actual}--- errors\n"
    "${errors}")
endif()
