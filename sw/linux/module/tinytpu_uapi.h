/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What /dev/tinytpuN offers to programs: one file an accelerator, any number of clients, one owner
 * at a time.
 *
 * A client is an open file. It acquires the device, maps the buffers, fills them, submits programs
 * and waits for them, and releases the device for the next client in line. What is in the buffers
 * belongs to nobody then: weights and inputs are written anew after each TINYTPU_IOC_ACQUIRE. All
 * structures are the same for 32-bit and 64-bit programs.
 *
 * Errors of every call: ENODEV, the accelerator is gone (unbound); ENOTTY, no such ioctl.
 */
#ifndef TINYTPU_UAPI_H
#define TINYTPU_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Offsets and sizes for mmap: shared mappings, inside one of the two buffers. Sizes are 0 where the
 * instruction words lie in the same page, so that a buffer cannot be mapped. Row r of a buffer is
 * at r * stride.
 */
struct tinytpu_ioc_info {
	__u32 matrix_width;	    /* bytes of a row, rows and columns of the array */
	__u32 weight_buffer_depth;  /* rows */
	__u32 unified_buffer_depth; /* rows */
	__u32 clock_period_ps;	    /* of the accelerator; 0: the device tree does not say */
	__u32 stride;		    /* bytes from row to row */
	__u32 max_instructions;	    /* of one program, its synchronize included */
	__u64 weights_offset, weights_size;
	__u64 unified_offset, unified_size;
};

/* An instruction: the three words that the hardware takes. */
struct tinytpu_instruction_words {
	__u32 lower;  /* bits 31:0 */
	__u32 middle; /* bits 63:32 */
	__u32 upper;  /* bits 79:64; the upper half is zero */
};

/* Why a program was refused. */
enum tinytpu_refusal {
	TINYTPU_ACCEPTED = 0,
	TINYTPU_INCOMPLETE, /* its bytes are no whole number of instructions */
	TINYTPU_EMPTY,
	TINYTPU_TOO_LONG,   /* more than max_instructions */
	TINYTPU_BAD_WORD,   /* more than 80 bits, or bits set that the instruction has no use for */
	TINYTPU_BAD_OPCODE, /* none that the hardware carries out */
	TINYTPU_BAD_ACTIVATION,		 /* a function that the hardware does not have */
	TINYTPU_WEIGHT_ROWS,		 /* rows beyond the weight buffer */
	TINYTPU_BUFFER_ROWS,		 /* rows beyond the unified buffer */
	TINYTPU_ACCUMULATOR_ROWS_BEYOND, /* rows beyond the accumulators */
	TINYTPU_INNER_SYNCHRONIZE,	 /* a synchronize that is not the last instruction */
};

/* Hands a program to the device, which must be at rest. The driver checks all of it, appends a
 * synchronize if the last instruction is none, and feeds it. EINVAL: refused, nothing was fed, see
 * refusal and bad_instruction. EPERM: the client does not own the device; ESTALE: it did, but
 * others waited for longer than the lease. EBUSY: a program is under way.
 */
struct tinytpu_ioc_submit {
	__u64 instructions;    /* address of struct tinytpu_instruction_words[] */
	__u64 bytes;	       /* of them */
	__u32 flags;	       /* 0 */
	__u32 refusal;	       /* out */
	__u64 bad_instruction; /* out: the number of the first one refused */
	__u64 ticket;	       /* out: of this program; a client's programs count from 1 */
};

/* Waits until a program has ended: all its results are in the unified buffer. EINVAL: no such
 * ticket was given out. ETIMEDOUT, EINTR: it is still under way.
 */
struct tinytpu_ioc_wait {
	__u64 ticket;
	__s64 timeout_ns; /* negative: for ever */
	__u32 runtime;	  /* out: runtime counter after the client's last program, cycles of the
			     accelerator */
	__u32 reserved;	  /* 0 */
};

/* Waits for the device. Clients get it in the order in which they asked. EALREADY: the client owns
 * it; ETIMEDOUT.
 */
struct tinytpu_ioc_acquire {
	__s64 timeout_ns; /* negative: for ever; 0: EBUSY if it is not free */
};

/* read() gives one of these when a program has ended whose end neither read() nor TINYTPU_IOC_WAIT
 * has told yet, and blocks until then (EAGAIN with O_NONBLOCK); it gives 0 bytes when no program is
 * under way. poll(): POLLIN as read(); POLLPRI: the client owns the device and others wait for it;
 * POLLERR | POLLHUP: the accelerator is gone.
 */
struct tinytpu_completion {
	__u64 ticket;
	__u32 runtime;
	__u32 reserved;
};

#define TINYTPU_IOC_INFO _IOR('T', 0xb0, struct tinytpu_ioc_info)
#define TINYTPU_IOC_ACQUIRE _IOW('T', 0xb1, struct tinytpu_ioc_acquire)
#define TINYTPU_IOC_RELEASE \
	_IO('T',            \
	    0xb2) /* EPERM: the client does not own it. A program under way goes on to its end */
#define TINYTPU_IOC_SUBMIT _IOWR('T', 0xb3, struct tinytpu_ioc_submit)
#define TINYTPU_IOC_WAIT _IOWR('T', 0xb4, struct tinytpu_ioc_wait)

#endif
