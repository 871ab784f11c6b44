// Files by the names of FatFs (ChaN), as far as Tensil's own embedded driver, its examples and the
// original tinyTPU's programs call it. Who implements
// them says where the files are; firmware/tensil/ff.c has those that were loaded into memory.
#ifndef FIRMWARE_COMPAT_FF_H
#define FIRMWARE_COMPAT_FF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FF_MAX_LFN 255
#define FA_READ 0x01
#define FA_WRITE 0x02
#define FA_OPEN_EXISTING 0x00
#define FA_CREATE_ALWAYS 0x08

typedef unsigned int UINT;
typedef unsigned char BYTE;
typedef char TCHAR;
typedef uint32_t FSIZE_t;

typedef enum {
  FR_OK = 0,
  FR_NO_FILE = 4,
  FR_DENIED = 7,
  FR_INVALID_OBJECT = 9,
} FRESULT;

typedef struct {
  BYTE mounted;
} FATFS;

typedef struct {
  uint8_t* bytes;  // NULL: closed
  FSIZE_t fsize, fptr;
  FSIZE_t room;  // bytes that it can have
  BYTE mode;
} FIL;

typedef struct {
  FSIZE_t fsize;
  TCHAR fname[FF_MAX_LFN + 1];
} FILINFO;

FRESULT f_mount(FATFS* fs, const TCHAR* path, BYTE opt);
FRESULT f_stat(const TCHAR* path, FILINFO* fno);
FRESULT f_open(FIL* fp, const TCHAR* path, BYTE mode);
FRESULT f_close(FIL* fp);
FRESULT f_read(FIL* fp, void* buff, UINT btr, UINT* br);
// Writes no more than the file has room for, which was given with it.
FRESULT f_write(FIL* fp, const void* buff, UINT btw, UINT* bw);
// No further than the file goes, or, of one that can be written, its room.
FRESULT f_lseek(FIL* fp, FSIZE_t ofs);
// The file ends at the present place; its room stays, and is its size when it is opened again.
FRESULT f_truncate(FIL* fp);
// A line with its end, without returns; NULL: there is none.
TCHAR* f_gets(TCHAR* buff, int len, FIL* fp);
// The number of characters written, negative when there was no room. Formats are those of printf.
int f_printf(FIL* fp, const TCHAR* fmt, ...);
#define f_size(fp) ((fp)->fsize)
#define f_tell(fp) ((fp)->fptr)
#define f_eof(fp) ((fp)->fptr == (fp)->fsize)

#ifdef __cplusplus
}
#endif

#endif
