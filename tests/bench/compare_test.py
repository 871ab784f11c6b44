#!/usr/bin/env python3
"""Tests of tests/bench/compare without a clock: medians, tables and refusals, with stand-ins for the simulators."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("compare", os.path.join(FOLDER, "compare"))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
loader.exec_module(compare)

# Both end with the checksum of the integer and the floating-point programs as their exit code.
OURS = """#!/bin/sh
[ "$1" = --version ] && { echo "tinytpu-vp 9.9"; echo "cpu.jit: auto"; exit 0; }
while [ $# -gt 0 ]; do [ "$1" = --stats ] && file=$2; last=$1; shift; done
echo '{"groups":{"cpu":{"values":{"instructions":{"value":2000000}}}}}' > "$file"
case $last in */int*) exit 134 ;; */float*) exit 52 ;; esac
"""
QEMU = """#!/bin/sh
[ "$1" = --version ] && { echo "QEMU emulator version 0.1"; exit 0; }
echo "$*" >> "$(dirname "$0")/calls"
case "$*" in */int*) exit 134 ;; */float*) exit 52 ;; esac
"""
FAILING_QEMU = """#!/bin/sh
[ "$1" = --version ] && exit 0
echo 'no such machine' >&2
exit 1
"""


def samples(functional, timed, icount, plain, name="int64"):
    result = compare.Samples()
    for simulator, values in zip(("functional", "timed", "icount", "plain"), (functional, timed, icount, plain)):
        for seconds in values:
            result.add(name, simulator, seconds, 1000000 if simulator in compare.OURS else None)
    return result


class Figures(unittest.TestCase):
    def test_a_cell_is_the_median_with_least_and_greatest(self):
        self.assertEqual(compare.spread([3.0, 1.0, 2.0, 9.0, 2.5], lambda value: f"{value:.1f}"), "2.5 (1.0 to 9.0)")
        self.assertEqual(compare.spread([3.0], lambda value: f"{value:.1f}"), "3.0")

    def test_ratios_are_taken_within_a_round(self):
        # A host that gets four times slower in the second round changes no ratio.
        got = samples([1, 4], [2, 8], [2, 8], [0.5, 2]).ratios("int64", "functional", "icount")
        self.assertEqual(got, [2, 2])

    def test_qemu_carries_out_the_same_instructions_but_in_a_boot_nobody_knows(self):
        self.assertEqual(samples([2], [2], [4], [1]).speed("int64", "icount"), 0.25)
        self.assertIsNone(samples([2], [2], [4], [1], "Debian").speed("Debian", "icount"))

    def test_tables_have_a_line_a_program_and_a_column_a_simulator(self):
        times, ratios = compare.tables(["int64"], samples([2], [4], [4], [1])).split("\n\n")
        self.assertEqual(times.splitlines()[2], "| int64 | 1.0 million | 2.00 s, 0 MIPS | 4.00 s, 0 MIPS | "
                                                "4.00 s, 0 MIPS | 1.00 s, 1 MIPS |")
        self.assertEqual(ratios.splitlines()[2], "| int64 | 2.00 | 0.50 | 1.00 |")
        for line in times.splitlines():
            self.assertEqual(line.count("|"), 7)


class Command(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.build = self.temporary.name
        os.makedirs(f"{self.build}/bin")
        self.write("tinytpu-vp", OURS)
        for width in "32", "64":
            self.write(f"bin/qemu-system-riscv{width}", QEMU)
        for name in "int32", "int64", "float64", "mmio64":
            self.write(f"tests/bench/riscv-mips/{name}.elf", "")

    def write(self, name, text):
        path = f"{self.build}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run_it(self, *words, path=None):
        environment = {**os.environ, "PATH": path or f"{self.build}/bin:/usr/bin:/bin"}
        return subprocess.run([sys.executable, f"{FOLDER}/compare", "--build", self.build, "--linux", self.build,
                               *words], capture_output=True, text=True, env=environment, check=False)

    def expect_refused(self, done, part):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(part, done.stderr)

    def test_it_says_what_the_host_is_and_runs_all_in_turn(self):
        done = self.run_it("--rounds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Host: ", done.stdout)
        self.assertIn("Programs: tinytpu-vp 9.9, cpu.jit: auto; QEMU emulator version 0.1.", done.stdout)
        self.assertIn("| mmio64 | 2.0 million |", done.stdout)
        self.assertIn("so Debian cannot be booted", done.stderr)
        with open(f"{self.build}/bin/calls", encoding="utf-8") as file:
            calls = [("-icount" in line, line.split("/")[-1].strip()) for line in file]
        turn = [(icount, f"{name}.elf") for name in ("int32", "int64", "float64", "mmio64") for icount in (True, False)]
        self.assertEqual(calls, turn * 2)

    def test_what_is_missing_is_one_sentence(self):
        self.expect_refused(self.run_it("--programs", "int64", path="/nowhere"), "qemu-system-riscv64 is not installed")
        self.expect_refused(self.run_it("--programs", "mmio32"), "mmio32.elf: 'cmake --build")
        self.expect_refused(self.run_it("--programs", "Debian"), "./run-linux sets it up")
        self.expect_refused(self.run_it("--programs", "int128"), "'int128' is none of")
        os.remove(f"{self.build}/tinytpu-vp")
        self.expect_refused(self.run_it(), "tinytpu-vp: 'cmake --build")

    def test_a_run_that_fails_is_told_with_its_last_words(self):
        self.write("bin/qemu-system-riscv64", FAILING_QEMU)
        done = self.run_it("--programs", "int64", "--rounds", "1")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("ended with exit code 1 instead of 134: no such machine", done.stderr)


if __name__ == "__main__":
    unittest.main()
