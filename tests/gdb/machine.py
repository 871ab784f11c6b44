"""Starts the program under test with a port for debuggers, and speaks the remote protocol to it in plain words."""
import json
import os
import re
import socket
import subprocess
import tempfile
import time

PROGRAM = os.environ['PROGRAM_UNDER_TEST']
FIRMWARE = os.environ['FIRMWARE_FOLDER']
PATIENCE = 120  # seconds


def firmware(name):
    return os.path.join(FIRMWARE, name + '.elf')


class Machine:
    """A run with --gdb 0; as a context it is killed at the end if it has not ended."""

    def __init__(self, *arguments, wait=True):
        self.output = tempfile.TemporaryFile('w+')
        words = [PROGRAM, 'run', '--gdb=0'] + (['--gdb-wait'] if wait else []) + list(arguments)
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.PIPE,
                                        text=True)
        self.said = ''
        while True:
            line = self.process.stderr.readline()
            self.said += line
            found = re.match(r'gdb: listening on 127\.0\.0\.1:(\d+)', line)
            if found:
                self.port = int(found.group(1))
                break
            if not line:
                raise RuntimeError('it did not listen: ' + self.said)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.output.close()

    def end(self):
        """Waits for its end. Returns exit code, standard output and standard error."""
        _, error = self.process.communicate(timeout=PATIENCE)
        self.output.seek(0)
        return self.process.returncode, self.output.read(), self.said + error


class Client:
    """A debugger that sends packets and acknowledges answers."""

    def __init__(self, machine):
        self.socket = socket.create_connection(('127.0.0.1', machine.port), PATIENCE)
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # acknowledgements are small
        self.file = self.socket.makefile('rb')
        self.console = ''

    def close(self):
        self.file.close()
        self.socket.close()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, payload):
        data = payload.encode('latin-1')
        self.raw(b'$' + data + b'#%02x' % (sum(data) % 256))

    def answer(self):
        """The next packet; text for the console is put aside."""
        while True:
            byte = self.file.read(1)
            if not byte:
                raise ConnectionError('the machine has gone')
            if byte != b'$':
                continue
            payload = b''
            while True:
                byte = self.file.read(1)
                if byte == b'#':
                    break
                payload += byte
            assert int(self.file.read(2), 16) == sum(payload) % 256
            self.raw(b'+')
            text = re.sub(rb'}(.)', lambda found: bytes([found.group(1)[0] ^ 0x20]), payload, flags=re.S).decode('latin-1')
            if re.fullmatch(r'O([0-9a-f]{2})+', text):
                self.console += bytes.fromhex(text[1:]).decode()
                continue
            return text

    def ask(self, payload):
        self.send(payload)
        return self.answer()

    def monitor(self, command):
        self.console = ''
        answer = self.ask('qRcmd,' + command.encode().hex())
        assert answer == 'OK', answer
        return self.console

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask('p%x' % number)), 'little')

    def pc(self):
        return self.register(32)

    def time(self):
        """Simulated picoseconds, and instructions."""
        found = re.search(r'\(([\d,]+) ps\).* ([\d,]+) instructions', self.monitor('time'))
        return tuple(int(text.replace(',', '')) for text in found.groups())

    def interrupt_after(self, seconds):
        """Lets the machine run for a while. Returns why it stopped."""
        self.send('c')
        time.sleep(seconds)
        self.raw(b'\x03')
        return self.answer()


def symbol(program, name):
    """Address of a function or variable."""
    listing = subprocess.run(['readelf', '-sW', firmware(program)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        words = line.split()
        if len(words) == 8 and words[7] == name:
            return int(words[1], 16)
    raise KeyError(name)


def statistics(path):
    """All figures of a run that are the same in every run."""
    figures = {}

    def walk(group, name):
        for key, value in group.get('values', {}).items():
            if not value.get('volatile'):
                figures[name + key] = value['value']
        for key, below in group.get('groups', {}).items():
            walk(below, name + key + '.')

    with open(path) as file:
        walk(json.load(file), '')
    return {name: value for name, value in figures.items() if not name.startswith('configuration.')}


def simulated_time(path):
    """Of a run, in picoseconds."""
    with open(path) as file:
        return json.load(file)['groups']['run']['values']['simulated_time']['value']
