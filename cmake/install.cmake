# `make install`, the Debian package of `make package`, and find_package(greenkgc) for C++ users.
include(CMakePackageConfigHelpers)

install(TARGETS greenkgc_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/greenkgc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(TARGETS greenkgc EXPORT greenkgc_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/greenkgc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/greenkgc)
install(EXPORT greenkgc_targets NAMESPACE greenkgc:: DESTINATION ${config_dir} FILE greenkgc-config.cmake)
export(EXPORT greenkgc_targets NAMESPACE greenkgc:: FILE ${CMAKE_BINARY_DIR}/greenkgc-config.cmake)  # of the build itself
write_basic_package_version_file(greenkgc-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/greenkgc-config-version.cmake DESTINATION ${config_dir})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "GreenKGC maintainers <maintainers@greenkgc.example>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
