# What the libraries without SystemC and their tests are built on, where nothing but a compiler of the host that they are for needs
# to be installed (TINYTPU_VP_CORES_ONLY): headers that are the same for every host, and what can be compiled from source.
set(host_headers ${CMAKE_BINARY_DIR}/host_headers)

# vp_host_header(header package): of the machine that compiles; apart from its other headers, which are not those of the target.
function(vp_host_header header package)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "The header ${header} is missing: install the package ${package}.")
  endif()
  file(MAKE_DIRECTORY ${host_headers})
  file(CREATE_LINK /usr/include/${header} ${host_headers}/${header} SYMBOLIC)
endfunction()

find_package(Threads REQUIRED)

vp_host_header(nlohmann nlohmann-json3-dev)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${host_headers})

# Declarations only: nothing of what is built here makes a device tree.
foreach(header fdt.h libfdt.h libfdt_env.h)
  vp_host_header(${header} libfdt-dev)
endforeach()
add_library(vp::fdt INTERFACE IMPORTED)
target_include_directories(vp::fdt INTERFACE ${host_headers})

# Nettle's SHA-256 of our own: the recorded runs are compared by it.
add_library(vp_nettle STATIC ${PROJECT_SOURCE_DIR}/tests/cross/nettle/sha2.c)
target_include_directories(vp_nettle PUBLIC ${PROJECT_SOURCE_DIR}/tests/cross)
add_library(PkgConfig::NETTLE ALIAS vp_nettle)

if(TINYTPU_VP_TESTS)
  if(NOT EXISTS /usr/src/googletest/CMakeLists.txt)
    message(FATAL_ERROR "The sources of GoogleTest are missing: install the package googletest, or configure with -DTINYTPU_VP_TESTS=OFF.")
  endif()
  set(INSTALL_GTEST OFF)
  add_subdirectory(/usr/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
endif()
