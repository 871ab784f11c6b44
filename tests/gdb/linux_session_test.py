"""A debugger at Debian's kernel: it sees the kernel's virtual addresses. Exit code 77: there is no kernel, and why."""
import os
import sys
import unittest

from machine import Client, Machine

FOLDER = os.environ['LINUX_FOLDER']
IMAGE = os.path.join(FOLDER, 'debian', 'Image')
INITRD = os.path.join(FOLDER, 'test.cpio')
BASE = 0xffffffff80000000  # where the kernel's image stands in its own addresses
FIRST_CSR, MODE = 65, 65 + 4096  # numbers of registers in GDB
SATP = 0x180
MACHINE_MODE = 3


class LinuxSession(unittest.TestCase):
    def stop_in_the_kernel(self, client):
        """Stops the boot once the kernel runs at its own addresses."""
        for _ in range(60):
            client.interrupt_after(0.5)
            if client.pc() >= BASE and client.register(MODE) != MACHINE_MODE and client.register(FIRST_CSR + SATP):
                return
        self.fail('the kernel does not run at its addresses: pc %#x' % client.pc())

    def memory(self, client, address, size):
        answer = client.ask('m%x,%x' % (address, size))
        return answer if answer.startswith('E') else bytes.fromhex(answer)

    def test_memory_steps_and_breakpoints_are_at_the_kernels_addresses(self):
        with open(IMAGE, 'rb') as file:
            image = file.read()
        banner = image.index(b'Linux version ')
        options = ['-q', '--linux', IMAGE, '--initrd', INITRD, '--append', 'console=ttyS0 quiet run=/bin/true',
                   '--set', 'fidelity=functional', '--set', 'dram0.size=128MiB', '--set', 'dram1.present=false']
        with Machine(*options) as machine:
            client = Client(machine)
            client.ask('?')
            self.stop_in_the_kernel(client)
            self.assertEqual(self.memory(client, BASE + banner, 64), image[banner:banner + 64])
            # Over the border of two pages, and where nothing is mapped.
            border = (banner & ~0xfff) + 0x1000
            self.assertEqual(self.memory(client, BASE + border - 8, 16), image[border - 8:border + 8])
            self.assertTrue(self.memory(client, 0x1000, 4).startswith('E'))
            # A step, before which an interrupt may be one of its own; and a breakpoint where it led to.
            before = client.time()[1]
            while client.time()[1] == before:
                client.ask('s')
            self.assertEqual(client.time()[1], before + 1)
            place = client.pc()
            self.assertEqual(client.ask('Z0,%x,4' % place), 'OK')
            client.send('c')
            answer = client.answer()
            if not answer.startswith('W00'):  # it was never there again
                self.assertTrue(answer.startswith('T05'), answer)
                self.assertEqual(client.pc(), place)
            client.close()


if __name__ == '__main__':
    missing = [name for name in (IMAGE, INITRD) if not os.path.exists(name)]
    if missing:
        print('there is no %s: ./run-tests makes it' % missing[0])
        sys.exit(77)
    unittest.main()
