include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
file(REMOVE_RECURSE "${ROOT}")
set(ENV{DESTDIR} "${ROOT}")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})

foreach(file bin/tinytpu-vp include/tinytpu-vp/models/tinytpu/tinytpu.h include/tinytpu-vp/models/common/version.h
    share/tinytpu-vp/firmware/program.mk share/tinytpu-vp/firmware/board/link.ld share/tinytpu-vp/firmware/board/start.S
    share/tinytpu-vp/sw/driver/tinytpu/tinytpu.c share/tinytpu-vp/examples/README.md share/doc/tinytpu-vp/README.md)
  if(NOT EXISTS "${PACKAGE}/${file}")
    message(FATAL_ERROR "The package lacks ${file}.")
  endif()
endforeach()

# Nothing of the tests, nothing that a build has left, no place of the machine it was built on.
file(GLOB_RECURSE files RELATIVE "${PACKAGE}" "${PACKAGE}/*")
foreach(file ${files})
  if(NOT file MATCHES "^(bin/tinytpu-vp$|include/tinytpu-vp/models/.*\\.h$|lib[^/]*/(.*/)?(tinytpu-vp/.*\\.a|cmake/tinytpu-vp/.*\\.cmake)$|share/(doc/)?tinytpu-vp/)"
      OR file MATCHES "gtest|gmock|_test\\.(c|cpp|h|a)$|\\.(o|in)$|CMakeCache")
    message(FATAL_ERROR "The package has ${file}.")
  endif()
  if(file MATCHES "\\.(cmake|h|mk)$|Makefile$")
    file(STRINGS "${PACKAGE}/${file}" lines REGEX "${SOURCE}|${BUILD}|${PREFIX}")
    if(lines)
      message(FATAL_ERROR "${file} names a place of the machine that it was built on: ${lines}")
    endif()
  endif()
endforeach()
