include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
copy_example(simulator)
run(${configure} ${use_package} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON IN ${project})
run(${CMAKE_COMMAND} --build build IN ${project})
run(${project}/build/simulator)
# 12 5 6 8, 12 13 10 12, 4 2 3 3, 21 0 21 7.
expect("0806050c\n0c0a0d0c\n03030204\n07150015\n55 cycles\n")

# It has its own compiler flags only.
file(READ ${project}/build/compile_commands.json output)
expect("-Wall -Wextra -pedantic -Werror")
foreach(flag -Wshadow -O3 -DNDEBUG -Wnon-virtual-dtor "-I${SOURCE}")
  string(FIND "${output}" "${flag}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "The package hands on ${flag}: ${output}")
  endif()
endforeach()
