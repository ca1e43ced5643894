# `make install`, the Debian package of `make package`, and find_package(greenkgc) for C++ users.
include(CMakePackageConfigHelpers)

install(TARGETS greenkgc_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/greenkgc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES packaging/greenkgc.service DESTINATION lib/systemd/system)
install(TARGETS greenkgc EXPORT greenkgc_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/greenkgc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/greenkgc)
install(EXPORT greenkgc_targets NAMESPACE greenkgc:: DESTINATION ${config_dir} FILE greenkgc-config.cmake)
export(EXPORT greenkgc_targets NAMESPACE greenkgc:: FILE ${CMAKE_BINARY_DIR}/greenkgc-config.cmake)  # of the build itself
write_basic_package_version_file(greenkgc-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/greenkgc-config-version.cmake DESTINATION ${config_dir})

# What packages alone have: the Python module (elsewhere, pip installs it), the license as Debian wants it, a compressed man
# page. The module's own copy of the library stays behind, and so does the search path that finds the copy.
set(python_package ${CMAKE_SOURCE_DIR}/build/python/greenkgc)
set(python_destination lib/python3/dist-packages/greenkgc)
install(DIRECTORY ${python_package}/ DESTINATION ${python_destination} COMPONENT package EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE PATTERN "libgreenkgc.so*" EXCLUDE PATTERN _command.py EXCLUDE)
install(FILES LICENSE DESTINATION share/doc/greenkgc RENAME copyright COMPONENT package EXCLUDE_FROM_ALL OPTIONAL)
install(CODE "
  set(root \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX})
  file(GLOB module \${root}/${python_destination}/_core*.so)
  file(RPATH_REMOVE FILE \${module})
  execute_process(COMMAND gzip -9nf \${root}/${CMAKE_INSTALL_MANDIR}/man1/greenkgc.1 COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT package EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "GreenKGC maintainers <maintainers@greenkgc.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};greenkgc;ALL;/;${CMAKE_BINARY_DIR};greenkgc;package;/")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_SOURCE_DIR}/cmake/package.cmake)
set(CPACK_GREENKGC_PYTHON_PACKAGE ${python_package})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-numpy)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS python3-pandas)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/debian/postinst ${CMAKE_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
