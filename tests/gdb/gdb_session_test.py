"""Debian's gdb-multiarch, scripted, at a machine."""
import os
import re
import subprocess
import tempfile
import unittest

from machine import Machine, PROGRAM, firmware, simulated_time

GDB = os.environ['GDB_MULTIARCH']
TPU_LOWER = 0x43c90004  # where drivers write the first word of an instruction


def gdb(program, commands):
    """Runs the commands, each announced by a line '> command'. Returns what each printed."""
    with tempfile.NamedTemporaryFile('w', suffix='.gdb') as script:
        script.write('set pagination off\nset confirm off\nset width 0\n')
        for command in commands:
            script.write('echo > %s\\n\n%s\n' % (command, command))
        script.flush()
        done = subprocess.run([GDB, '-nx', '-batch', '-x', script.name, firmware(program)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240)
    pieces = re.split(r'^> (.*)\n', done.stdout, flags=re.M)
    printed = [piece.strip() for piece in pieces[2::2]]
    assert len(printed) == len(commands), done.stdout
    return printed


def time_and_instructions(text):
    found = re.search(r'\(([\d,]+) ps\).* ([\d,]+) instructions', text)
    return tuple(int(number.replace(',', '')) for number in found.groups())


class GdbSession(unittest.TestCase):
    def time_of(self, program, instructions):
        """Of so many instructions in a run that nobody looks at."""
        with tempfile.NamedTemporaryFile() as figures:
            subprocess.run([PROGRAM, 'run', '-q', '--stats', figures.name, '--max-instructions', str(instructions),
                            firmware(program)], stdin=subprocess.DEVNULL, capture_output=True)
            return simulated_time(figures.name)

    def test_a_driver_writers_session_with_the_digits(self):
        with Machine('-q', firmware('digits64')) as machine:
            commands = ['target extended-remote 127.0.0.1:%d' % machine.port,
                        'break main', 'continue', 'info registers pc mstatus priv', 'info threads',
                        'awatch *(unsigned int *) %#x' % TPU_LOWER, 'continue', 'monitor queue tpu', 'monitor irq',
                        'monitor regs plic', 'delete 2', 'monitor time', 'stepi 1000', 'monitor time',
                        "watch 'digits.c'::outputs[0]", 'continue', 'delete 3', 'tbreak judge', 'continue', 'backtrace',
                        "print 'digits.c'::outputs[0] = 'digits.c'::outputs[0] ^ 255", 'continue',
                        'delete', 'run']
            printed = dict()
            for command, text in zip(commands, gdb('digits64', commands)):
                printed.setdefault(command, []).append(text)
            code, out, error = machine.end()
        everything = '\n'.join('%s -> %s' % item for item in printed.items())
        self.assertIn('Breakpoint 1, main', printed['continue'][0], everything)
        self.assertIn('priv', printed['info registers pc mstatus priv'][0], everything)
        self.assertIn('in machine mode at', printed['info threads'][0], everything)
        self.assertIn('Hardware access (read/write) watchpoint 2', printed['continue'][1], everything)
        self.assertIn('tpu: lane 0 has 1 word without the others', printed['monitor queue tpu'][0], everything)
        self.assertIn('systolic array: free', printed['monitor queue tpu'][0], everything)
        self.assertIn('plic 1', printed['monitor irq'][0], everything)
        self.assertIn('PRIORITY[1]  0x00000001', printed['monitor regs plic'][0], everything)
        before, after = (time_and_instructions(text) for text in printed['monitor time'])
        self.assertEqual(after[1], before[1] + 1000, everything)
        for when, instructions in (before, after):
            self.assertEqual(when, self.time_of('digits64', instructions), everything)
        self.assertIn('Old value = 0', printed['continue'][2], everything)
        self.assertIn('judge (', printed['continue'][3], everything)
        self.assertIn('#1', printed['backtrace'][0], everything)
        self.assertIn('exited with code 01', printed['continue'][4], everything)
        self.assertIn('exited normally', printed['run'][0], everything)
        self.assertEqual(code, 0, error)
        self.assertEqual(re.findall('digits: (.*)', out), ['FAILED', 'passed'])

    def test_a_32_bit_hart_on_the_debuggers_own_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            console = os.path.join(folder, 'console')
            machine = '%s run -q --gdb stdio --gdb-wait --uart-input= --uart-output %s %s' % (PROGRAM, console,
                                                                                              firmware('hello32'))
            printed = gdb('hello32', ['target remote | ' + machine, 'hbreak main', 'continue', 'info registers mstatus misa',
                                      'stepi', 'continue'])
            with open(console) as file:
                said = file.read()
        everything = '\n'.join(printed)
        self.assertIn('main', printed[2], everything)
        self.assertIn('misa', printed[3], everything)
        self.assertIn('goodbye', said, everything)

    def test_floating_point_registers_are_read_and_written(self):
        for width in (32, 64):
            machine = '%s run -q --gdb stdio --gdb-wait --uart-input= --set cpu.isa=rv%dgc %s' % (
                PROGRAM, width, firmware('hello%d' % width))
            printed = gdb('hello%d' % width, ['target remote | ' + machine, 'print $fa0.double = 1.5', 'print/x $fa0',
                                              'print $ft0.float = 0.25', 'print/x $ft0.float', 'print $frm = 3',
                                              'print/x $fcsr', 'info registers float', 'kill'])
            everything = '\n'.join(printed)
            self.assertIn('= 1.5', printed[1], everything)
            self.assertIn('0x3ff8000000000000', printed[2], everything)
            self.assertIn('= 0.25', printed[3], everything)
            self.assertIn('= 3', printed[5], everything)
            self.assertIn('0x60', printed[6], everything)
            self.assertIn('ft11', printed[7], everything)


if __name__ == '__main__':
    unittest.main()
