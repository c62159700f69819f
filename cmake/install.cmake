# Headers, libraries, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS impinge EXPORT impinge-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(IMPINGE_STATIC)
  install(TARGETS impinge_archive EXPORT impinge-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/impinge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/impinge/version.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/impinge)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/impinge)
install(EXPORT impinge-targets NAMESPACE impinge:: DESTINATION ${package_dir})
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
