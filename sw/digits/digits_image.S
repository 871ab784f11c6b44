// The data file of `digits` as read-only data of the program.
    .section .rodata.digits, "a"
    .balign 16
    .globl digits_image, digits_image_end
digits_image:
    .incbin "sw/digits/digits.bin"
digits_image_end:
