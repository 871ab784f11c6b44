// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings of the weight buffer and the unified buffer. Never of the instruction words: a word that
 * is written once too often holds the whole port for ever, and there is no reset register. Pages
 * are put in when the owner touches them and taken away with the device.
 */
#include <linux/pfn.h>
#include <linux/pgtable.h>

#include "tinytpu.h"

/* Pages that a fault puts in at once: faults are dear, buffers are written from one end to the
 * other.
 */
enum { FAULT_AROUND = 64 };

static bool inside(u64 offset, u64 bytes, u64 region, u64 region_bytes)
{
	return offset >= region && bytes <= region_bytes && offset - region <= region_bytes - bytes;
}

static vm_fault_t tinytpu_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct tinytpu_client *client = vma->vm_private_data;
	struct tinytpu *tpu = client->tpu;
	unsigned long first = vmf->address & ~(FAULT_AROUND * PAGE_SIZE - 1), end, address;
	vm_fault_t result = VM_FAULT_SIGBUS;

	first = max(first, vma->vm_start);
	end = min(first + FAULT_AROUND * PAGE_SIZE, vma->vm_end);
	mutex_lock(&tpu->lock);
	if (!tpu->gone && tpu->owner == client) {
		for (address = first; address < end; address += PAGE_SIZE) {
			vm_fault_t one;

			one = vmf_insert_pfn(vma, address,
					     PHYS_PFN(tpu->start) + vma->vm_pgoff +
						     ((address - vma->vm_start) >> PAGE_SHIFT));
			if (address == vmf->address)
				result = one;
			if (one & VM_FAULT_ERROR)
				break;
		}
	}
	mutex_unlock(&tpu->lock);
	return result;
}

static const struct vm_operations_struct tinytpu_vm_ops = {
	.fault = tinytpu_fault,
};

int tinytpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct tinytpu_client *client = file->private_data;
	struct tinytpu *tpu = client->tpu;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, bytes = vma->vm_end - vma->vm_start;
	const struct tinytpu_ioc_info *info = &tpu->info;
	int error = 0;

	if (!inside(offset, bytes, info->weights_offset, PAGE_ALIGN(info->weights_size)) &&
	    !inside(offset, bytes, info->unified_offset, info->unified_size))
		return -EINVAL;
	if (!(vma->vm_flags & VM_SHARED) || (vma->vm_flags & VM_EXEC))
		return -EINVAL;
	if (mutex_lock_interruptible(&tpu->lock))
		return -ERESTARTSYS;
	if (tpu->gone)
		error = -ENODEV;
	else if (tpu->owner != client)
		error = client->revoked ? -ESTALE : -EPERM;
	mutex_unlock(&tpu->lock);
	if (error)
		return error;
	/* No copy for a child: who forks keeps the mapping, the child has the file. */
	vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
		     VM_MAYEXEC);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vma->vm_private_data = client;
	vma->vm_ops = &tinytpu_vm_ops;
	return 0;
}

void tinytpu_zap(struct tinytpu_client *client)
{
	/* Other clients may share the file's address space, but only the owner has pages in it. */
	unmap_mapping_range(client->file->f_mapping, 0, 0, 1);
}
