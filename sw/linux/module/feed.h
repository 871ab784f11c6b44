/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Feeds instructions from memory. The same few machine instructions under Linux and on bare metal
 * (firmware/digits_submit): a program that is shorter in the device than it takes to feed takes as
 * many cycles of the accelerator as its host needs from store to store, and those shall be equal.
 */
#ifndef TINYTPU_FEED_H
#define TINYTPU_FEED_H

/*
 * instruction_space: the runtime counter, with the lower, middle and upper word behind it; words to
 * end: instructions of three 32-bit words, at least one. A full FIFO holds a store until there is
 * room. No other context may store an instruction word meanwhile.
 */
static inline void tinytpu_feed(volatile void *instruction_space, const void *words,
				const void *end)
{
#ifdef __riscv
	/* Aligned and uncompressed: the loop lies in one line of an instruction cache, so that no
	 * fetch falls between two stores.
	 */
	__asm__ volatile(".option push\n"
			 ".option norvc\n"
			 ".balign 64\n"
			 "1: lw t0, 0(%0)\n"
			 "lw t1, 4(%0)\n"
			 "lw t2, 8(%0)\n"
			 "sw t0, 4(%2)\n"
			 "sw t1, 8(%2)\n"
			 "sh t2, 12(%2)\n"
			 "addi %0, %0, 12\n"
			 "bne %0, %1, 1b\n"
			 ".option pop\n"
			 : "+r"(words)
			 : "r"(end), "r"(instruction_space)
			 : "t0", "t1", "t2", "memory");
#else
	volatile unsigned int *port = (volatile unsigned int *)instruction_space;
	const unsigned int *word;

	for (word = (const unsigned int *)words; word != end; word += 3) {
		port[1] = word[0];
		port[2] = word[1];
		*(volatile unsigned short *)&port[3] = (unsigned short)word[2];
	}
#endif
}

#endif
