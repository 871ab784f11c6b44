#include "platform/cli/command.h"

int main(int argc, char** argv) { return vp::run_command_line({argv + 1, argv + argc}); }
