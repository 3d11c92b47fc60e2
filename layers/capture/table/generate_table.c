/* The table, as the header that is committed. */
#include "generate.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t digest(const char *iface, const char *method)
{
    uint32_t hash = 2166136261u;
    for (const char *p = iface; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    hash = (hash ^ ':') * 16777619u;
    for (const char *p = method; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return hash;
}

static int index_of(const struct member *members, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(members[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void put_shape(const struct member *m, const struct member *all, unsigned count)
{
    const char *kind = m->kind, *how = m->count;
    int of = -1;
    if (strcmp(m->count, "MEMBER") == 0 || strcmp(m->count, "DEREF") == 0) {
        of = index_of(all, count, m->count_of);
        if (of < 0) {
            fprintf(stderr, "generate: %s is sized by %s, which is not beside it: not followed\n",
                    m->name, m->count_of);
            kind = "X";
            how = "NONE";
        }
    }
    printf("%s, %s, %s, %u, %u, %s, %d, %u", kind, strcmp(m->elem, "PP") == 0 ? "P" : m->elem,
           m->ref, m->size, m->elem_size, how,
           strcmp(m->count, "FIXED") == 0 ? (int)m->count_value : of, m->multiplier);
}

static void put_structs(void)
{
    puts("#define D3D12_STRUCTS(ROW) \\");
    unsigned first = 0;
    for (unsigned i = 0; i < struct_count; i++) {
        printf("    ROW(%s, %u, %u, %u) \\\n", structs[i].name, structs[i].size, first,
               structs[i].count);
        first += structs[i].count;
    }
    puts("\n#define D3D12_FIELDS(ROW) \\");
    for (unsigned i = 0; i < struct_count; i++) {
        const struct structure *s = &structs[i];
        for (unsigned j = 0; j < s->count; j++) {
            const struct member *m = &s->members[j];
            printf("    ROW(%s, %s, %u, ", s->name, m->name, m->offset);
            put_shape(m, s->members, s->count);
            printf(", %u, %d, %d, %d, %d, %s) \\\n", m->array, m->in_union, m->selector, m->low,
                   m->high, m->bits ? "BITS" : "FIELD");
        }
    }
    puts("");
}

static void put_enums(void)
{
    puts("#define D3D12_ENUMS(ROW) \\");
    unsigned first = 0;
    for (unsigned i = 0; i < enum_count; i++) {
        unsigned n = 0;
        for (unsigned j = 0; j < constant_count; j++)
            n += strcmp(constants[j].owner, enums[i]) == 0;
        printf("    ROW(%s, %u, %u) \\\n", enums[i], first, n);
        first += n;
    }
    puts("\n#define D3D12_ENUMERATORS(ROW) \\");
    for (unsigned i = 0; i < enum_count; i++)
        for (unsigned j = 0; j < constant_count; j++)
            if (strcmp(constants[j].owner, enums[i]) == 0)
                printf("    ROW(%s, %s, %lldll) \\\n", enums[i], constants[j].name,
                       constants[j].value);
    puts("");
}

static const char *result_kind(const struct member *r)
{
    if (strncmp(r->ctype, "void ", 5) == 0 && strcmp(r->kind, "U") == 0)
        return "NOTHING";
    return strcmp(r->kind, "S") == 0 || strcmp(r->kind, "C") == 0 || strcmp(r->kind, "H") == 0
               ? "STRUCT"
               : "VALUE";
}

static void put_params(const char *prefix, const struct method *m)
{
    printf("#define D3D12_PARAMS_%s%s(ROW) \\\n", prefix, m->name);
    for (unsigned i = 0; i < m->count; i++) {
        const struct member *p = &m->params[i];
        printf("    ROW(%s, %s, %s, ", p->ctype, p->name, p->dir);
        put_shape(p, m->params, m->count);
        puts(") \\");
    }
    puts("");
}

/* An export's parameters between parentheses: as declared, and by name. */
static void put_signature(const struct method *m)
{
    printf("#define D3D12_SIGNATURE_%s ", m->name);
    for (unsigned i = 0; i < m->count; i++)
        printf("%s%s%s", i ? ", " : "", m->params[i].ctype, m->params[i].name);
    printf("\n#define D3D12_NAMES_%s ", m->name);
    for (unsigned i = 0; i < m->count; i++)
        printf("%s%s", i ? ", " : "", m->params[i].name);
    puts("\n");
}

static unsigned param_first;

static void put_call(const char *iface, const struct method *m)
{
    printf("(%s, %s, 0x%08xu, %s, %s, ", iface, m->name, digest(iface, m->name),
           result_kind(&m->result), m->result.ctype);
    printf("%s, %s, %u, %u, %u) \\\n", m->result.kind, m->result.ref, m->result.size, param_first,
           m->count);
    param_first += m->count;
}

static unsigned slots_of(const struct iface *i)
{
    const struct iface *base = find_iface(i->base);
    return i->count + (base && base != i ? slots_of(base) : 0);
}

static void put_interfaces(void)
{
    for (unsigned i = 0; i < iface_count; i++) {
        struct iface *base = find_iface(ifaces[i].base);
        if (base)
            base->has_child = true;
        for (unsigned j = 0; j < ifaces[i].count; j++) {
            char prefix[NAME + 4];
            snprintf(prefix, sizeof prefix, "%s_", ifaces[i].name);
            put_params(prefix, &ifaces[i].methods[j]);
        }
    }
    for (unsigned i = 0; i < function_count; i++) {
        put_params("", &functions[i]);
        put_signature(&functions[i]);
    }
    for (unsigned i = 0; i < iface_count; i++) {
        const struct iface *f = &ifaces[i];
        printf("#define D3D12_SLOTS_%s(ROW) \\\n", f->name);
        if (f->base[0])
            printf("    D3D12_SLOTS_%s(ROW) \\\n", f->base);
        for (unsigned j = 0; j < f->count; j++)
            printf("    ROW(%s, %s) \\\n", f->name, f->methods[j].name);
        puts("");
    }
    puts("#define D3D12_INTERFACES(ROW) \\");
    for (unsigned i = 0; i < iface_count; i++) {
        const struct iface *f = &ifaces[i];
        char u[33] = "";
        for (const char *p = f->uuid; *p; p++)
            if (*p != '-')
                strncat(u, p, 1);
        printf("    ROW(%s, %s, %u, %s, 0x%.8s, 0x%.4s, 0x%.4s", f->name,
               f->base[0] ? f->base : "NONE", slots_of(f), f->has_child ? "BASE" : "LEAF", u, u + 8,
               u + 12);
        for (unsigned b = 0; b < 8; b++)
            printf(", 0x%.2s", u + 16 + 2 * b);
        puts(") \\");
    }
    puts("\n#define D3D12_METHODS(ROW) \\");
    for (unsigned i = 0; i < iface_count; i++)
        for (unsigned j = 0; j < ifaces[i].count; j++) {
            printf("    ROW");
            put_call(ifaces[i].name, &ifaces[i].methods[j]);
        }
    puts("\n#define D3D12_EXPORTS(ROW) \\");
    for (unsigned i = 0; i < function_count; i++) {
        printf("    ROW");
        put_call("NONE", &functions[i]);
    }
    puts("");
}

void put_table(void)
{
    puts("/* Written by generate.c out of DirectX-Headers' IDL and the supplements beside it; not "
         "edited. */\n"
         "/* clang-format off */\n"
         "#ifndef CAPTURE_D3D12_TABLE_H\n#define CAPTURE_D3D12_TABLE_H\n");
    put_structs();
    put_enums();
    put_interfaces();
    puts("#endif");
    fprintf(stderr, "%u interfaces, %u structs, %u enums, %u exports, %u parameters\n", iface_count,
            struct_count, enum_count, function_count, param_first);
}
