include(${CMAKE_CURRENT_LIST_DIR}/tools.cmake)
file(REMOVE_RECURSE ${WORK}/refusals)
file(COPY "${PACKAGE}/share/tinytpu-vp/examples/simulator/" DESTINATION ${WORK}/refusals)

run(${configure} ${use_package} -DCMAKE_CXX_STANDARD=20 IN ${WORK}/refusals FAILS)
expect("tinytpu-vp needs C++17, because Debian's SystemC library is built for C++17 only (CMAKE_CXX_STANDARD is 20).")

set(ENV{PKG_CONFIG_LIBDIR} /nowhere)
run(${configure} ${use_package} -UCMAKE_CXX_STANDARD IN ${WORK}/refusals FAILS)
expect("SystemC is missing: install the package libsystemc-dev (SystemC 2.3.4 with TLM-2.0).")
unset(ENV{PKG_CONFIG_LIBDIR})

file(READ ${WORK}/refusals/CMakeLists.txt text)
string(REPLACE "tinytpu-vp 0.1" "tinytpu-vp 9.9" text "${text}")
file(WRITE ${WORK}/refusals/CMakeLists.txt "${text}")
run(${configure} ${use_package} IN ${WORK}/refusals FAILS)
expect("compatible with requested version \"9.9\"")
