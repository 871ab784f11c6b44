// SPDX-License-Identifier: GPL-2.0
/* The hardware: found by the device tree, fed, and heard of by its interrupt. */
#include <linux/delay.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/property.h>
#include <linux/slab.h>

#ifdef CONFIG_RISCV_SBI
#include <asm/hwcap.h>
#include <asm/sbi.h>
#endif

#include "feed.h"
#include "tinytpu.h"

/* Interrupts stay off while a burst is fed, for its pace is the host's alone then. A burst is
 * closed when the device may be busy with it for this long, since a full FIFO holds the CPU.
 */
enum { BURST_NS = 1000000 };
/* How long a device at rest takes to answer a synchronize. */
enum { FIRST_ANSWER_MS = 100 };

static DEFINE_IDA(numbers);

bool tinytpu_is_running(struct tinytpu *tpu)
{
	unsigned long flags;
	bool running;

	spin_lock_irqsave(&tpu->run_lock, flags);
	running = tpu->running;
	spin_unlock_irqrestore(&tpu->run_lock, flags);
	return running;
}

/* An edge: the device wants no acknowledgement. Each program has one synchronize, and there is one
 * program at a time.
 */
static irqreturn_t tinytpu_interrupt(int irq, void *argument)
{
	struct tinytpu *tpu = argument;
	u32 runtime = readl_relaxed(tpu->window + tpu->layout.instruction_offset);

	spin_lock(&tpu->run_lock);
	if (tpu->running) {
		tpu->running = false;
		++tpu->programs;
		if (tpu->runner) {
			tpu->runner->completed = tpu->runner->submitted;
			tpu->runner->runtime = runtime;
		}
		tpu->runner = NULL;
	}
	spin_unlock(&tpu->run_lock);
	wake_up_all(&tpu->wait);
	return IRQ_HANDLED;
}

static u64 instruction_ns(struct tinytpu *tpu, const struct tinytpu_instruction_words *words)
{
	u32 period_ps = tpu->info.clock_period_ps ?: 10000;

	return div_u64(tinytpu_instruction_cycles(&tpu->info, words) * period_ps, 1000);
}

#ifdef CONFIG_RISCV_SBI
/* Without Sstc the firmware takes the timer's interrupt first, whatever the kernel has masked, and
 * the time it takes would stand between two stores. The timer is put off for the burst, and due at
 * once behind it: the kernel looks at its timers then and sets the next one.
 */
static void set_timer(unsigned long when)
{
	if (!riscv_isa_extension_available(NULL, SSTC))
		sbi_ecall(SBI_EXT_TIME, SBI_EXT_TIME_SET_TIMER, when, when, 0, 0, 0, 0);
}
#else
static void set_timer(unsigned long when)
{
}
#endif

static void feed_burst(struct tinytpu *tpu, const struct tinytpu_instruction_words *words,
		       u64 count)
{
	unsigned long flags, page;

	/* Each page once, so that no walk of the page tables falls between two stores. */
	for (page = (unsigned long)words; page < (unsigned long)(words + count); page += PAGE_SIZE)
		READ_ONCE(*(const u32 *)page);
	local_irq_save(flags);
	set_timer(-1UL);
	wmb(); /* buffers that this CPU wrote are in the device before it is told to use them */
	tinytpu_feed((void __force *)tpu->window + tpu->layout.instruction_offset, words,
		     words + count);
	set_timer(0);
	local_irq_restore(flags);
}

void tinytpu_run(struct tinytpu *tpu, struct tinytpu_client *client,
		 const struct tinytpu_instruction_words *words, u64 count)
{
	u64 first = 0, i, burst_ns = 0, total_ns = 0;

	for (i = 0; i < count; ++i)
		total_ns += instruction_ns(tpu, &words[i]);
	tpu->run_limit = nsecs_to_jiffies(total_ns) + msecs_to_jiffies(FIRST_ANSWER_MS);
	spin_lock_irq(&tpu->run_lock);
	tpu->running = true;
	tpu->runner = client;
	if (client)
		++client->submitted;
	spin_unlock_irq(&tpu->run_lock);
	for (i = 0; i < count; ++i) {
		burst_ns += instruction_ns(tpu, &words[i]);
		if (burst_ns < BURST_NS && i + 1 < count)
			continue;
		feed_burst(tpu, words + first, i + 1 - first);
		first = i + 1;
		burst_ns = 0;
		cond_resched();
	}
}

/* Waits for the end of the program under way. False: the interrupt did not come. */
static bool wait_for_rest(struct tinytpu *tpu)
{
	return wait_event_timeout(tpu->wait, !tinytpu_is_running(tpu), tpu->run_limit + 1) > 0;
}

/* Closes whatever ran before with a synchronize, which also tells whether device and interrupt are
 * there.
 */
static int bring_to_rest(struct tinytpu *tpu)
{
	static const struct tinytpu_instruction_words synchronize = { .lower = 0xff };

	msleep(1); /* an edge from before comes now and is nobody's */
	mutex_lock(&tpu->lock);
	tinytpu_run(tpu, NULL, &synchronize, 1);
	mutex_unlock(&tpu->lock);
	if (wait_for_rest(tpu))
		return 0;
	return dev_err_probe(tpu->dev, -EIO, "no interrupt came for a synchronize\n");
}

static ssize_t info_show(struct device *dev, char *text, size_t offset)
{
	struct tinytpu *tpu = container_of(dev_get_drvdata(dev), struct tinytpu, misc);

	return sysfs_emit(text, "%u\n", *(u32 *)((char *)&tpu->info + offset));
}

#define INFO_ATTRIBUTE(name)                                                               \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attribute, \
				   char *text)                                             \
	{                                                                                  \
		return info_show(dev, text, offsetof(struct tinytpu_ioc_info, name));      \
	}                                                                                  \
	static DEVICE_ATTR_RO(name)

INFO_ATTRIBUTE(matrix_width);
INFO_ATTRIBUTE(weight_buffer_depth);
INFO_ATTRIBUTE(unified_buffer_depth);
INFO_ATTRIBUTE(clock_period_ps);

/* Programs that have ended since the device was bound. */
static ssize_t programs_show(struct device *dev, struct device_attribute *attribute, char *text)
{
	struct tinytpu *tpu = container_of(dev_get_drvdata(dev), struct tinytpu, misc);
	u64 programs;

	spin_lock_irq(&tpu->run_lock);
	programs = tpu->programs;
	spin_unlock_irq(&tpu->run_lock);
	return sysfs_emit(text, "%llu\n", programs);
}
static DEVICE_ATTR_RO(programs);

/* Clients that wait for the device. */
static ssize_t waiting_show(struct device *dev, struct device_attribute *attribute, char *text)
{
	struct tinytpu *tpu = container_of(dev_get_drvdata(dev), struct tinytpu, misc);

	return sysfs_emit(text, "%u\n", tinytpu_count_waiters(tpu));
}
static DEVICE_ATTR_RO(waiting);

static struct attribute *tinytpu_attrs[] = {
	&dev_attr_matrix_width.attr,
	&dev_attr_weight_buffer_depth.attr,
	&dev_attr_unified_buffer_depth.attr,
	&dev_attr_clock_period_ps.attr,
	&dev_attr_programs.attr,
	&dev_attr_waiting.attr,
	NULL,
};
ATTRIBUTE_GROUPS(tinytpu);

/* Sizes by the device tree; offsets and what can be mapped follow from them. */
static int read_sizes(struct tinytpu *tpu, resource_size_t window_size)
{
	struct tinytpu_ioc_info *info = &tpu->info;
	u32 fifo_depth = 32;

	if (device_property_read_u32(tpu->dev, "matrix-width", &info->matrix_width) ||
	    device_property_read_u32(tpu->dev, "weight-buffer-depth", &info->weight_buffer_depth) ||
	    device_property_read_u32(tpu->dev, "unified-buffer-depth", &info->unified_buffer_depth))
		return dev_err_probe(tpu->dev, -EINVAL, "its node lacks a size\n");
	device_property_read_u32(tpu->dev, "clock-period-ps", &info->clock_period_ps);
	device_property_read_u32(tpu->dev, "fifo-depth", &fifo_depth);
	if (tinytpu_lay_out(info, &tpu->layout))
		return dev_err_probe(tpu->dev, -EINVAL, "sizes that cannot be\n");
	if (tpu->layout.window_size != window_size)
		return dev_err_probe(tpu->dev, -EINVAL, "reg is not the window of these sizes\n");
	/* The first word would fill its lane, and a full lane holds the others. */
	if (fifo_depth < 2)
		return dev_err_probe(tpu->dev, -EINVAL, "an instruction FIFO of 1 cannot be fed\n");
	info->stride = tpu->layout.stride;
	info->max_instructions = TINYTPU_MAX_INSTRUCTIONS;
	info->unified_offset = tpu->layout.unified_offset;
	if (tpu->layout.unified_offset % PAGE_SIZE == 0)
		info->weights_size = tpu->layout.weights_size;
	if (tpu->layout.unified_size % PAGE_SIZE == 0)
		info->unified_size = tpu->layout.unified_size;
	return 0;
}

static void free_tinytpu(struct kref *ref)
{
	kfree(container_of(ref, struct tinytpu, ref));
}

void tinytpu_put(void *tpu)
{
	kref_put(&((struct tinytpu *)tpu)->ref, free_tinytpu);
}

static struct tinytpu *create(struct platform_device *pdev)
{
	struct tinytpu *tpu = kzalloc(sizeof(*tpu), GFP_KERNEL);
	int error;

	if (!tpu)
		return ERR_PTR(-ENOMEM);
	kref_init(&tpu->ref);
	mutex_init(&tpu->lock);
	spin_lock_init(&tpu->run_lock);
	init_waitqueue_head(&tpu->wait);
	INIT_LIST_HEAD(&tpu->waiters);
	tpu->dev = &pdev->dev;
	error = devm_add_action_or_reset(&pdev->dev, tinytpu_put, tpu);
	return error ? ERR_PTR(error) : tpu;
}

static int make_visible(struct tinytpu *tpu)
{
	int error;

	tpu->number = ida_alloc(&numbers, GFP_KERNEL);
	if (tpu->number < 0)
		return tpu->number;
	snprintf(tpu->name, sizeof(tpu->name), "tinytpu%d", tpu->number);
	tpu->misc.minor = MISC_DYNAMIC_MINOR;
	tpu->misc.name = tpu->name;
	tpu->misc.fops = &tinytpu_fops;
	tpu->misc.parent = tpu->dev;
	tpu->misc.groups = tinytpu_groups;
	error = misc_register(&tpu->misc);
	if (error)
		ida_free(&numbers, tpu->number);
	return error;
}

static int tinytpu_probe(struct platform_device *pdev)
{
	struct tinytpu *tpu = create(pdev);
	struct resource *window;
	int error;

	if (IS_ERR(tpu))
		return PTR_ERR(tpu);
	tpu->window = devm_platform_get_and_ioremap_resource(pdev, 0, &window);
	if (IS_ERR(tpu->window))
		return PTR_ERR(tpu->window);
	tpu->start = window->start;
	error = read_sizes(tpu, resource_size(window));
	if (error)
		return error;
	tpu->irq = platform_get_irq(pdev, 0);
	if (tpu->irq < 0)
		return tpu->irq;
	error = devm_request_irq(&pdev->dev, tpu->irq, tinytpu_interrupt, 0, "tinytpu", tpu);
	if (error)
		return error;
	error = bring_to_rest(tpu);
	if (error)
		return error;
	error = make_visible(tpu);
	if (error)
		return error;
	platform_set_drvdata(pdev, tpu);
	dev_info(&pdev->dev, "%s: %u x %u, %u weight rows, %u buffer rows\n", tpu->name,
		 tpu->info.matrix_width, tpu->info.matrix_width, tpu->info.weight_buffer_depth,
		 tpu->info.unified_buffer_depth);
	return 0;
}

/* Files may stay open: they get ENODEV from here on. The program under way is let run to its end.
 */
static void tinytpu_remove(struct platform_device *pdev)
{
	struct tinytpu *tpu = platform_get_drvdata(pdev);

	misc_deregister(&tpu->misc);
	ida_free(&numbers, tpu->number);
	mutex_lock(&tpu->lock);
	WRITE_ONCE(tpu->gone, true);
	tinytpu_disown(tpu);
	mutex_unlock(&tpu->lock);
	wake_up_all(&tpu->wait);
	if (!wait_for_rest(tpu))
		dev_err(&pdev->dev, "a program did not end\n");
}

static const struct of_device_id tinytpu_ids[] = { { .compatible = "jofrfu,tinytpu" }, {} };
MODULE_DEVICE_TABLE(of, tinytpu_ids);

struct platform_driver tinytpu_driver = {
	.probe = tinytpu_probe,
	.remove = tinytpu_remove,
	.driver = {
		.name = "tinytpu",
		.of_match_table = tinytpu_ids,
	},
};
