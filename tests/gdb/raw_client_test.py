"""A machine under a debugger that uses no more of the protocol than it has to."""
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from machine import Client, Machine, PROGRAM, firmware, simulated_time, statistics, symbol

TPU_LOWER = 0x43c90004  # where drivers write the first word of an instruction


class RawClient(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def plain_run(self, *arguments):
        return subprocess.run([PROGRAM, 'run', *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def debugged(self, *arguments, wait=True):
        machine = Machine(*arguments, wait=wait)
        self.addCleanup(machine.stop)
        client = Client(machine)
        self.addCleanup(client.close)
        return machine, client

    def test_each_of_a_thousand_steps_takes_the_time_and_the_way_of_a_run_that_nobody_looks_at(self):
        trace, functional = self.path('trace'), 'fidelity=functional'
        self.plain_run('-q', '--set', functional, '--trace', trace, '--max-instructions', '3000', firmware('digits64'))
        with open(trace) as file:
            lines = [line.split() for line in file]
        way = [(round(float(words[0]) * 1000), int(words[2], 16)) for words in lines if 'trap' not in words]
        _, client = self.debugged('--set', functional, firmware('digits64'))
        for number, (when, where) in enumerate(way[:1001]):
            self.assertEqual((client.pc(), client.time()), (where, (when, number)))
            self.assertTrue(client.ask('s').startswith('T05'))

    def test_a_thousand_steps_take_the_time_of_a_thousand_instructions_with_caches_and_occupied_links_too(self):
        figures = self.path('figures')
        self.plain_run('-q', '--stats', figures, '--max-instructions', '1000', firmware('digits64'))
        _, client = self.debugged(firmware('digits64'))
        for _ in range(1000):
            self.assertTrue(client.ask('s').startswith('T05'))
        self.assertEqual(client.time(), (simulated_time(figures), 1000))

    def test_a_run_that_was_stopped_a_hundred_times_has_the_figures_of_one_that_was_not(self):
        program = firmware('digits64')
        self.assertEqual(self.plain_run('-q', '--stats', self.path('plain'), program).returncode, 0)
        machine, client = self.debugged('-q', '--stats', self.path('stopped'), program)
        dice = random.Random(14)
        push = 'Z2,%x,4' % TPU_LOWER
        self.assertEqual(client.ask(push), 'OK')
        for number in range(100):
            kind = dice.randrange(4)
            if kind == 0:
                self.assertIn('watch:%x;' % TPU_LOWER, client.ask('c'))
            elif kind == 1:
                for _ in range(dice.randrange(1, 20)):
                    self.assertTrue(client.ask('s').startswith('T05'))
            elif kind == 2:
                client.monitor(dice.choice(['queue', 'irq', 'hazards', 'regs tpu', 'regs plic', 'time', 'info parts']))
            else:
                client.raw(b'$c#63\x03')
                self.assertRegex(client.answer(), '^T0[25]')
        client.ask(push.replace('Z', 'z'))
        self.assertEqual(client.ask('c'), 'W00')
        self.assertEqual(machine.end()[0], 0)
        plain, stopped = statistics(self.path('plain')), statistics(self.path('stopped'))
        self.assertGreater(len(plain), 100)
        self.assertEqual(plain, stopped)

    def test_a_watchpoint_on_a_device_stops_behind_the_store_and_before_the_next_instruction(self):
        _, client = self.debugged(firmware('digits64'))
        self.assertEqual(client.ask('Z2,%x,4' % TPU_LOWER), 'OK')
        self.assertIn('watch:%x;' % TPU_LOWER, client.ask('c'))
        behind = client.pc()
        store = bytes.fromhex(client.ask('m%x,4' % (behind - 4)))
        compressed = int.from_bytes(store[2:], 'little')
        whole = int.from_bytes(store, 'little')
        self.assertTrue(whole & 0x7f == 0x23 or compressed & 0xe003 == 0xc000, hex(whole))
        self.assertIn('lane 0 has 1 word without the others', client.monitor('queue tpu'))

    def test_an_interrupt_stops_a_busy_machine_and_a_sleeping_one_at_once(self):
        for program in ('storm64', 'digits64'):
            _, client = self.debugged(firmware(program))
            since = time.time()
            self.assertRegex(client.interrupt_after(0.001), '^(T02|W00)')
            self.assertLess(time.time() - since, 5)

    def test_an_interrupt_stops_a_cpu_that_sleeps_until_somebody_types(self):
        _, client = self.debugged('--serial', 'uart0=pty', firmware('hello64'))
        client.ask('Z0,%x,2' % symbol('hello64', 'main'))
        client.ask('c')
        main = client.pc()
        client.ask('z0,%x,2' % main)

        def write_register(number, value):
            self.assertEqual(client.ask('P%x=%s' % (number, value.to_bytes(8, 'little').hex())), 'OK')

        # IER of the UART; priority and enable of its line in the PLIC
        for address, value, store in ((0x10000001, 1, '23806200'), (0xc000028, 1, '23a06200'),
                                      (0xc002000, 1 << 10, '23a06200')):
            client.ask('M%x,4:%s' % (main, store))  # sb or sw x6, 0(x5)
            write_register(5, address)
            write_register(6, value)
            write_register(32, main)
            client.ask('s')
        write_register(65 + 0x304, 1 << 11)  # mie: external
        client.ask('M%x,4:73005010' % main)  # wfi
        write_register(32, main)
        since = time.time()
        why = client.interrupt_after(0.3)
        self.assertTrue(why.startswith('T02'), why)
        self.assertLess(time.time() - since, 5)
        self.assertEqual(client.pc(), main + 4)
        self.assertIn('asleep in wfi', client.monitor('irq'))

    def test_a_trace_pauses_and_goes_on(self):
        machine, client = self.debugged('--trace', self.path('trace'), firmware('hello64'))
        first = client.pc()
        for command, steps in (('trace off', 10), ('trace on', 5), ('trace off', 7)):
            client.monitor(command)
            for _ in range(steps):
                client.ask('s')
        client.send('k')
        machine.end()
        with open(self.path('trace')) as trace:
            lines = trace.readlines()
        self.assertEqual(len(lines), 5)
        self.assertNotIn('%x' % first, lines[0])

    def test_bytes_that_mean_nothing_to_a_running_machine_make_it_pass_no_breakpoint(self):
        def many_hits(noise):
            _, client = self.debugged(firmware('digits64'))
            first = symbol('digits64', 'memcpy')
            for address in range(first, first + 128, 2):  # on every instruction
                client.ask('Z0,%x,2' % address)
            quiet = threading.Event()

            def make_noise():
                while not quiet.is_set():
                    client.raw(b'+')

            speaker = threading.Thread(target=make_noise) if noise else None
            if speaker:
                speaker.start()
            try:
                for _ in range(3000):
                    client.send('c')
                    self.assertTrue(client.answer().startswith('T05'))
            finally:
                quiet.set()
                if speaker:
                    speaker.join()
            return client.time()

        self.assertEqual(many_hits(noise=False), many_hits(noise=True))

    def test_a_client_may_detach_and_attach_again(self):
        machine, client = self.debugged('-q', firmware('digits64'), wait=False)
        main = symbol('digits64', 'main')
        self.assertTrue(client.ask('?').startswith('T05'))
        self.assertEqual(client.ask('Z0,%x,2' % main), 'OK')
        self.assertEqual(client.ask('D'), 'OK')
        client.close()
        again = Client(machine)
        self.addCleanup(again.close)
        try:
            self.assertTrue(again.ask('?').startswith('T05'))
            self.assertEqual(again.ask('c'), 'W00')
        except ConnectionError:
            pass  # the program has ended meanwhile
        self.assertEqual(machine.end()[0], 0)

    def test_a_program_can_be_started_again_and_once_more_after_its_end(self):
        machine, client = self.debugged('-q', firmware('hello64'))
        self.assertEqual(client.ask('!'), 'OK')
        first, main = client.pc(), symbol('hello64', 'main')
        self.assertEqual(client.ask('Z1,%x,2' % main), 'OK')
        self.assertTrue(client.ask('c').startswith('T05'))
        self.assertEqual(client.pc(), main)
        client.send('R00')
        self.assertTrue(client.ask('?').startswith('T05'))
        self.assertEqual(client.pc(), first)
        self.assertTrue(client.ask('c').startswith('T05'))
        self.assertEqual(client.pc(), main)
        client.ask('z1,%x,2' % main)
        self.assertEqual(client.ask('c'), 'W00')
        self.assertTrue(client.ask('vRun;').startswith('T05'))
        self.assertEqual(client.pc(), first)
        self.assertEqual(client.ask('c'), 'W00')
        client.send('D')
        code, out, _ = machine.end()
        self.assertEqual(code, 0)
        self.assertEqual(out.count('goodbye'), 2)

    def test_what_is_written_counts(self):
        machine, client = self.debugged('-q', firmware('digits64'))
        judge = symbol('digits64', 'main')
        client.ask('Z0,%x,2' % judge)
        self.assertTrue(client.ask('c').startswith('T05'))
        self.assertEqual(client.ask('z0,%x,2' % judge), 'OK')
        pc = client.pc()
        ret = '8280'  # c.jr ra
        self.assertEqual(client.ask('M%x,2:%s' % (pc, ret)), 'OK')
        self.assertEqual(client.ask('P%x=%s' % (10, (7).to_bytes(8, 'little').hex())), 'OK')
        self.assertEqual(client.ask('c'), 'W07')
        self.assertEqual(machine.end()[0], 7)

    def test_a_bad_end_is_a_signal_with_its_diagnosis_at_the_place_of_the_fault(self):
        machine, client = self.debugged('-q', firmware('hello64'))
        nowhere = 0x44000000
        client.ask('P%x=%s' % (65 + 0x305, bytes(8).hex()))  # mtvec: no handler
        client.ask('P20=%s' % nowhere.to_bytes(8, 'little').hex())
        self.assertTrue(client.ask('c').startswith('T0b'))
        self.assertIn('a trap that nobody handles: instruction access fault at pc 0x44000000', client.console)
        self.assertEqual(len(client.ask('g')), 33 * 16)
        self.assertEqual(client.register(65 + 0x343), nowhere)  # mtval
        self.assertEqual(client.ask('c'), 'X0b')
        code, _, error = machine.end()
        self.assertEqual(code, 3)
        self.assertIn('a trap that nobody handles', error)

    def test_sleep_that_nothing_can_end_is_shown_and_can_be_ended(self):
        machine, client = self.debugged('-q', firmware('hello64'))
        main = symbol('hello64', 'main')
        client.ask('Z0,%x,2' % main)
        client.ask('c')
        client.ask('M%x,4:73005010' % main)  # wfi
        client.ask('P%x=%s' % (65 + 0x304, bytes(8).hex()))  # mie
        self.assertTrue(client.ask('c').startswith('T06'))
        self.assertIn('but nothing can raise one', client.console)
        self.assertIn('asleep in wfi', client.monitor('irq'))
        self.assertEqual(client.ask('c'), 'X06')
        self.assertEqual(machine.end()[0], 3)

    def test_killing_ends_the_run(self):
        machine, client = self.debugged(firmware('digits64'))
        client.send('k')
        code, _, error = machine.end()
        self.assertEqual(code, 130)
        self.assertIn('the debugger ended the run', error)

    def test_a_client_that_vanishes_leaves_the_run_to_its_end(self):
        machine, client = self.debugged('-q', firmware('hello64'))
        client.ask('Z0,%x,2' % symbol('hello64', 'main'))
        client.ask('s')
        client.raw(b'$m80000000')
        client.close()
        self.assertEqual(machine.end()[0], 0)

    def test_a_run_that_waits_for_a_debugger_can_be_interrupted(self):
        machine = Machine(firmware('hello64'))
        with machine:
            time.sleep(0.1)
            machine.process.send_signal(signal.SIGINT)
            self.assertEqual(machine.end()[0], 130)

    def test_the_limit_of_wall_clock_time_stands_still_with_the_machine(self):
        machine, client = self.debugged('-q', '--timeout', '1s', '--max-time', '100us', firmware('storm64'))
        time.sleep(1.5)
        self.assertEqual(client.ask('c'), 'X18')
        code, _, error = machine.end()
        self.assertEqual(code, 4)
        self.assertIn('simulated time', error)

    def test_a_client_that_sends_rubbish_gets_a_machine_that_still_answers(self):
        machine, client = self.debugged('-q', firmware('hello64'))
        dice = random.Random(15)
        rubbish = bytes(dice.choices(b'$#}+-\x03mgpZ0123456789abef,:;', k=200_000))
        client.raw(rubbish)
        client.close()
        again = Client(machine)
        self.addCleanup(again.close)
        self.assertTrue(again.ask('?').startswith('T05'))
        self.assertEqual(again.ask('c'), 'W00')
        self.assertEqual(machine.end()[0], 0)


if __name__ == '__main__':
    unittest.main()
