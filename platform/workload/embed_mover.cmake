# Writes a C++ file with the mover's two ELF files as arrays: cmake -DOUTPUT=file.cpp -DFOLDER=folder -P embed_mover.cmake
set(text "#include \"platform/workload/mover_program.h\"\n\nnamespace vp::workload {\n\n")
foreach(width 32 64)
  file(READ ${FOLDER}/mover${width}.elf bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const std::uint8_t bytes${width}[] = {\n${bytes}};\n"
    "const EmbeddedProgram kMover${width}{bytes${width}, sizeof bytes${width}};\n\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace vp::workload\n")
