/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One accelerator, its clients, and who may do what when.
 *
 * lock: who owns the device, who waits for it, whether it is gone, and all that reaches its
 * instruction words. A buffer is mapped and taken away under it, so that nobody but the owner ever
 * has one. Nothing of user space is touched under it, since that may fault into a buffer and take
 * it. run_lock: the program under way, against the interrupt. Taken inside lock. The structure
 * lives until the device is unbound and the last file is closed.
 */
#ifndef TINYTPU_H
#define TINYTPU_H

#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "program.h"
#include "tinytpu_uapi.h"

struct tinytpu_client;

struct tinytpu {
	struct kref ref;
	struct miscdevice misc;
	char name[24];
	int number;
	int irq;
	struct device *dev; /* while it is not gone */
	void __iomem *window;
	phys_addr_t start; /* of the window */
	struct tinytpu_ioc_info info;
	struct tinytpu_layout layout;

	struct mutex lock;
	struct tinytpu_client *owner;
	struct list_head waiters; /* struct tinytpu_waiter, who came first stands first */
	bool gone;

	spinlock_t run_lock;
	bool running; /* a program is under way, perhaps of a client that is no more */
	struct tinytpu_client *runner; /* whose it is; NULL: its client is no more */
	u64 programs;		       /* that have ended */

	unsigned long run_limit; /* jiffies that the program under way takes at most */
	wait_queue_head_t wait;	 /* all who wait for anything; woken at every change */
};

/* An open file. */
struct tinytpu_client {
	struct tinytpu *tpu;
	struct file *file;
	unsigned long owner_since; /* jiffies */
	bool revoked;		   /* it has lost the device to others */
	/* under run_lock: tickets */
	u64 submitted, completed, reported;
	u32 runtime; /* cycles, of the last program that ended */
};

/* device.c: the hardware. */

/* Feeds a program that tinytpu_check_program() has accepted and that ends with a synchronize. Under
 * lock, at rest.
 */
void tinytpu_run(struct tinytpu *tpu, struct tinytpu_client *client,
		 const struct tinytpu_instruction_words *words, u64 count);
bool tinytpu_is_running(struct tinytpu *tpu);
void tinytpu_put(void *tpu);
extern struct platform_driver tinytpu_driver;

/* client.c: files. */

extern const struct file_operations tinytpu_fops;

/* ownership.c */

/* Waits until the client owns the device; errors as TINYTPU_IOC_ACQUIRE, TINYTPU_IOC_RELEASE. */
long tinytpu_acquire(struct tinytpu_client *client, long timeout);
long tinytpu_give_back(struct tinytpu_client *client);
/* Jiffies until the owner may lose the device to the first in line; 0: now. Under lock. */
long tinytpu_lease_left(struct tinytpu *tpu);
/* Takes the device from an owner whose lease is over. Under lock. */
void tinytpu_revoke(struct tinytpu *tpu);
/* Takes the device from its owner, if there is one. Under lock. */
void tinytpu_disown(struct tinytpu *tpu);
/* Clients that wait for the device. */
unsigned int tinytpu_count_waiters(struct tinytpu *tpu);

/* buffers.c: mappings. */

int tinytpu_mmap(struct file *file, struct vm_area_struct *vma);
/* Takes all mappings of a client away: its next access faults. Under lock. */
void tinytpu_zap(struct tinytpu_client *client);

/* A relative time of the interface; negative: for ever. Anything but 0 is a jiffy at least. */
static inline long tinytpu_to_jiffies(s64 timeout_ns)
{
	if (timeout_ns < 0)
		return MAX_SCHEDULE_TIMEOUT;
	return min_t(u64, nsecs_to_jiffies64(timeout_ns) + (timeout_ns ? 1 : 0),
		     MAX_SCHEDULE_TIMEOUT - 1);
}

/* main.c */

/* Milliseconds after which an owner loses the device to those who wait; 0: never. */
extern unsigned int tinytpu_lease_ms;

#endif
