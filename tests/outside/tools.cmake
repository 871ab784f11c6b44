# What the tests of this folder share. Each works in a copy of its project.

# run(command... [IN folder] [FAILS]): runs it; ends the test when it fails, or with FAILS when it does not. `output` is what it
# has written to both streams.
function(run)
  cmake_parse_arguments(arg "FAILS" "IN" "" ${ARGN})
  execute_process(COMMAND ${arg_UNPARSED_ARGUMENTS} WORKING_DIRECTORY "${arg_IN}" RESULT_VARIABLE result
    OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(arg_FAILS AND result EQUAL 0)
    message(FATAL_ERROR "It should have failed: ${arg_UNPARSED_ARGUMENTS}\n${text}")
  elseif(NOT arg_FAILS AND NOT result EQUAL 0)
    message(FATAL_ERROR "It failed with ${result}: ${arg_UNPARSED_ARGUMENTS}\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

# expect(text...): each must be in `output`, which may be broken into lines elsewhere (CMake's messages).
function(expect)
  string(REGEX REPLACE "[ \n]+" " " flat "${output}")
  foreach(text ${ARGN})
    string(REGEX REPLACE "[ \n]+" " " wanted "${text}")
    string(FIND "${flat}" "${wanted}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "Not found: ${text}\nin: ${output}")
    endif()
  endforeach()
endfunction()

# copy_example(name): an example of the package as a project of its own; `project` is its folder.
function(copy_example name)
  file(REMOVE_RECURSE "${WORK}/${name}")
  file(COPY "${PACKAGE}/share/tinytpu-vp/examples/${name}" DESTINATION "${WORK}")
  set(project "${WORK}/${name}" PARENT_SCOPE)
endfunction()

# As a user configures who is strict about warnings.
set(configure ${CMAKE_COMMAND} -S . -B build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra -pedantic -Werror")
set(use_package "-DCMAKE_PREFIX_PATH=${PACKAGE}")
set(program "${PACKAGE}/bin/tinytpu-vp")

# The compiler cache, if there is one; the tree as a part precompiles headers (cmake/Build.cmake).
find_program(ccache ccache)
if(ccache)
  set(ENV{CCACHE_SLOPPINESS} pch_defines,time_macros)
  set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} ${ccache})
endif()
