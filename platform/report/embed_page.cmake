# Writes a C++ file with the sources of the report page as strings: cmake -DOUTPUT=file -DPAGE=folder -DSCRIPTS=a.js,b.js -P
# A string literal may hold 65536 characters at least, so each source becomes pieces that the compiler joins.
function(as_literal file variable)
  file(READ ${file} text)
  set(${variable} "${${variable}}R\"~~(${text})~~\"\n" PARENT_SCOPE)
endfunction()
as_literal(${PAGE}/report.html html)
as_literal(${PAGE}/report.css style)
string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
foreach(name IN LISTS SCRIPTS)
  as_literal(${PAGE}/${name} script)
endforeach()
file(WRITE ${OUTPUT} "#include \"platform/report/page_parts.h\"\n\nnamespace vp::page_parts {\n\n"
  "const char* const kHtml = ${html};\nconst char* const kStyle = ${style};\nconst char* const kScript = ${script};\n\n"
  "}  // namespace vp::page_parts\n")
