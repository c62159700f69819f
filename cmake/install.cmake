# Headers, libraries, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS impinge EXPORT impinge-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET impinge_mpi)
  install(TARGETS impinge_mpi EXPORT impinge-mpi-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(IMPINGE_STATIC)
  install(TARGETS impinge_archive EXPORT impinge-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/impinge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "mpi.h" EXCLUDE)
if(TARGET impinge_mpi)
  install(FILES ${PROJECT_SOURCE_DIR}/include/impinge/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/impinge)
endif()
install(FILES ${PROJECT_BINARY_DIR}/include/impinge/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/impinge)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/impinge)
install(EXPORT impinge-targets NAMESPACE impinge:: DESTINATION ${package_dir})
# Apart, so that programs without ranks need no MPI.
set(IMPINGE_HAS_MPI OFF)
if(TARGET impinge_mpi)
  set(IMPINGE_HAS_MPI ON)
  install(EXPORT impinge-mpi-targets NAMESPACE impinge:: DESTINATION ${package_dir})
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/impinge-config.cmake.in
  ${PROJECT_BINARY_DIR}/impinge-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/impinge-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/impinge-config.cmake ${PROJECT_BINARY_DIR}/impinge-config-version.cmake
  DESTINATION ${package_dir})

# Relative to its own place, so that it holds for `cmake --install --prefix` too.
file(RELATIVE_PATH up_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(PKG_CONFIG_PREFIX "\${pcfiledir}/${up_to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/impinge.pc.in ${PROJECT_BINARY_DIR}/impinge.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/impinge.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET impinge_mpi)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/impinge-mpi.pc.in ${PROJECT_BINARY_DIR}/impinge-mpi.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/impinge-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
