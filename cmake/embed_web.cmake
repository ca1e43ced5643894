# cmake -DFOLDER=FOLDER -DOUTPUT=web_files.cc -P embed_web.cmake: all files of a folder as the list that
# apps/server/web_files.h declares. A file NAME.gz beside NAME is its compressed form; index.html is also "/".
file(GLOB_RECURSE names RELATIVE ${FOLDER} ${FOLDER}/*)
set(arrays "")
set(list "")
set(number 0)
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}0};\n")
  set(array_of_${name} "kFile${number}")
  math(EXPR number "${number} + 1")
endforeach()
foreach(name IN LISTS names)
  if(name MATCHES "\\.gz$")
    continue()
  endif()
  set(gzip "std::string_view()")
  if(DEFINED "array_of_${name}.gz")
    set(gzip "view(${array_of_${name}.gz})")
  endif()
  set(path "/${name}")
  if(name STREQUAL "index.html")
    set(path "/")
  endif()
  string(APPEND list "    {\"${path}\", view(${array_of_${name}}), ${gzip}},\n")
endforeach()
# Written only if it changes: a build without the page tries again each time, and must not link again for that.
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "// Made by cmake/embed_web.cmake.
#include \"server/web_files.h\"

#include <vector>

namespace greenkgc::server {
namespace {

// Each array has a zero behind its bytes, for none may be empty.
${arrays}
template <std::size_t size>
std::string_view view(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char*>(bytes), size - 1};
}

}  // namespace

std::span<const WebFile> web_files() {
  static const std::vector<WebFile> files = {
${list}  };
  return files;
}

}  // namespace greenkgc::server
")
