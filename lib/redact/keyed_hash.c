#include "redact/keyed_hash.h"

struct state {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static void mix(struct state *s, int rounds)
{
    while (rounds-- > 0) {
        s->v0 += s->v1;
        s->v2 += s->v3;
        s->v1 = rotate(s->v1, 13) ^ s->v0;
        s->v3 = rotate(s->v3, 16) ^ s->v2;
        s->v0 = rotate(s->v0, 32);
        s->v2 += s->v1;
        s->v0 += s->v3;
        s->v1 = rotate(s->v1, 17) ^ s->v2;
        s->v3 = rotate(s->v3, 21) ^ s->v0;
        s->v2 = rotate(s->v2, 32);
    }
}

static uint64_t load(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void take(struct state *s, uint64_t word)
{
    s->v3 ^= word;
    mix(s, 2);
    s->v0 ^= word;
}

struct annot__key annot__key_from(const unsigned char *bytes)
{
    return (struct annot__key){{load(bytes, 8), load(bytes + 8, 8)}};
}

uint64_t annot__keyed_hash(const struct annot__key *key, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    const size_t whole = size & ~(size_t)7;
    struct state s = {key->halves[0] ^ 0x736f6d6570736575, key->halves[1] ^ 0x646f72616e646f6d,
                      key->halves[0] ^ 0x6c7967656e657261, key->halves[1] ^ 0x7465646279746573};
    for (size_t i = 0; i < whole; i += 8)
        take(&s, load(bytes + i, 8));
    take(&s, load(bytes + whole, size - whole) | (uint64_t)size << 56);
    s.v2 ^= 0xff;
    mix(&s, 4);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
