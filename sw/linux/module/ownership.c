// SPDX-License-Identifier: GPL-2.0
/* Who owns the device: clients in the order in which they asked, each until it gives the device
 * back, closes its file, or has kept others waiting for longer than the lease.
 */
#include <linux/jiffies.h>
#include <linux/sched/signal.h>

#include "tinytpu.h"

/* A client that waits for the device. */
struct tinytpu_waiter {
	struct list_head list;
	struct tinytpu_client *client;
	unsigned long since; /* jiffies */
};

unsigned int tinytpu_count_waiters(struct tinytpu *tpu)
{
	struct tinytpu_waiter *waiter;
	unsigned int count = 0;

	mutex_lock(&tpu->lock);
	list_for_each_entry(waiter, &tpu->waiters, list)
		++count;
	mutex_unlock(&tpu->lock);
	return count;
}

void tinytpu_disown(struct tinytpu *tpu)
{
	struct tinytpu_client *client = tpu->owner;

	if (!client)
		return;
	tinytpu_zap(client);
	WRITE_ONCE(tpu->owner, NULL);
	wake_up_all(&tpu->wait);
}

long tinytpu_lease_left(struct tinytpu *tpu)
{
	struct tinytpu_waiter *first;
	unsigned int lease_ms = READ_ONCE(tinytpu_lease_ms);
	unsigned long from, end;

	if (!tpu->owner || !lease_ms || list_empty(&tpu->waiters))
		return MAX_SCHEDULE_TIMEOUT;
	first = list_first_entry(&tpu->waiters, struct tinytpu_waiter, list);
	from = first->since;
	if (time_after(tpu->owner->owner_since, from))
		from = tpu->owner->owner_since;
	end = from + msecs_to_jiffies(lease_ms);
	return time_before(jiffies, end) ? (long)(end - jiffies) : 0;
}

void tinytpu_revoke(struct tinytpu *tpu)
{
	tpu->owner->revoked = true;
	tinytpu_disown(tpu);
}

/* 0: the client owns the device now. -EAGAIN: it is not its turn. Under lock. */
static int try_take(struct tinytpu *tpu, struct tinytpu_waiter *waiter)
{
	if (tpu->gone)
		return -ENODEV;
	if (tpu->owner == waiter->client)
		return -EALREADY;
	if (list_first_entry(&tpu->waiters, struct tinytpu_waiter, list) != waiter)
		return -EAGAIN;
	if (tinytpu_is_running(tpu))
		return -EAGAIN;
	if (tpu->owner) {
		if (tinytpu_lease_left(tpu) > 0)
			return -EAGAIN;
		tinytpu_revoke(tpu);
	}
	waiter->client->revoked = false;
	waiter->client->owner_since = jiffies;
	WRITE_ONCE(tpu->owner, waiter->client);
	return 0;
}

/* Whether it is worth to call try_take(); without lock. */
static bool may_take(struct tinytpu *tpu, struct tinytpu_waiter *waiter)
{
	if (READ_ONCE(tpu->gone))
		return true;
	return READ_ONCE(tpu->waiters.next) == &waiter->list && !READ_ONCE(tpu->owner) &&
	       !tinytpu_is_running(tpu);
}

/* Waits until it is worth to try again. Returns the jiffies that are left of `timeout`, or an
 * error.
 */
static long wait_for_turn(struct tinytpu *tpu, struct tinytpu_waiter *waiter, long timeout,
			  long lease)
{
	long part = max(min(timeout, lease), 1L), left;

	left = wait_event_interruptible_timeout(tpu->wait, may_take(tpu, waiter), part);
	if (left < 0 || timeout == MAX_SCHEDULE_TIMEOUT)
		return left < 0 ? left : timeout;
	return timeout - (part - left);
}

long tinytpu_acquire(struct tinytpu_client *client, long timeout)
{
	struct tinytpu *tpu = client->tpu;
	struct tinytpu_waiter waiter = { .client = client, .since = jiffies };
	bool try_only = timeout == 0, endless = timeout == MAX_SCHEDULE_TIMEOUT;
	long result, lease;

	mutex_lock(&tpu->lock);
	list_add_tail(&waiter.list, &tpu->waiters);
	wake_up_all(&tpu->wait); /* an owner may ask by poll() whether others wait */
	for (;;) {
		result = try_take(tpu, &waiter);
		/* A program under way ends with an interrupt, which wakes. */
		lease = tinytpu_is_running(tpu) ? MAX_SCHEDULE_TIMEOUT : tinytpu_lease_left(tpu);
		if (result != -EAGAIN || timeout <= 0)
			break;
		mutex_unlock(&tpu->lock);
		timeout = wait_for_turn(tpu, &waiter, timeout, lease);
		mutex_lock(&tpu->lock);
		if (timeout < 0 && tpu->owner != client) {
			result = endless ? -ERESTARTSYS : -EINTR;
			break;
		}
	}
	list_del(&waiter.list);
	mutex_unlock(&tpu->lock);
	wake_up_all(&tpu->wait);
	if (result == -EAGAIN)
		return try_only ? -EBUSY : -ETIMEDOUT;
	return result;
}

long tinytpu_give_back(struct tinytpu_client *client)
{
	struct tinytpu *tpu = client->tpu;
	long result = 0;

	mutex_lock(&tpu->lock);
	if (tpu->gone)
		result = -ENODEV;
	else if (tpu->owner != client)
		result = client->revoked ? -ESTALE : -EPERM;
	else
		tinytpu_disown(tpu);
	mutex_unlock(&tpu->lock);
	return result;
}
