/* The generator's model of the IDL; generate.c says what it is for. */
#ifndef CAPTURE_GENERATE_H
#define CAPTURE_GENERATE_H

#include <stdbool.h>

#define NAME    192
#define MEMBERS 128

struct member {
    char name[NAME];
    char ctype[256];          /* as C writes it */
    const char *dir;          /* READ, WRITE, BOTH: by the callee */
    const char *kind, *elem;  /* elem: of what a pointer points to, and of a member of an array */
    char ref[NAME];           /* struct, interface or enum behind it */
    unsigned size, elem_size; /* bytes */
    unsigned array;           /* elements in place, 1 for a single one */
    unsigned offset;
    const char *count; /* ONE, FIXED, MEMBER, DEREF; NONE for what is no sized pointer */
    char count_of[NAME];
    unsigned count_value, multiplier;
    unsigned align;
    int in_union, selector, low, high;
    bool bits;
};

struct structure {
    char name[NAME];
    unsigned size, align, count, unions;
    struct member members[MEMBERS];
};

struct method {
    char name[NAME];
    struct member result;
    unsigned count;
    struct member params[24];
};

struct iface {
    char name[NAME], base[NAME], uuid[48];
    unsigned count;
    struct method *methods;
    bool has_child;
};

struct constant {
    char name[NAME], owner[NAME];
    long long value;
};

extern struct structure *structs;
extern unsigned struct_count;
extern struct iface ifaces[200];
extern unsigned iface_count;
extern struct constant *constants;
extern unsigned constant_count;
extern char enums[400][NAME];
extern unsigned enum_count;
extern char aliases[64][2][NAME];
extern unsigned alias_count;
extern struct method functions[64];
extern unsigned function_count;

/* ---- generate_tokens.c: one token ahead of what is read ---- */

extern char *at;        /* behind the token */
extern char token[512]; /* "" at the end */
extern bool is_string;  /* the token is one, without its quotes */
/* Begins with a file, whose first token is read. */
void tokens_begin(const char *file);
_Noreturn void fail(const char *format, ...);
bool next(void);
bool is(const char *what);
bool take(const char *what);
void want(const char *what);
void set(char *to, const char *from);
const struct constant *constant(const char *name); /* NULL: none */
void add_constant(const char *owner, const char *name, long long value);
long long expression(void);

/* ---- generate_declarations.c ---- */

struct iface *find_iface(const char *name); /* NULL: none */
struct iface *add_iface(const char *name);
/* Everything that a file declares. */
void parse(const char *file);

/* ---- generate_table.c ---- */

/* To stdout. */
void put_table(void);

#endif
