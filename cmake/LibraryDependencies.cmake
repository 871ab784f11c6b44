# What the libraries of the devices are built on, for this tree and for who finds the installed package. Makes the targets
# PkgConfig::TINYTPU_VP_SYSTEMC, Threads::Threads and vp::fdt; or says in `tinytpu_vp_problem` in one sentence what is missing.
set(tinytpu_vp_problem "")

# Debian's libsystemc is compiled as C++17 and checks at link time that its users are, too.
if(DEFINED CMAKE_CXX_STANDARD AND NOT CMAKE_CXX_STANDARD EQUAL 17)
  set(tinytpu_vp_problem "tinytpu-vp needs C++17, because Debian's SystemC library is built for C++17 only (CMAKE_CXX_STANDARD is ${CMAKE_CXX_STANDARD}).")
  return()
endif()

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  set(tinytpu_vp_problem "pkg-config is missing: install the package pkg-config.")
  return()
endif()

# Debian ships SystemC with pkg-config files only.
if(NOT TARGET PkgConfig::TINYTPU_VP_SYSTEMC)
  pkg_check_modules(TINYTPU_VP_SYSTEMC QUIET IMPORTED_TARGET systemc tlm)
endif()
if(NOT TINYTPU_VP_SYSTEMC_FOUND)
  set(tinytpu_vp_problem "SystemC is missing: install the package libsystemc-dev (SystemC 2.3.4 with TLM-2.0).")
  return()
endif()
if(NOT TINYTPU_VP_SYSTEMC_systemc_VERSION VERSION_EQUAL 2.3.4)
  set(tinytpu_vp_problem "SystemC ${TINYTPU_VP_SYSTEMC_systemc_VERSION} found, but tinytpu-vp is made for 2.3.4 (package libsystemc-dev of Debian bookworm).")
  return()
endif()

find_package(Threads QUIET)
if(NOT Threads_FOUND)
  set(tinytpu_vp_problem "The C++ compiler has no threads library.")
  return()
endif()

# Device tree blobs.
find_path(fdt_INCLUDE libfdt.h)
find_library(fdt_LIBRARY fdt)
if(NOT fdt_INCLUDE OR NOT fdt_LIBRARY)
  set(tinytpu_vp_problem "The library fdt is missing: install the package libfdt-dev.")
  return()
endif()
if(NOT TARGET vp::fdt)
  add_library(vp::fdt INTERFACE IMPORTED)
  target_include_directories(vp::fdt INTERFACE ${fdt_INCLUDE})
  target_link_libraries(vp::fdt INTERFACE ${fdt_LIBRARY})
endif()
