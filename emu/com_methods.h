/* Makes entries of COM method tables from the methods' names. */
#pragma once

/* COM_METHODS(noun, A, B) is `.A = noun_A, .B = noun_B`. It takes up to 8 methods. */
#define COM_METHODS(noun, ...)                                                                     \
    COM_METHODS_N(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)(noun, __VA_ARGS__)
#define COM_METHODS_N(a, b, c, d, e, f, g, h, n, ...) COM_##n
#define COM_1(noun, m)                                .m = noun##_##m
#define COM_2(noun, m, ...)                           COM_1(noun, m), COM_1(noun, __VA_ARGS__)
#define COM_3(noun, m, ...)                           COM_1(noun, m), COM_2(noun, __VA_ARGS__)
#define COM_4(noun, m, ...)                           COM_1(noun, m), COM_3(noun, __VA_ARGS__)
#define COM_5(noun, m, ...)                           COM_1(noun, m), COM_4(noun, __VA_ARGS__)
#define COM_6(noun, m, ...)                           COM_1(noun, m), COM_5(noun, __VA_ARGS__)
#define COM_7(noun, m, ...)                           COM_1(noun, m), COM_6(noun, __VA_ARGS__)
#define COM_8(noun, m, ...)                           COM_1(noun, m), COM_7(noun, __VA_ARGS__)
