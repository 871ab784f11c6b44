# Compiler settings of the whole project and the helpers with which a folder declares its library and its tests.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers, ccache asks to be told that these are no hindrance.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# vp_usage: what whoever includes our headers needs, outside this tree, too. vp_options: that, and what our own sources are
# compiled with.
include(GNUInstallDirs)
configure_file(${PROJECT_SOURCE_DIR}/models/common/version.h.in ${PROJECT_BINARY_DIR}/include/models/common/version.h @ONLY)
add_library(vp_usage INTERFACE)
target_compile_features(vp_usage INTERFACE cxx_std_17)
target_include_directories(vp_usage INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tinytpu-vp>)
if(TINYTPU_VP_SANITIZE)
  target_link_options(vp_usage INTERFACE -fsanitize=address,undefined)
endif()

add_library(vp_options INTERFACE)
target_link_libraries(vp_options INTERFACE vp_usage)
target_compile_options(vp_options INTERFACE -Wall -Wextra -Werror -Wshadow -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual> $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TINYTPU_VP_FAST_BUILD)
  target_compile_options(vp_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # for ccache
  # The compiler's own garbage collection begins at 600 MB, which most files never reach: less processor time for more memory.
  target_compile_options(vp_options INTERFACE --param=ggc-min-heapsize=600000)
endif()
if(TINYTPU_VP_SANITIZE)
  target_compile_options(vp_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()

# Headers that take longer to read than what stands behind them. Sources include what they use all the same: they compile
# without TINYTPU_VP_FAST_BUILD, too, as clang-tidy reads them.
set(vp_standard_headers <algorithm> <array> <chrono> <cstdint> <cstring> <deque> <filesystem> <fstream> <functional> <iomanip>
  <iostream> <map> <memory> <mutex> <optional> <random> <set> <sstream> <stdexcept> <string> <thread> <tuple> <utility> <variant>
  <vector>)

# For programs that read JSON: its templates are compiled in vp_json only (platform/common). As translated, its header lacks the
# literals "..."_json: a compiler that has read these makes a parser for every source, and nobody uses them.
set(vp_json_headers ${PROJECT_BINARY_DIR}/include/platform/common/json_without_literals.h
  ${PROJECT_SOURCE_DIR}/platform/common/json_templates.h)
if(TINYTPU_VP_FAST_BUILD)
  get_target_property(folders nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
  find_file(VP_JSON_HEADER nlohmann/json.hpp HINTS ${folders} NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(READ ${VP_JSON_HEADER} header)
  string(REPLACE "{\n    return nlohmann::json::parse(s, s + n);\n}" ";" header "${header}")
  file(CONFIGURE OUTPUT include/platform/common/json_without_literals.h CONTENT "${header}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${VP_JSON_HEADER})
endif()

# vp_precompile(TARGET OWNER header...): the target reads these headers in translated form, which the target OWNER makes for all.
function(vp_precompile target owner)
  if(TINYTPU_VP_FAST_BUILD AND target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  elseif(TINYTPU_VP_FAST_BUILD)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# vp_lacks(OUT target...): one of our libraries among these is not there, because it needs SystemC and TINYTPU_VP_CORES_ONLY has
# left it out. What links it is left out, too.
function(vp_lacks out)
  set(lacks FALSE)
  foreach(target IN LISTS ARGN)
    if(TINYTPU_VP_CORES_ONLY AND target MATCHES "^vp_" AND NOT TARGET ${target})
      set(lacks TRUE)
    endif()
  endforeach()
  set(${out} ${lacks} PARENT_SCOPE)
endfunction()

# vp_library_objects(TARGET SELDOM LIBRARIES): how the sources of a library are compiled. SELDOM: they run for a small part of a run,
# and a release has optimisation -O1 for them, which takes the compiler half the time.
function(vp_library_objects name seldom libraries)
  target_compile_options(${name} PRIVATE -fno-semantic-interposition
    $<TARGET_PROPERTY:vp_options,INTERFACE_COMPILE_OPTIONS>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(TINYTPU_VP_FAST_BUILD)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
  # The first library of each kind makes the translated headers for the others: they are of one optimisation, too.
  set(suffix "")
  if(seldom)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    set(suffix _seldom)
  endif()
  if("vp_systemc" IN_LIST libraries OR "vp_common_systemc" IN_LIST libraries)
    vp_precompile(${name} vp_common_systemc${suffix} ${vp_standard_headers} <systemc> <tlm>)
  elseif(seldom AND "nlohmann_json::nlohmann_json" IN_LIST libraries)
    if(NOT name STREQUAL vp_json)
      target_link_libraries(${name} PRIVATE vp_json)
    endif()
    vp_precompile(${name} vp_json ${vp_standard_headers} ${vp_json_headers})
  else()
    vp_precompile(${name} vp_common${suffix} ${vp_standard_headers})
  endif()
endfunction()

# vp_library(NAME source... [ALONE source...] [LINK target...]): a static library with the project's settings. Sources use paths
# from the project's root in their #include lines. Another project can link it into its shared library, too (position-independent
# code), yet calls within it stay as direct as in a program (no interposition).
# Most of what a compiler does for a source are the same templates as for its neighbour. So the sources are compiled as one, and
# names in their unnamed namespaces are unique in a library; but not those that run most of the time of a run, which stand ALONE:
# their code is theirs only, whatever a neighbour gets, and the neighbours, the target NAME_seldom, run seldom. So do all sources
# below a folder that sets vp_runs_seldom.
function(vp_library name)
  cmake_parse_arguments(arg "" "" "ALONE;LINK" ${ARGN})
  vp_lacks(lacks ${arg_LINK})
  if(lacks)
    return()
  endif()
  if(arg_ALONE)
    add_library(${name}_seldom OBJECT ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name}_seldom PRIVATE vp_usage ${arg_LINK})
    vp_library_objects(${name}_seldom TRUE "${arg_LINK}")
    add_library(${name} STATIC ${arg_ALONE} $<TARGET_OBJECTS:${name}_seldom>)
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ${TINYTPU_VP_FAST_BUILD})
  else()
    add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  endif()
  target_link_libraries(${name} PUBLIC vp_usage ${arg_LINK})
  vp_library_objects(${name} "${vp_runs_seldom}" "${arg_LINK}")
endfunction()

# vp_part(KIND source... [LINK target...]): the part of a device folder. The parts of all folders are one library, vp_parts, which
# the board links: they are small, and the same templates. vp_<KIND>_part is another name of it. What the sources define is
# listed by kind in platform/board/kinds.def.
function(vp_part kind)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY VP_PART_SOURCES ${arg_UNPARSED_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY VP_PART_LIBRARIES ${arg_LINK})
  add_library(vp_${kind}_part INTERFACE)
  target_link_libraries(vp_${kind}_part INTERFACE vp_parts)
endfunction()

# vp_parts_library(): vp_parts, of all that vp_part() has been told.
function(vp_parts_library)
  get_property(sources GLOBAL PROPERTY VP_PART_SOURCES)
  get_property(libraries GLOBAL PROPERTY VP_PART_LIBRARIES)
  set(vp_runs_seldom TRUE)  # they make a machine and report about it
  vp_library(vp_parts ${sources} LINK ${libraries} vp_common_systemc)
endfunction()

if(NOT TINYTPU_VP_CORES_ONLY)
  # SystemC's headers come in as system headers (no warnings from them). SC_INCLUDE_DYNAMIC_PROCESSES for sc_spawn.
  add_library(vp_systemc INTERFACE)
  target_link_libraries(vp_systemc INTERFACE PkgConfig::TINYTPU_VP_SYSTEMC Threads::Threads)
  target_compile_definitions(vp_systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)

  # vp_plugin: what a plug-in needs; its devices' common ground is in the program that loads it, and SystemC is shared.
  add_library(vp_plugin INTERFACE)
  target_link_libraries(vp_plugin INTERFACE vp_usage vp_systemc)
endif()

if(TINYTPU_VP_TESTS AND NOT TINYTPU_VP_SANITIZE)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold VP_HAS_GOLD)
endif()

# vp_test_objects(TARGET LIBRARIES OPTIMISATION HEADERS): how the sources of a test are compiled, with the translated headers of
# the target HEADERS.
function(vp_test_objects name libraries optimisation headers)
  target_link_libraries(${name} PRIVATE vp_options ${libraries} GTest::gmock GTest::gtest Threads::Threads)
  target_compile_options(${name} PRIVATE ${optimisation})
  target_compile_definitions(${name} PRIVATE VP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" VP_BINARY_DIR="${PROJECT_BINARY_DIR}")
  vp_precompile(${name} ${headers})
  if(TINYTPU_VP_FAST_BUILD)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# vp_test(NAME source... [SYSTEMC] [TIMEOUT seconds] [LINK target...] [PROPERTIES ...]): a GoogleTest program; each of
# its tests becomes one ctest test, with these properties, because SystemC elaborates once a process. Tests find their data below
# VP_SOURCE_DIR. With SYSTEMC the main function starts the SystemC kernel around the tests.
# Tests run once and compile often: without optimisation, and the sources of a program as one, since most of their cost is the
# same templates of GoogleTest. So names in their unnamed namespaces are unique in a program. Reference models (reference_*) and
# fuzzers (*_fuzz_test) run long: they are optimised, together. Tests that read JSON link nlohmann_json::nlohmann_json.
# Below a folder that sets vp_tests_cores, programs that need neither SystemC nor the built platform are run on other hosts, too
# (tests/cross).
function(vp_test name)
  cmake_parse_arguments(arg "SYSTEMC" "TIMEOUT" "LINK;PROPERTIES" ${ARGN})
  vp_lacks(lacks ${arg_LINK})
  if(lacks OR (arg_SYSTEMC AND TINYTPU_VP_CORES_ONLY))
    return()
  endif()
  set(optimised ${arg_UNPARSED_ARGUMENTS})
  list(FILTER optimised INCLUDE REGEX "^reference_|_fuzz_test")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  list(FILTER sources EXCLUDE REGEX "^reference_|_fuzz_test")
  set(libraries ${arg_LINK})
  set(main vp_test_main)
  set(headers vp_test_main)
  if(arg_SYSTEMC)
    list(APPEND libraries vp_systemc)
    set(main vp_systemc_test_main)
    set(headers vp_systemc_test_main)
  endif()
  if("nlohmann_json::nlohmann_json" IN_LIST arg_LINK)
    list(APPEND libraries vp_json)
    set(headers vp_json_test_main)
  endif()
  add_executable(${name} ${sources} $<TARGET_OBJECTS:${main}>)
  vp_test_objects(${name} "${libraries}" -O0 ${headers})
  if(optimised)
    add_library(${name}_optimised OBJECT ${optimised})
    vp_test_objects(${name}_optimised "${libraries}" -O1 vp_optimised_test_main)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_optimised>)
  endif()
  if(VP_HAS_GOLD)
    target_link_options(${name} PRIVATE -fuse-ld=gold)  # half the time of the usual linker
  endif()
  if(vp_tests_cores AND NOT arg_SYSTEMC AND NOT "vp_test_program" IN_LIST arg_LINK)
    set_property(GLOBAL APPEND PROPERTY VP_CORE_TESTS ${name})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(CMAKE_CROSSCOMPILING)
    math(EXPR arg_TIMEOUT "10 * ${arg_TIMEOUT}")  # emulated
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${arg_TIMEOUT} ${arg_PROPERTIES})
endfunction()

# vp_shell_test(source... [LINK target...]): tests of a device in SystemC. Those of all folders are one program, device_shells_test:
# they are small, and the same templates. So names in their unnamed namespaces are unique among all of them.
function(vp_shell_test)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  list(TRANSFORM arg_UNPARSED_ARGUMENTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY VP_SHELL_TEST_SOURCES ${arg_UNPARSED_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY VP_SHELL_TEST_LIBRARIES ${arg_LINK})
endfunction()

# vp_shell_tests(): device_shells_test, of all that vp_shell_test() has been told.
function(vp_shell_tests)
  get_property(sources GLOBAL PROPERTY VP_SHELL_TEST_SOURCES)
  get_property(libraries GLOBAL PROPERTY VP_SHELL_TEST_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  vp_test(device_shells_test ${sources} SYSTEMC LINK ${libraries})
endfunction()

# vp_test_again(NAME PREFIX SETTING [PROPERTIES ...]): the same tests once more, as PREFIX, with this variable
# in their environment.
function(vp_test_again name prefix setting)
  cmake_parse_arguments(arg "" "" "PROPERTIES" ${ARGN})
  if(TARGET ${name})
    gtest_discover_tests(${name} TEST_PREFIX "${prefix}." TEST_LIST ${prefix}_TESTS DISCOVERY_MODE PRE_TEST
      PROPERTIES ENVIRONMENT ${setting} ${arg_PROPERTIES})
  endif()
endfunction()

# vp_benchmark(NAME source... [LINK target...]): a Google Benchmark program in tests/bench; not part of the tests.
function(vp_benchmark name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  if(TINYTPU_VP_BENCHMARKS)
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE vp_options ${arg_LINK} benchmark::benchmark Threads::Threads)
  endif()
endfunction()
