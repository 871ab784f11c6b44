#include "sw/drra/kernels.h"

// Made by `tinytpu-vp asm --device drra`; tests/drra/kernels_test.cpp holds them against the assembly.

static const uint32_t convolution_near_words[] = {
    0x6000000, 0x6004000, 0x6800020, 0x0800004, 0x0000000, 0x0900084, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x3800200, 0x404801c, 0x518f240, 0x22a0800, 0x0c4f0c1, 0x0e200c0, 0x0840003,
    0x3800000, 0x3800280, 0x6c18010, 0x0800004, 0x0000000, 0x0d02041, 0x1010001, 0x1800002, 0x0000000,
};
const struct drra_kernel drra_convolution_near = {sizeof convolution_near_words / sizeof *convolution_near_words,
                                                  convolution_near_words};

static const uint32_t convolution_far_words[] = {
    0x6048000, 0x604c000, 0x6800020, 0x0800004, 0x0000800, 0x0900087, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x3800200, 0x404801c, 0x518f240, 0x22a0800, 0x0c4f0c1, 0x0e200c0, 0x0840003,
    0x3800000, 0x3800280, 0x6c18010, 0x0800004, 0x0000800, 0x0d02041, 0x1010001, 0x1800002, 0x0000000,
};
const struct drra_kernel drra_convolution_far = {sizeof convolution_far_words / sizeof *convolution_far_words,
                                                 convolution_far_words};

static const uint32_t matvec_near_left_words[] = {
    0x6000000, 0x6004000, 0x6800030, 0x0800004, 0x0000000, 0x09000c4, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x5138000, 0x3800280, 0x4450006, 0x0800000, 0x22a0800, 0x0c4f1c1, 0x0e301c0,
    0x0840007, 0x5180010, 0x3800200, 0x3800280, 0x2c33000, 0x2060800, 0x0c38140, 0x0838140, 0x3800180,
    0x6c20000, 0x0800004, 0x0000000, 0x0d03001, 0x1010001, 0x1800002, 0x0000000,
};
const struct drra_kernel drra_matvec_near_left = {sizeof matvec_near_left_words / sizeof *matvec_near_left_words,
                                                  matvec_near_left_words};

static const uint32_t matvec_near_right_words[] = {
    0x6000000, 0x6004000, 0x6800030, 0x0800004, 0x0000000, 0x09000c4, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x5138000, 0x3800280, 0x4450006, 0x0800000, 0x22a0800, 0x0c4f1c1, 0x0e301c0,
    0x0840007, 0x5180010, 0x3800200, 0x3800280, 0x3800000, 0x0c38140, 0x0000000,
};
const struct drra_kernel drra_matvec_near_right = {sizeof matvec_near_right_words / sizeof *matvec_near_right_words,
                                                   matvec_near_right_words};

static const uint32_t matvec_far_left_words[] = {
    0x6048000, 0x604c000, 0x6800030, 0x0800004, 0x0000800, 0x09000c7, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x5138000, 0x3800280, 0x4450006, 0x0800000, 0x22a0800, 0x0c4f1c1, 0x0e301c0,
    0x0840007, 0x5180010, 0x3800200, 0x3800280, 0x2c33000, 0x2060800, 0x0c38140, 0x0838140, 0x3800180,
    0x6c20000, 0x0800004, 0x0000800, 0x0d03001, 0x1010001, 0x1800002, 0x0000000,
};
const struct drra_kernel drra_matvec_far_left = {sizeof matvec_far_left_words / sizeof *matvec_far_left_words,
                                                 matvec_far_left_words};

static const uint32_t matvec_far_right_words[] = {
    0x6048000, 0x604c000, 0x6800030, 0x0800004, 0x0000800, 0x09000c7, 0x1010001, 0x1800002, 0x2c22000,
    0x2ca3000, 0x2d20000, 0x5138000, 0x3800280, 0x4450006, 0x0800000, 0x22a0800, 0x0c4f1c1, 0x0e301c0,
    0x0840007, 0x5180010, 0x3800200, 0x3800280, 0x3800000, 0x0c38140, 0x0000000,
};
const struct drra_kernel drra_matvec_far_right = {sizeof matvec_far_right_words / sizeof *matvec_far_right_words,
                                                  matvec_far_right_words};
