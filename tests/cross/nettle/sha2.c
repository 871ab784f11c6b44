#include "nettle/sha2.h"

/* FIPS 180-4, 4.1.2 and 6.2. */

static const uint32_t kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t kStart[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t turned(uint32_t word, unsigned by) { return word >> by | word << (32 - by); }

static void expand(const uint8_t* block, uint32_t* w) {
  for (unsigned i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (unsigned i = 16; i < 64; ++i) {
    const uint32_t s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
    const uint32_t s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
}

static void compress(struct sha256_ctx* ctx) {
  uint32_t w[64], v[8];
  expand(ctx->block, w);
  for (unsigned i = 0; i < 8; ++i) v[i] = ctx->state[i];
  for (unsigned i = 0; i < 64; ++i) {
    const uint32_t s1 = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25);
    const uint32_t s0 = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22);
    const uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + kRounds[i] + w[i];
    const uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (unsigned k = 7; k > 0; --k) v[k] = v[k - 1];
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (unsigned i = 0; i < 8; ++i) ctx->state[i] += v[i];
}

void sha256_init(struct sha256_ctx* ctx) {
  for (unsigned i = 0; i < 8; ++i) ctx->state[i] = kStart[i];
  ctx->length = 0;
}

void sha256_update(struct sha256_ctx* ctx, size_t length, const uint8_t* data) {
  for (size_t i = 0; i < length; ++i) {
    ctx->block[ctx->length++ % 64] = data[i];
    if (ctx->length % 64 == 0) compress(ctx);
  }
}

void sha256_digest(struct sha256_ctx* ctx, size_t length, uint8_t* digest) {
  const uint64_t bits = 8 * ctx->length;
  const uint8_t one = 0x80, zero = 0;
  sha256_update(ctx, 1, &one);
  while (ctx->length % 64 != 56) sha256_update(ctx, 1, &zero);
  for (unsigned i = 0; i < 8; ++i) {
    const uint8_t byte = (uint8_t)(bits >> (56 - 8 * i));
    sha256_update(ctx, 1, &byte);
  }
  for (size_t i = 0; i < length; ++i) digest[i] = (uint8_t)(ctx->state[i / 4] >> (24 - 8 * (i % 4)));
}
