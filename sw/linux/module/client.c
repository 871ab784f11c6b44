// SPDX-License-Identifier: GPL-2.0
/* Open files: programs handed in, ends waited for. */
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tinytpu.h"

/* Under lock. */
static long start(struct tinytpu_client *client, const struct tinytpu_instruction_words *words,
		  u64 count)
{
	struct tinytpu *tpu = client->tpu;

	if (tpu->gone)
		return -ENODEV;
	if (tpu->owner != client)
		return client->revoked ? -ESTALE : -EPERM;
	if (tinytpu_is_running(tpu))
		return -EBUSY;
	if (tinytpu_lease_left(tpu) == 0) {
		tinytpu_revoke(tpu);
		return -ESTALE;
	}
	tinytpu_run(tpu, client, words, count);
	return 0;
}

/* The user's program, checked, with room for a synchronize behind it; its refusal is in *submit. */
static struct tinytpu_instruction_words *take_program(struct tinytpu *tpu,
						      struct tinytpu_ioc_submit *submit, u64 *count)
{
	struct tinytpu_instruction_words *words;

	*count = div_u64(submit->bytes, sizeof(*words));
	submit->refusal = TINYTPU_ACCEPTED;
	submit->bad_instruction = 0;
	if (submit->bytes != *count * sizeof(*words)) {
		submit->refusal = TINYTPU_INCOMPLETE;
		submit->bad_instruction = *count;
	} else if (*count > TINYTPU_MAX_INSTRUCTIONS) {
		submit->refusal = TINYTPU_TOO_LONG;
		submit->bad_instruction = TINYTPU_MAX_INSTRUCTIONS;
	}
	if (submit->refusal)
		return ERR_PTR(-EINVAL);
	words = kvmalloc_array(*count + 1, sizeof(*words), GFP_KERNEL_ACCOUNT);
	if (!words)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(words, u64_to_user_ptr(submit->instructions), submit->bytes)) {
		kvfree(words);
		return ERR_PTR(-EFAULT);
	}
	submit->refusal =
		tinytpu_check_program(&tpu->info, words, *count, &submit->bad_instruction);
	if (submit->refusal) {
		kvfree(words);
		return ERR_PTR(-EINVAL);
	}
	return words;
}

static long submit_program(struct tinytpu_client *client, struct tinytpu_ioc_submit *submit)
{
	static const struct tinytpu_instruction_words synchronize = { .lower = 0xff };
	struct tinytpu *tpu = client->tpu;
	struct tinytpu_instruction_words *words;
	u64 count;
	long result;

	if (submit->flags)
		return -EINVAL;
	words = take_program(tpu, submit, &count);
	if (IS_ERR(words))
		return PTR_ERR(words);
	if (!tinytpu_is_synchronize(&words[count - 1]))
		words[count++] = synchronize;
	mutex_lock(&tpu->lock);
	result = start(client, words, count);
	submit->ticket = client->submitted;
	mutex_unlock(&tpu->lock);
	kvfree(words);
	return result;
}

static bool has_completed(struct tinytpu_client *client, u64 ticket)
{
	struct tinytpu *tpu = client->tpu;
	unsigned long flags;
	bool completed;

	spin_lock_irqsave(&tpu->run_lock, flags);
	completed = client->completed >= ticket;
	spin_unlock_irqrestore(&tpu->run_lock, flags);
	return completed || READ_ONCE(tpu->gone);
}

static long wait_for_program(struct tinytpu_client *client, struct tinytpu_ioc_wait *wait)
{
	struct tinytpu *tpu = client->tpu;
	long timeout = tinytpu_to_jiffies(wait->timeout_ns), left;
	bool known, completed;

	spin_lock_irq(&tpu->run_lock);
	known = wait->ticket && wait->ticket <= client->submitted;
	spin_unlock_irq(&tpu->run_lock);
	if (!known || wait->reserved)
		return -EINVAL;
	left = wait_event_interruptible_timeout(tpu->wait, has_completed(client, wait->ticket),
						timeout);
	spin_lock_irq(&tpu->run_lock);
	completed = client->completed >= wait->ticket;
	wait->runtime = client->runtime;
	if (completed)
		client->reported = max(client->reported, wait->ticket);
	spin_unlock_irq(&tpu->run_lock);
	if (completed)
		return 0;
	if (READ_ONCE(tpu->gone))
		return -ENODEV;
	if (left < 0)
		return timeout == MAX_SCHEDULE_TIMEOUT ? -ERESTARTSYS : -EINTR;
	return -ETIMEDOUT;
}

static long ioctl_acquire(struct tinytpu_client *client, void __user *argument)
{
	struct tinytpu_ioc_acquire request;

	if (copy_from_user(&request, argument, sizeof(request)))
		return -EFAULT;
	return tinytpu_acquire(client, tinytpu_to_jiffies(request.timeout_ns));
}

static long ioctl_submit(struct tinytpu_client *client, void __user *argument)
{
	struct tinytpu_ioc_submit request;
	long result;

	if (copy_from_user(&request, argument, sizeof(request)))
		return -EFAULT;
	request.refusal = TINYTPU_ACCEPTED;
	request.ticket = 0;
	result = submit_program(client, &request);
	return copy_to_user(argument, &request, sizeof(request)) ? -EFAULT : result;
}

static long ioctl_wait(struct tinytpu_client *client, void __user *argument)
{
	struct tinytpu_ioc_wait request;
	long result;

	if (copy_from_user(&request, argument, sizeof(request)))
		return -EFAULT;
	result = wait_for_program(client, &request);
	if (result)
		return result;
	return copy_to_user(argument, &request, sizeof(request)) ? -EFAULT : 0;
}

static long tinytpu_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct tinytpu_client *client = file->private_data;
	void __user *user = (void __user *)argument;

	switch (command) {
	case TINYTPU_IOC_INFO:
		if (READ_ONCE(client->tpu->gone))
			return -ENODEV;
		return copy_to_user(user, &client->tpu->info, sizeof(client->tpu->info)) ? -EFAULT
											 : 0;
	case TINYTPU_IOC_ACQUIRE:
		return ioctl_acquire(client, user);
	case TINYTPU_IOC_RELEASE:
		return tinytpu_give_back(client);
	case TINYTPU_IOC_SUBMIT:
		return ioctl_submit(client, user);
	case TINYTPU_IOC_WAIT:
		return ioctl_wait(client, user);
	default:
		return -ENOTTY;
	}
}

/* Whether read() has an answer: a completion, or that there is none to come. */
static bool has_news(struct tinytpu_client *client)
{
	struct tinytpu *tpu = client->tpu;
	unsigned long flags;
	bool news;

	spin_lock_irqsave(&tpu->run_lock, flags);
	news = client->completed > client->reported || client->completed == client->submitted;
	spin_unlock_irqrestore(&tpu->run_lock, flags);
	return news || READ_ONCE(tpu->gone);
}

static ssize_t tinytpu_read(struct file *file, char __user *user, size_t size, loff_t *offset)
{
	struct tinytpu_client *client = file->private_data;
	struct tinytpu *tpu = client->tpu;
	struct tinytpu_completion completion = {};

	if (size < sizeof(completion))
		return -EINVAL;
	if (!has_news(client)) {
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(tpu->wait, has_news(client)))
			return -ERESTARTSYS;
	}
	spin_lock_irq(&tpu->run_lock);
	if (client->completed > client->reported) {
		client->reported = client->completed;
		completion.ticket = client->completed;
		completion.runtime = client->runtime;
	}
	spin_unlock_irq(&tpu->run_lock);
	if (!completion.ticket)
		return READ_ONCE(tpu->gone) ? -ENODEV : 0;
	return copy_to_user(user, &completion, sizeof(completion)) ? -EFAULT : sizeof(completion);
}

static __poll_t tinytpu_poll(struct file *file, poll_table *table)
{
	struct tinytpu_client *client = file->private_data;
	struct tinytpu *tpu = client->tpu;
	__poll_t events = 0;

	poll_wait(file, &tpu->wait, table);
	if (READ_ONCE(tpu->gone))
		return EPOLLERR | EPOLLHUP;
	spin_lock_irq(&tpu->run_lock);
	if (client->completed > client->reported)
		events |= EPOLLIN | EPOLLRDNORM;
	spin_unlock_irq(&tpu->run_lock);
	if (READ_ONCE(tpu->owner) == client && !list_empty_careful(&tpu->waiters))
		events |= EPOLLPRI;
	return events;
}

static int tinytpu_open(struct inode *inode, struct file *file)
{
	struct tinytpu *tpu = container_of(file->private_data, struct tinytpu, misc);
	struct tinytpu_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (!client)
		return -ENOMEM;
	kref_get(&tpu->ref);
	client->tpu = tpu;
	client->file = file;
	file->private_data = client;
	return stream_open(inode, file);
}

/* The last mapping went with the file, or before. A program under way goes on: its end is nobody's.
 */
static int tinytpu_release(struct inode *inode, struct file *file)
{
	struct tinytpu_client *client = file->private_data;
	struct tinytpu *tpu = client->tpu;

	mutex_lock(&tpu->lock);
	if (tpu->owner == client)
		tinytpu_disown(tpu);
	spin_lock_irq(&tpu->run_lock);
	if (tpu->runner == client)
		tpu->runner = NULL;
	spin_unlock_irq(&tpu->run_lock);
	mutex_unlock(&tpu->lock);
	kfree(client);
	tinytpu_put(tpu);
	return 0;
}

const struct file_operations tinytpu_fops = {
	.owner = THIS_MODULE,
	.open = tinytpu_open,
	.release = tinytpu_release,
	.unlocked_ioctl = tinytpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = tinytpu_read,
	.poll = tinytpu_poll,
	.mmap = tinytpu_mmap,
};
