/* Floating-point workload, freestanding, deterministic: what numerical programs spend their time with, in doubles but
 * for the filter. Five kernels per iteration: matrix multiply, Mandelbrot set, n-body steps with roots and divisions,
 * a filter in singles, and a histogram with conversions, comparisons and extremes. */
#include <stdint.h>

#ifndef ITER
#define ITER 500u
#endif

#define NMAT 24
#define NBODY 5
#define NTAPS 16
#define NSAMPLES 256
#define NBINS 32

static double ma[NMAT][NMAT], mb[NMAT][NMAT], mc[NMAT][NMAT];
static float taps[NTAPS], samples[NSAMPLES + NTAPS], filtered[NSAMPLES];
static struct { double x, y, z, vx, vy, vz, mass; } body[NBODY];
static uint32_t bins[NBINS];

static double k_matrix(double scale) {
    for (int i = 0; i < NMAT; ++i)
        for (int j = 0; j < NMAT; ++j) { ma[i][j] = (i + 1) * scale; mb[i][j] = 1.0 / (i + j + 1); }
    double trace = 0;
    for (int i = 0; i < NMAT; ++i) {
        for (int j = 0; j < NMAT; ++j) {
            double sum = 0;
            for (int k = 0; k < NMAT; ++k) sum += ma[i][k] * mb[k][j];
            mc[i][j] = sum;
        }
        trace += mc[i][i];
    }
    return trace;
}

static uint32_t k_mandelbrot(double shift) {
    uint32_t steps = 0;
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 24; ++column) {
            const double cr = column * (3.0 / 24) - 2.2 + shift, ci = row * (2.4 / 12) - 1.2;
            double zr = 0, zi = 0;
            for (int n = 0; n < 48; ++n) {
                const double r2 = zr * zr, i2 = zi * zi;
                if (r2 + i2 > 4) break;
                zi = 2 * zr * zi + ci;
                zr = r2 - i2 + cr;
                ++steps;
            }
        }
    return steps;
}

static double k_bodies(void) {
    for (int step = 0; step < 40; ++step) {
        for (int i = 0; i < NBODY; ++i)
            for (int j = i + 1; j < NBODY; ++j) {
                const double dx = body[i].x - body[j].x, dy = body[i].y - body[j].y, dz = body[i].z - body[j].z;
                const double square = dx * dx + dy * dy + dz * dz + 0.01;
                const double pull = 0.001 / (square * __builtin_sqrt(square));
                body[i].vx -= dx * body[j].mass * pull; body[j].vx += dx * body[i].mass * pull;
                body[i].vy -= dy * body[j].mass * pull; body[j].vy += dy * body[i].mass * pull;
                body[i].vz -= dz * body[j].mass * pull; body[j].vz += dz * body[i].mass * pull;
            }
        for (int i = 0; i < NBODY; ++i) {
            body[i].x += 0.001 * body[i].vx; body[i].y += 0.001 * body[i].vy; body[i].z += 0.001 * body[i].vz;
        }
    }
    return body[0].x + body[1].y + body[2].z;
}

static float k_filter(void) {
    float loudest = 0;
    for (int i = 0; i < NSAMPLES; ++i) {
        float sum = 0;
        for (int k = 0; k < NTAPS; ++k) sum += taps[k] * samples[i + k];
        filtered[i] = sum;
        loudest = __builtin_fmaxf(loudest, __builtin_fabsf(sum));
    }
    return loudest;
}

static uint32_t k_histogram(float loudest) {
    uint32_t most = 0;
    for (int i = 0; i < NSAMPLES; ++i) {
        const double place = (filtered[i] / loudest + 1) * (NBINS / 2 - 0.001);
        const int bin = (int)place;
        bins[bin] += place - bin < 0.5 ? 1 : 2;
        if (bins[bin] > most) most = bins[bin];
    }
    return most;
}

volatile uint32_t result;

int main(void) {
    uint32_t seed = 1, hash = 0;
    for (int i = 0; i < NBODY; ++i) {
        body[i].x = i; body[i].y = i * i * 0.5; body[i].z = 3 - i;
        body[i].mass = 1 + i * 0.25;
    }
    for (int i = 0; i < NTAPS; ++i) taps[i] = 1.0f / (i + 2);
    for (int i = 0; i < NSAMPLES + NTAPS; ++i) {
        seed = seed * 1664525u + 1013904223u;
        samples[i] = (int32_t)seed * 0x1p-31f;
    }
    for (uint32_t it = 0; it < ITER; ++it) {
        hash = hash * 31 + (uint32_t)(k_matrix(it * 0.125) * 16);
        hash = hash * 31 + k_mandelbrot(it * 0.0001);
        hash = hash * 31 + (uint32_t)(int32_t)(k_bodies() * 65536);
        hash = hash * 31 + k_histogram(k_filter());
    }
    result = hash;
    return hash >> 24;
}
