# What `cmake --install` puts where, and the names by which others link our libraries, from the installed package
# (find_package) and from this tree (add_subdirectory) alike.

# vp_targets_below(OUT folder): the libraries that a folder and those below it define.
function(vp_targets_below out folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    vp_targets_below(below ${subfolder})
    list(APPEND targets ${below})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# tinytpu_vp::tinytpu for vp_tinytpu.
vp_targets_below(libraries ${PROJECT_SOURCE_DIR}/models)
list(FILTER libraries EXCLUDE REGEX _seldom$)  # objects of others
list(APPEND libraries vp_usage vp_systemc vp_plugin)
foreach(library ${libraries})
  string(REGEX REPLACE "^vp_" "" exported ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${exported})
  add_library(tinytpu_vp::${exported} ALIAS ${library})
endforeach()
set_target_properties(tinytpu-vp PROPERTIES EXPORT_NAME program)
add_executable(tinytpu_vp::program ALIAS tinytpu-vp)

if(NOT TINYTPU_VP_INSTALL)
  return()
endif()

set(data_folder share/tinytpu-vp)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tinytpu-vp)

install(TARGETS tinytpu-vp ${libraries} EXPORT tinytpu-vp
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tinytpu-vp)
install(EXPORT tinytpu-vp NAMESPACE tinytpu_vp:: FILE tinytpu-vpTargets.cmake DESTINATION ${package_folder})
include(CMakePackageConfigHelpers)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tinytpu-vpConfig.cmake.in ${PROJECT_BINARY_DIR}/tinytpu-vpConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS data_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tinytpu-vpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tinytpu-vpConfig.cmake ${PROJECT_BINARY_DIR}/tinytpu-vpConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/LibraryDependencies.cmake DESTINATION ${package_folder})

# Headers by their names in the tree; not those that read JSON files by a library of their own.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models ${PROJECT_BINARY_DIR}/include/models
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tinytpu-vp FILES_MATCHING PATTERN *.h PATTERN json_fields.h EXCLUDE)

# Sources that programs for the CPU are made of, by their names in the tree; and the examples, which are to be copied.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/firmware/board ${PROJECT_SOURCE_DIR}/firmware/compat DESTINATION ${data_folder}/firmware)
install(FILES ${PROJECT_SOURCE_DIR}/firmware/program.mk DESTINATION ${data_folder}/firmware)
install(FILES ${PROJECT_SOURCE_DIR}/firmware/cdma/board_cdma.c ${PROJECT_SOURCE_DIR}/firmware/cdma/board_cdma.h
  DESTINATION ${data_folder}/firmware/cdma)
install(FILES ${PROJECT_SOURCE_DIR}/firmware/tensil/board_tensil.c ${PROJECT_SOURCE_DIR}/firmware/tensil/board_tensil.h
  DESTINATION ${data_folder}/firmware/tensil)
install(FILES ${PROJECT_SOURCE_DIR}/firmware/drra/board_drra.c ${PROJECT_SOURCE_DIR}/firmware/drra/board_drra.h
  DESTINATION ${data_folder}/firmware/drra)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sw/driver ${PROJECT_SOURCE_DIR}/sw/mlp ${PROJECT_SOURCE_DIR}/sw/drra
  DESTINATION ${data_folder}/sw FILES_MATCHING PATTERN *.c PATTERN *.h PATTERN *.drra)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sw/linux DESTINATION ${data_folder}/sw USE_SOURCE_PERMISSIONS PATTERN build EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${data_folder} PATTERN build* EXCLUDE)

# The READMEs by their names in the tree, so that their links lead on.
file(GLOB_RECURSE readmes RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/README.md
  ${PROJECT_SOURCE_DIR}/platform/README.md ${PROJECT_SOURCE_DIR}/firmware/README.md ${PROJECT_SOURCE_DIR}/sw/README.md
  ${PROJECT_SOURCE_DIR}/examples/README.md)
foreach(readme README.md LICENSE docs/machine.svg docs/sweep.png docs/bus.md docs/dram.md ${readmes})
  get_filename_component(folder ${readme} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${readme} DESTINATION share/doc/tinytpu-vp/${folder})
endforeach()
