# The movers beside platform/workload are binaries, so that a build without a cross compiler has them. This keeps them what
# their sources say: cmake -DMODE=check -DROOT=folder -P movers.cmake compares what the sources were; MODE=write strips what
# the firmware build made (-DBUILT=folder -DSTRIP=program) and notes the sources.
set(sources firmware/workload/main.c platform/workload/mover_jobs.h sw/driver/cdma/cdma.c sw/driver/cdma/cdma.h
  sw/driver/tinytpu/tinytpu.c sw/driver/tinytpu/tinytpu.h sw/driver/tinytpu/tinytpu_io.h sw/mlp/mlp.h sw/mlp/mlp_steps.c
  sw/mlp/mlp_steps.h sw/mlp/mlp_tiles.h)
set(now "")
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND now "${hash}  ${source}\n")
endforeach()
set(note ${ROOT}/platform/workload/mover_sources.txt)
if(MODE STREQUAL write)
  foreach(width 32 64)
    execute_process(COMMAND ${STRIP} ${BUILT}/workload_mover${width}.elf -o ${ROOT}/platform/workload/mover${width}.elf
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(WRITE ${note} "${now}")
else()
  file(READ ${note} then)
  if(NOT now STREQUAL then)
    message(FATAL_ERROR "platform/workload/mover32.elf and mover64.elf are of other sources: build the target workload_movers")
  endif()
endif()
