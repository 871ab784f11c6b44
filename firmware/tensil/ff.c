// Files that were loaded into memory beside the program (run --load FILE@ADDRESS), by the names of FatFs. The boot
// arguments list them, numbers in any C notation:
//   file=NAME,ADDRESS,BYTES
// A file can be written, too, up to its size.
#include "ff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/tensil/boot_arguments.h"

struct entry {
  uint8_t* bytes;
  FSIZE_t size;
};

// "0:/name" and "/name" are "name".
static const TCHAR* plain(const TCHAR* path) {
  const TCHAR* const drive = strchr(path, ':');
  if (drive != NULL) path = drive + 1;
  while (*path == '/') ++path;
  return path;
}

static FRESULT find(const TCHAR* path, struct entry* found) {
  const TCHAR* const name = plain(path);
  const size_t length = strlen(name);
  for (const char* at = NULL; (at = boot_argument("file", at)) != NULL;) {
    if (length == 0 || strncmp(at, name, length) != 0 || at[length] != ',') continue;
    char* end;
    found->bytes = (uint8_t*)(uintptr_t)strtoul(at + length + 1, &end, 0);
    if (*end != ',') continue;
    found->size = (FSIZE_t)strtoul(end + 1, NULL, 0);
    return FR_OK;
  }
  return FR_NO_FILE;
}

FRESULT f_mount(FATFS* fs, const TCHAR* path, BYTE opt) {
  (void)path, (void)opt;
  if (fs != NULL) fs->mounted = 1;
  return FR_OK;
}

FRESULT f_stat(const TCHAR* path, FILINFO* fno) {
  struct entry entry;
  const FRESULT result = find(path, &entry);
  if (result != FR_OK || fno == NULL) return result;
  fno->fsize = entry.size;
  strncpy(fno->fname, plain(path), FF_MAX_LFN);
  fno->fname[FF_MAX_LFN] = '\0';
  return FR_OK;
}

FRESULT f_open(FIL* fp, const TCHAR* path, BYTE mode) {
  struct entry entry;
  const FRESULT result = find(path, &entry);
  if (result != FR_OK) return mode & FA_CREATE_ALWAYS ? FR_DENIED : result;
  fp->bytes = entry.bytes;
  fp->fsize = mode & FA_CREATE_ALWAYS ? 0 : entry.size;
  fp->room = entry.size;
  fp->fptr = 0;
  fp->mode = mode;
  return FR_OK;
}

FRESULT f_close(FIL* fp) {
  if (fp->bytes == NULL) return FR_INVALID_OBJECT;
  fp->bytes = NULL;
  return FR_OK;
}

static FRESULT check(const FIL* fp, BYTE mode) {
  if (fp->bytes == NULL) return FR_INVALID_OBJECT;
  return fp->mode & mode ? FR_OK : FR_DENIED;
}

static UINT least(UINT a, FSIZE_t b) { return a < b ? a : (UINT)b; }

FRESULT f_read(FIL* fp, void* buff, UINT btr, UINT* br) {
  *br = 0;
  const FRESULT result = check(fp, FA_READ);
  if (result != FR_OK) return result;
  *br = fp->fptr < fp->fsize ? least(btr, fp->fsize - fp->fptr) : 0;
  memcpy(buff, fp->bytes + fp->fptr, *br);
  fp->fptr += *br;
  return FR_OK;
}

FRESULT f_write(FIL* fp, const void* buff, UINT btw, UINT* bw) {
  *bw = 0;
  const FRESULT result = check(fp, FA_WRITE);
  if (result != FR_OK) return result;
  *bw = least(btw, fp->room - fp->fptr);
  memcpy(fp->bytes + fp->fptr, buff, *bw);
  fp->fptr += *bw;
  if (fp->fsize < fp->fptr) fp->fsize = fp->fptr;
  return FR_OK;
}

FRESULT f_lseek(FIL* fp, FSIZE_t ofs) {
  const FRESULT result = check(fp, FA_READ | FA_WRITE);
  if (result != FR_OK) return result;
  const FSIZE_t most = fp->mode & FA_WRITE ? fp->room : fp->fsize;
  fp->fptr = ofs < most ? ofs : most;
  if (fp->fsize < fp->fptr) fp->fsize = fp->fptr;
  return FR_OK;
}

FRESULT f_truncate(FIL* fp) {
  const FRESULT result = check(fp, FA_WRITE);
  if (result == FR_OK) fp->fsize = fp->fptr;
  return result;
}

TCHAR* f_gets(TCHAR* buff, int len, FIL* fp) {
  int count = 0;
  UINT one = 1;
  TCHAR letter;
  while (count < len - 1 && f_read(fp, &letter, 1, &one) == FR_OK && one == 1) {
    if (letter == '\r') continue;
    buff[count++] = letter;
    if (letter == '\n') break;
  }
  if (len > 0) buff[count] = '\0';
  return count > 0 ? buff : NULL;
}

int f_printf(FIL* fp, const TCHAR* fmt, ...) {
  TCHAR line[512];
  va_list arguments;
  va_start(arguments, fmt);
  const int length = vsnprintf(line, sizeof line, fmt, arguments);
  va_end(arguments);
  UINT written = 0;
  if (length < 0 || (size_t)length >= sizeof line) return -1;
  if (f_write(fp, line, (UINT)length, &written) != FR_OK || written != (UINT)length) return -1;
  return length;
}
