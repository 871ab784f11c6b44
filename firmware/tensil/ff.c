// Files that were loaded into memory beside the program (run --load FILE@ADDRESS), by the names of FatFs. The boot
// arguments list them, numbers in any C notation:
//   file=NAME,ADDRESS,BYTES
// A file can be written, too, up to its size.
#include "ff.h"

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
  fp->size = entry.size;
  fp->place = 0;
  fp->mode = mode;
  return FR_OK;
}

FRESULT f_close(FIL* fp) {
  if (fp->bytes == NULL) return FR_INVALID_OBJECT;
  fp->bytes = NULL;
  return FR_OK;
}

// Bytes that can be moved, from the present place on.
static FRESULT begin(FIL* fp, BYTE mode, UINT wanted, UINT* count) {
  *count = 0;
  if (fp->bytes == NULL) return FR_INVALID_OBJECT;
  if (!(fp->mode & mode)) return FR_DENIED;
  *count = wanted < fp->size - fp->place ? wanted : fp->size - fp->place;
  fp->place += *count;
  return FR_OK;
}

FRESULT f_read(FIL* fp, void* buff, UINT btr, UINT* br) {
  const FRESULT result = begin(fp, FA_READ, btr, br);
  if (result == FR_OK) memcpy(buff, fp->bytes + fp->place - *br, *br);
  return result;
}

FRESULT f_write(FIL* fp, const void* buff, UINT btw, UINT* bw) {
  const FRESULT result = begin(fp, FA_WRITE, btw, bw);
  if (result == FR_OK) memcpy(fp->bytes + fp->place - *bw, buff, *bw);
  return result;
}
