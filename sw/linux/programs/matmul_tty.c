// Multiplies two matrices on a MatMul device behind a serial port: matmul_tty [TTY [BAUD [MESH TILE]]]. Sizes and speed
// that are not given are those that the device tree has at the port's node; without it 115200 baud and 2 x 2 tiles of 2
// x 2.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "sw/driver/matmul/matmul_product.h"
#include "sw/driver/matmul/matmul_trial.h"

static const struct {
  uint32_t baud;
  speed_t speed;
} speeds[] = {{9600, B9600},     {19200, B19200},   {38400, B38400},   {57600, B57600},     {115200, B115200},
              {230400, B230400}, {460800, B460800}, {921600, B921600}, {1000000, B1000000}, {2000000, B2000000}};

// Eight data bits, two stop bits (the device needs a clock more than ten bits for a frame), no flow control, nothing
// between the line and the program.
static int set_up(int tty, uint32_t baud) {
  struct termios line;
  if (tcgetattr(tty, &line) != 0) return -errno;
  cfmakeraw(&line);
  line.c_cflag |= CLOCAL | CREAD | CSTOPB;
  line.c_cflag &= ~(tcflag_t)CRTSCTS;
  line.c_cc[VMIN] = 0;
  line.c_cc[VTIME] = 0;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i) {
    if (speeds[i].baud != baud) continue;
    cfsetspeed(&line, speeds[i].speed);
    return tcsetattr(tty, TCSAFLUSH, &line) == 0 ? 0 : -errno;
  }
  return -EINVAL;
}

// The serial port and what a byte takes on it.
struct port {
  int tty;
  uint32_t byte_ns;
};

enum { WAITING_BYTES = 100 };  // that a send may leave behind: the driver's time-outs count from its return

static void wait_for_room(const struct port* port) {
  int waiting = 0;
  while (ioctl(port->tty, TIOCOUTQ, &waiting) == 0 && waiting > WAITING_BYTES) {
    const uint64_t ns = (uint64_t)(waiting - WAITING_BYTES) * port->byte_ns;
    const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    nanosleep(&time, NULL);
  }
}

static void line_send(void* context, const uint8_t* bytes, size_t count) {
  const struct port* port = context;
  while (count > 0) {
    const ssize_t written = write(port->tty, bytes, count);
    if (written < 0 && errno != EINTR) return;  // the answer will not come, which the driver tells
    if (written <= 0) continue;
    bytes += written;
    count -= (size_t)written;
  }
  wait_for_room(port);
}

static size_t line_receive(void* context, uint8_t* bytes, size_t count) {
  const ssize_t got = read(((struct port*)context)->tty, bytes, count);
  return got > 0 ? (size_t)got : 0;
}

static uint64_t line_microseconds(void* context) {
  struct timespec now;
  (void)context;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void line_wait(void* context, uint64_t deadline) {
  struct pollfd entry = {.fd = ((struct port*)context)->tty, .events = POLLIN};
  const uint64_t now = line_microseconds(context);
  if (deadline > now) poll(&entry, 1, (int)((deadline - now) / 1000) + 1);
}

// A cell of the node of the port behind the tty; `otherwise` where there is none.
static uint32_t read_cell(const char* tty, const char* name, uint32_t otherwise) {
  char path[256];
  uint8_t bytes[4];
  const char* base = strrchr(tty, '/');
  snprintf(path, sizeof path, "/sys/class/tty/%s/device/of_node/%s", base != NULL ? base + 1 : tty, name);
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    // Since Linux 6.5 the tty's parent is a port below the controller's device.
    snprintf(path, sizeof path, "/sys/class/tty/%s/device/../../of_node/%s", base != NULL ? base + 1 : tty, name);
    file = fopen(path, "rb");
  }
  if (file == NULL) return otherwise;
  const size_t count = fread(bytes, sizeof bytes, 1, file);
  fclose(file);
  if (count != 1) return otherwise;
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int multiply(struct matmul* device) {
  const struct matmul_shape shape = {ROWS, INNER, COLUMNS};
  fill(a, ROWS * INNER);
  fill(b, INNER * COLUMNS);
  printf("C (%dx%d) = A (%dx%d) * B (%dx%d) on an array of %" PRIu32 "x%" PRIu32 "\n", ROWS, COLUMNS, ROWS, INNER,
         INNER, COLUMNS, device->side, device->side);
  const uint64_t start = line_microseconds(NULL);
  int error = matmul_resynchronise(device);  // whoever used the line before
  if (error == 0) error = matmul_product(device, &shape, a, b, c);
  const uint64_t time = line_microseconds(NULL) - start;
  if (error != 0) {
    printf("matmul: %s\n", strerror(-error));
    return 1;
  }
  const uint32_t wrong = count_wrong();
  printf("%" PRIu64 " us, %d words, %" PRIu32 " wrong\nmatmul: %s\n", time, ROWS * COLUMNS, wrong,
         wrong == 0 ? "passed" : "FAILED");
  return wrong == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "/dev/ttyS1";
  const uint32_t baud = argc > 2 ? (uint32_t)atoi(argv[2]) : read_cell(name, "current-speed", 115200);
  const uint32_t mesh = argc > 4 ? (uint32_t)atoi(argv[3]) : read_cell(name, "matmul,mesh", 2);
  const uint32_t tile = argc > 4 ? (uint32_t)atoi(argv[4]) : read_cell(name, "matmul,tile", 2);
  struct port port = {open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), baud != 0 ? 11 * (1000000000 / baud) : 0};
  int error = port.tty < 0 ? -errno : set_up(port.tty, baud);
  struct matmul device;
  const struct matmul_line line = {&port, line_send, line_receive, line_microseconds, line_wait};
  if (error == 0) error = matmul_init(&device, &line, mesh, tile, baud);
  if (error == 0) return multiply(&device);
  printf("matmul: %s, %" PRIu32 " baud, %" PRIu32 " x %" PRIu32 ": %s\n", name, baud, mesh, tile, strerror(-error));
  return 1;
}
