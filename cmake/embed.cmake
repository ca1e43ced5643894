# cmake -DINPUT=F -DOUTPUT=F.inc -DNAME=kName -P embed.cmake: a file's bytes as a C++ array.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "constexpr unsigned char ${NAME}[] = {${bytes}};\n")
