/* SHA-256 by the names of the library nettle, for a host for which that is not installed (TINYTPU_VP_CORES_ONLY). */
#ifndef TESTS_CROSS_NETTLE_SHA2_H
#define TESTS_CROSS_NETTLE_SHA2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHA256_DIGEST_SIZE 32

struct sha256_ctx {
  uint32_t state[8];
  uint8_t block[64];
  uint64_t length; /* bytes */
};

void sha256_init(struct sha256_ctx* ctx);
void sha256_update(struct sha256_ctx* ctx, size_t length, const uint8_t* data);
/* The first `length` bytes of it. */
void sha256_digest(struct sha256_ctx* ctx, size_t length, uint8_t* digest);

#ifdef __cplusplus
}
#endif

#endif
