# Builds a bare-metal program for the platform's CPU with the board library and the tinyTPU driver. A Makefile says what the
# program is made of and includes this file; see examples/firmware:
#
#   PROGRAM = blink                        # build/blink64.elf, with `make XLEN=32` build/blink32.elf
#   SOURCES = main.c lamp.S                # beside the Makefile, or in folders below it
#   DRIVERS = sw/driver/cdma/cdma.c        # sources of the package beyond those, paths below TINYTPU_VP
#   TINYTPU_VP = /usr/local/share/tinytpu-vp   # what includes this file; spaces in it written as they are
#
# CFLAGS, LDFLAGS, LDLIBS and CROSS (riscv64-unknown-elf-) are the user's; `make run RUN_OPTIONS="--set ..."` runs the program.
XLEN ?= 64
CROSS ?= riscv64-unknown-elf-
CFLAGS ?= -O2 -g -Wall -Wextra
abi_32 := ilp32
abi_64 := lp64
ifeq ($(abi_$(XLEN)),)
$(error XLEN is the width of the CPU's registers, 32 or 64, not '$(XLEN)')
endif
ifeq ($(shell command -v $(CROSS)gcc 2>/dev/null),)
$(error $(CROSS)gcc is missing: install the packages gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf)
endif

# Folders may have spaces in their names, so the package's files are never words of make, only of the shell.
package := $(shell cd "$(TINYTPU_VP)" && pwd)
objects := build/rv$(XLEN)
elf := build/$(PROGRAM)$(XLEN).elf
own := $(addprefix $(objects)/own/,$(addsuffix .o,$(SOURCES)))
# Objects name the CSR extension, which the assembler wants to see; the link does not, so that it finds picolibc's libraries.
compile = $(CROSS)gcc -march=rv$(XLEN)imac_zicsr_zifencei -mabi=$(abi_$(XLEN)) "@$(package)/firmware/board/compile.options" \
  $(CFLAGS) -I. "-I$(package)" "-Wa,-I$(package)" -MMD -MP
link = $(CROSS)gcc -march=rv$(XLEN)imac -mabi=$(abi_$(XLEN)) "@$(package)/firmware/board/link.options" \
  "-T$(package)/firmware/board/link.ld"

.PHONY: all run clean
all: $(elf)

$(elf): $(own) $(objects)/board.built
	$(link) $(CFLAGS) $(LDFLAGS) $(own) $(objects)/board/*.o $(LDLIBS) -o $@

$(objects)/own/%.o: %
	@mkdir -p "$(@D)"
	$(compile) -c $< -o $@

# The board library and drivers; what they depend on is written down under this one name.
$(objects)/board.built: Makefile
	@rm -rf $(objects)/board && mkdir -p $(objects)/board
	cd $(objects)/board && $(subst -I. ,,$(compile)) -MT $@ -c "$(package)"/firmware/board/*.[cS] \
	  $(foreach source,sw/driver/tinytpu/tinytpu.c $(DRIVERS),"$(package)/$(source)")
	@touch $@

run: all
	"$(or $(wildcard $(TINYTPU_VP_PROGRAM)),tinytpu-vp)" run $(RUN_OPTIONS) $(elf)

clean:
	rm -rf build

-include $(own:.o=.d) $(wildcard $(objects)/board/*.d)
