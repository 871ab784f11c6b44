# The drivers and the board library have the registers of the models: register_constants.c compiles with the header that
# PROGRAM writes and its program finds equal what is computed, for several sizes; and a header that says something else
# is noticed.
file(MAKE_DIRECTORY ${WORK})

function(compile_with_header result)
  execute_process(
    COMMAND ${COMPILER} -std=c11 -Wall -Wextra -Werror -I${WORK} -I${SOURCE} ${ARGN}
      ${SOURCE}/tests/sw/register_constants.c ${SOURCE}/sw/driver/tinytpu/tinytpu.c -o ${WORK}/constants
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(${result} ${code} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

foreach(size "14;32768;4096" "3;700;300" "256;100;600")
  list(GET size 0 width)
  list(GET size 1 weights)
  list(GET size 2 unified)
  execute_process(
    COMMAND ${PROGRAM} registers --format header --set tpu.matrix_width=${width} --set tpu.weight_depth=${weights}
      --set tpu.unified_buffer_depth=${unified} uart0 clint plic finisher tpu drra cdma axidma
    OUTPUT_FILE ${WORK}/registers.h RESULT_VARIABLE code ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "no header was written: ${said}")
  endif()
  set(sizes -DWIDTH=${width} -DWEIGHT_DEPTH=${weights} -DUNIFIED_BUFFER_DEPTH=${unified})
  compile_with_header(code ${sizes})
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the drivers' constants are not those of the models:\n${said}")
  endif()
  execute_process(COMMAND ${WORK}/constants RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "the driver computes another layout of a tinyTPU of ${size} than the model has (${code})")
  endif()
endforeach()

file(READ ${WORK}/registers.h header)
foreach(change "UART0_LSR_OFFSET 0x;UART0_LSR_OFFSET 0x1" "CDMA_CDMASR_IDLE_MASK 0x;CDMA_CDMASR_IDLE_MASK 0x1")
  list(GET change 0 from)
  list(GET change 1 to)
  string(REPLACE "${from}" "${to}" changed "${header}")
  file(WRITE ${WORK}/registers.h "${changed}")
  compile_with_header(code ${sizes})
  if(code EQUAL 0 OR NOT said MATCHES "is not")
    message(FATAL_ERROR "a header with ${to} is not noticed:\n${said}")
  endif()
endforeach()
