// SPDX-License-Identifier: GPL-2.0
/* tinyTPU accelerators behind /dev/tinytpuN: see tinytpu_uapi.h. */
#include <linux/module.h>

#include "tinytpu.h"

unsigned int tinytpu_lease_ms = 10000;
module_param_named(lease_ms, tinytpu_lease_ms, uint, 0644);
MODULE_PARM_DESC(lease_ms,
		 "milliseconds after which an owner loses the device to those who wait; 0: never");

module_platform_driver(tinytpu_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("tinyTPU matrix accelerator");
