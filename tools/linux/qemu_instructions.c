// A plugin for QEMU's system emulation that counts the instructions a guest has executed, and prints the number to standard
// error when QEMU ends. The functions are those of QEMU's plugin API, version 1 (qemu-plugin.h), which no package of Debian 12
// has as a header.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, int operation, void *counter,
						uint64_t operand);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id, void *), void *context);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

enum { ADD = 0 };
static uint64_t executed;

static void count(plugin_id id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i)
		qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_tb_get_insn(block, i), ADD, &executed, 1);
}

static void print(plugin_id id, void *context)
{
	(void)id;
	(void)context;
	fprintf(stderr, "instructions %" PRIu64 "\n", executed);
}

EXPORTED int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, count);
	qemu_plugin_register_atexit_cb(id, print, NULL);
	return 0;
}
