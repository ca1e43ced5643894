# CPack reads this when it makes a package: the module in it is for one version of Debian's Python, that of `make package`.
file(GLOB module ${CPACK_GREENKGC_PYTHON_PACKAGE}/_core.cpython-*.so)
if(NOT module MATCHES "/_core\\.cpython-3([0-9]+)-[^;]*$")
  message(FATAL_ERROR "${CPACK_GREENKGC_PYTHON_PACKAGE} does not have the Python module, or has several; `make package` makes it")
endif()
math(EXPR next "${CMAKE_MATCH_1} + 1")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.${CMAKE_MATCH_1}~), python3 (<< 3.${next}~)")
