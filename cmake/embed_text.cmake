# Writes a C++ file that defines a string with the content of a text file:
# cmake -DOUTPUT=file.cpp -DTEXT=file -DHEADER=platform/x.h -DNAME=kName -P embed_text.cmake
file(READ ${TEXT} text)
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nnamespace vp {\n\nconst char* const ${NAME} = R\"~~(${text})~~\";\n\n}  // namespace vp\n")
