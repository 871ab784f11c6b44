// The kernels of this folder that go from memory to memory, as words for a driver: what the assembler makes of
// convolution.drra and matvec_pairs.drra. Their comments say what lies where. "near" is for cells of row 0, "far" for
// those of row 1.
#ifndef SW_DRRA_KERNELS_H
#define SW_DRRA_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct drra_kernel {
  uint32_t count;  // of words
  const uint32_t* words;
};

extern const struct drra_kernel drra_convolution_near;
extern const struct drra_kernel drra_convolution_far;
extern const struct drra_kernel drra_matvec_near_left;
extern const struct drra_kernel drra_matvec_near_right;
extern const struct drra_kernel drra_matvec_far_left;
extern const struct drra_kernel drra_matvec_far_right;

#ifdef __cplusplus
}
#endif

#endif
