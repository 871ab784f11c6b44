"""Integer reference of the tinyTPU's arithmetic for a network of signed ReLU and sigmoid layers, and the data file of `digits`.

Written for exactness, in plain Python integers, without numpy. Run as a program it recomputes every output byte of a data file
and compares: reference.py FILE.
"""
import math
import struct
import sys

MAGIC = b"TTDIGIT1"


def signed_sigmoid_table():
    """Output byte by r, the accumulator rounded to 4 fraction bits of v/4: r = -88..70; 0 below, 127 above."""
    return {r: math.floor(128 / (1 + math.exp(-r / 16)) + 0.5) for r in range(-88, 71)}


TABLE = signed_sigmoid_table()


def wrap(value, bits):
    """The low bits of an integer, read as a two's complement number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def activate_signed_sigmoid(accumulator):
    """One 32-bit accumulator to one byte: 20 bits of accumulator / 4096, rounded half up, through the table."""
    a = wrap(accumulator, 32)
    r = wrap((a >> 12) + ((a >> 11) & 1), 20)
    return 0 if r < -88 else 127 if r > 70 else TABLE[r]


def activate_signed_relu(accumulator):
    """One 32-bit accumulator to one byte: accumulator / 256, rounded half up in 24 bits, limited to 0..127."""
    a = wrap(accumulator, 32)
    r = wrap((a >> 8) + ((a >> 7) & 1), 24)
    return min(max(r, 0), 127)


# By the function code of the activate instruction.
RELU, SIGMOID = 1, 9
ACTIVATIONS = {RELU: activate_signed_relu, SIGMOID: activate_signed_sigmoid}


class Layer:
    """weights[i][j]: input i, output j, signed bytes; activation: a function code."""

    def __init__(self, weights, activation):
        self.weights, self.activation = weights, activation

    def outputs(self, inputs):
        """Output bytes for one input vector of signed bytes."""
        sums = [0] * len(self.weights[0])
        for row, byte in zip(self.weights, inputs):
            x = wrap(byte, 8)
            if x:
                sums = [s + x * w for s, w in zip(sums, row)]
        return [ACTIVATIONS[self.activation](s) for s in sums]


def network(layers, inputs):
    for one in layers:
        inputs = one.outputs(inputs)
    return inputs


def classify(outputs):
    """The class with the greatest byte, or None for a tie: a tie counts as a wrong answer."""
    best = max(outputs)
    return outputs.index(best) if outputs.count(best) == 1 else None


class Data:
    """The data file. All numbers little-endian.

    8 bytes magic, u16 images, u16 layers, u16 float network's right answers, u16 this network's right answers; by layer
    u16 inputs, u16 outputs, u16 activation code; then the labels (a byte an image), the input vectors (first layer's inputs bytes an image, the
    constant included), the weights layer by layer (signed bytes, input by input), and the expected output bytes (last
    layer's outputs bytes an image).
    """

    def __init__(self, labels, inputs, layers, outputs, float_right, right):
        self.labels, self.inputs, self.layers, self.outputs = labels, inputs, layers, outputs
        self.float_right, self.right = float_right, right

    def pack(self):
        parts = [MAGIC, struct.pack("<4H", len(self.labels), len(self.layers), self.float_right, self.right)]
        parts += [struct.pack("<3H", len(one.weights), len(one.weights[0]), one.activation) for one in self.layers]
        parts.append(bytes(self.labels))
        parts += [bytes(vector) for vector in self.inputs]
        parts += [struct.pack(f"{len(row)}b", *row) for one in self.layers for row in one.weights]
        parts += [bytes(vector) for vector in self.outputs]
        return b"".join(parts)

    @staticmethod
    def unpack(blob):
        if blob[:8] != MAGIC:
            raise ValueError("not a digits data file")
        images, layer_count, float_right, right = struct.unpack_from("<4H", blob, 8)
        position = 16
        sizes = [struct.unpack_from("<3H", blob, position + 6 * i) for i in range(layer_count)]
        position += 6 * layer_count

        def take(count):
            nonlocal position
            position += count
            return blob[position - count:position]

        labels = list(take(images))
        inputs = [list(take(sizes[0][0])) for _ in range(images)]
        layers = [Layer([list(struct.unpack(f"{columns}b", take(columns))) for _ in range(rows)], activation)
                  for rows, columns, activation in sizes]
        outputs = [list(take(sizes[-1][1])) for _ in range(images)]
        if position != len(blob):
            raise ValueError("the data file has another length than its header says")
        return Data(labels, inputs, layers, outputs, float_right, right)


def verify(path):
    with open(path, "rb") as file:
        data = Data.unpack(file.read())
    outputs = [network(data.layers, vector) for vector in data.inputs]
    wrong = sum(a != b for mine, theirs in zip(outputs, data.outputs) for a, b in zip(mine, theirs))
    right = sum(classify(vector) == label for vector, label in zip(outputs, data.labels))
    ties = sum(classify(vector) is None for vector in outputs)
    images = len(data.labels)
    print(f"{images} images: {right} right ({100 * right / images:.2f} %), {ties} ties; float network {data.float_right} "
          f"({100 * data.float_right / images:.2f} %); {wrong} of {images * len(outputs[0])} output bytes differ")
    return wrong == 0 and right == data.right


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: reference.py FILE")
    sys.exit(0 if verify(sys.argv[1]) else 1)
