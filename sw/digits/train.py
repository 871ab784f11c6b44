"""Trains the network of the firmware program `digits` and writes its data file: train.py FILE [--seed S].

The data are the 1797 handwritten digits of 8 x 8 pixels that come with scikit-learn; 360 of them, chosen by class and seed
before anything is trained, are the test set and are used for nothing but the two accuracies at the end.

The network is 65-42-10, ReLU and then sigmoid: 64 pixels and a constant in place of a bias; the last hidden unit sees only the
constant, and so is the constant of the second layer. The float network is trained first, without any limit on its weights. The
quantised one then goes on from there with the hardware's arithmetic in its forward pass (reference.py says what that is): weights
and activations are rounded to bytes, the ReLU yields v/2 and stops at 127, the sigmoid evaluates at v/4, and the gradient passes
the rounding as if it were not there (straight-through estimator). Its loss asks for a distance between the right output and every
other one, in steps of the sigmoid table, since equal bytes are no answer; and it keeps the outputs where neighbouring steps still
have different bytes.

Two runs on one machine give the same file; the order of floating-point sums in the matrix library may differ on another one.
"""
import argparse

import numpy as np
from sklearn.datasets import load_digits

import reference

HIDDEN, CLASSES, TEST_IMAGES = 42, 10, 360
CONSTANT = 127  # input byte of the constant: 127/128
EPOCHS, BATCH, RATE = 100, 32, 2e-3
MARGIN, SOFTNESS = 12.0, 4.0  # steps of r between the right output and the others
R_LIMIT, R_PRICE = 30.0, 0.002  # r above which neighbouring steps begin to share a byte


def split(labels, rng):
    """Indices for training and test, the test set with the same share of each class."""
    test = []
    for digit in range(CLASSES):
        members = rng.permutation(np.flatnonzero(labels == digit))
        test.append(members[: round(TEST_IMAGES * len(members) / len(labels))])
    test = np.concatenate(test)
    spare = rng.permutation(np.setdiff1d(np.arange(len(labels)), test))
    test = np.sort(np.concatenate([test, spare[: TEST_IMAGES - len(test)]])[:TEST_IMAGES])
    return np.setdiff1d(np.arange(len(labels)), test), test


def to_bytes(images):
    """Pixels 0..16 to bytes 0..127, and the constant behind them."""
    pixels = np.minimum(images.reshape(len(images), 64).astype(np.int64) * 8, 127)
    return np.hstack([pixels, np.full((len(images), 1), CONSTANT)])


class Adam:
    def __init__(self, parameters):
        self.parameters, self.steps = parameters, 0
        self.mean = [np.zeros_like(p) for p in parameters]
        self.square = [np.zeros_like(p) for p in parameters]

    def step(self, gradients, rate):
        self.steps += 1
        for p, g, m, s in zip(self.parameters, gradients, self.mean, self.square):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            p -= rate * (m / (1 - 0.9**self.steps)) / (np.sqrt(s / (1 - 0.999**self.steps)) + 1e-8)


def float_forward(w1, w2, x):
    hidden = np.maximum(x @ w1, 0)
    return hidden, hidden @ w2


def softmax_gradient(logits, labels):
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(labels)), labels] -= 1
    return p / len(labels)


def schedule(epoch):
    return RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))


def train_float(images, labels, rng):
    w1 = rng.normal(0, 0.15, (65, HIDDEN))
    w2 = rng.normal(0, 0.2, (HIDDEN, CLASSES))
    adam = Adam([w1, w2])
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            x = to_bytes(images[chosen]) / 128
            hidden, logits = float_forward(w1, w2, x)
            d2 = softmax_gradient(logits, labels[chosen])
            d1 = d2 @ w2.T * (hidden > 0)
            adam.step([x.T @ d1, hidden.T @ d2], schedule(epoch))
    return w1, w2


def rounded(accumulators, bits):
    """Accumulator / 2^bits, rounded half up: what the activation unit looks at."""
    return (accumulators >> bits) + ((accumulators >> (bits - 1)) & 1)


def quantise(w1, w2):
    """Master weights (in units of the hardware's 1/128) to bytes; the constant hidden unit is put in."""
    q1 = np.clip(np.rint(w1), -128, 127).astype(np.int64)
    q2 = np.clip(np.rint(w2), -128, 127).astype(np.int64)
    q1[:, -1] = 0
    q1[-1, -1] = CONSTANT
    return q1, q2


def quantised_forward(q1, q2, x):
    """x: bytes. ReLU's values before they are limited, hidden bytes, and the sigmoid table's index r of each output."""
    value = rounded(x @ q1, 8)
    hidden = np.clip(value, 0, 127)
    return value, hidden, rounded(hidden @ q2, 12)


def margin_gradient(r, labels):
    """Gradient by r of a softmax loss in which every wrong output has a start of MARGIN steps, and of the price of r above
    R_LIMIT."""
    rows = np.arange(len(labels))
    logits = (r + MARGIN) / SOFTNESS
    logits[rows, labels] -= MARGIN / SOFTNESS
    return softmax_gradient(logits, labels) / SOFTNESS + R_PRICE * np.clip(r - R_LIMIT, 0, None) / len(labels)


def train_quantised(images, labels, w1, w2, rng):
    w1 = np.clip(128 * w1, -128, 127)
    w2 = np.clip(128 * w2, -128, 127)
    adam = Adam([w1, w2])
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            x = to_bytes(images[chosen])
            q1, q2 = quantise(w1, w2)
            value, hidden, r = quantised_forward(q1, q2, x)
            d2 = margin_gradient(r.astype(float), labels[chosen]) / 4096
            d1 = d2 @ q2.T * ((value > 0) & (value <= 127)) / 256
            d1[:, -1] = 0
            adam.step([x.T @ d1, hidden.T @ d2], 256 * schedule(epoch))
            np.clip(w1, -128, 127, out=w1)
            np.clip(w2, -128, 127, out=w2)
    return quantise(w1, w2)


def main():
    parser = argparse.ArgumentParser(description="Train and quantise the digits network for the tinyTPU.")
    parser.add_argument("file", help="the data file to write")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)

    digits = load_digits()
    images, labels = digits.images.astype(np.int64), digits.target
    train, test = split(labels, rng)
    w1, w2 = train_float(images[train], labels[train], rng)
    _, logits = float_forward(w1, w2, to_bytes(images[test]) / 128)
    float_right = int((logits.argmax(axis=1) == labels[test]).sum())

    q1, q2 = train_quantised(images[train], labels[train], w1, w2, rng)
    inputs = to_bytes(images[test])
    layers = [reference.Layer(q1.tolist(), reference.RELU), reference.Layer(q2.tolist(), reference.SIGMOID)]
    outputs = [reference.network(layers, vector) for vector in inputs.tolist()]
    right = sum(reference.classify(o) == label for o, label in zip(outputs, labels[test].tolist()))
    ties = sum(reference.classify(o) is None for o in outputs)

    data = reference.Data(labels[test].tolist(), inputs.tolist(), layers, outputs, float_right, right)
    with open(options.file, "wb") as file:
        file.write(data.pack())
    print(f"test set of {len(test)} images: float {100 * float_right / len(test):.2f} %, quantised "
          f"{100 * right / len(test):.2f} % with {ties} ties")


if __name__ == "__main__":
    main()
