/*
 * Reads D3D12's IDL and writes the committed table, d3d12_table.h. For developers only: the build does not run it.
 *
 *     cc -std=c11 -o generate generate.c
 *     D=/usr/include/directx
 *     ./generate $D/dxgiformat.idl $D/dxgicommon.idl $D/d3dcommon.idl supplement_types.idl $D/d3d12.idl \
 *         $D/d3d12sdklayers.idl $D/d3d12video.idl supplement.idl > d3d12_table.h
 *     clang-format -i d3d12_table.h
 *
 * The IDL has what the C headers lost: the SAL annotations, which say how many elements a pointer has and who writes
 * them. supplement.idl is IDL too, with two statements of its own for what the annotations cannot say:
 *
 *     count STRUCT.pointer = FIELD;             a pointer that no annotation sizes; [*FIELD] is not needed by any
 *     select STRUCT.selector: member = LO..HI;  which member of a union is valid, by the value of another field
 *
 * A statement or a type that this program does not know ends it with the line. Offsets are those of x86-64, where the
 * three binary interfaces agree; the proxy and the replayer assert them against the headers they are compiled with.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct structure *structs;
static unsigned struct_count;
static struct iface ifaces[200];
static unsigned iface_count;
static struct constant *constants;
static unsigned constant_count;
static char enums[400][NAME];
static unsigned enum_count;
static char aliases[64][2][NAME];
static unsigned alias_count;
static struct method functions[64];
static unsigned function_count;

/* ---- tokens ---- */

static char *text, *at;
static const char *path;
static char token[512];
static bool is_string;

static void fail(const char *format, ...)
{
    unsigned line = 1;
    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%u: ", path, line);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (at '%s')\n", token);
    exit(1);
}

static void skip_blank(void)
{
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n')
                at++;
        } else if (at[0] == '/' && at[1] == '*') {
            char *end = strstr(at + 2, "*/");
            if (!end)
                fail("comment without an end");
            at = end + 2;
        } else if (*at == '#') {
            while (*at && *at != '\n')
                at++;
        } else {
            return;
        }
    }
}

static bool next(void)
{
    skip_blank();
    size_t n = 0;
    is_string = false;
    if (!*at) {
        token[0] = '\0';
        return false;
    }
    if (*at == '"') {
        is_string = true;
        for (at++; *at && *at != '"'; at++) {
            if (*at == '\\' && at[1])
                at++;
            if (n + 1 < sizeof token)
                token[n++] = *at;
        }
        at += *at == '"';
    } else if (isalnum((unsigned char)*at) || *at == '_') {
        while (isalnum((unsigned char)*at) || *at == '_')
            token[n++] = *at++;
    } else if ((at[0] == '<' && at[1] == '<') || (at[0] == '.' && at[1] == '.')) {
        token[n++] = *at++;
        token[n++] = *at++;
    } else {
        token[n++] = *at++;
    }
    token[n] = '\0';
    return true;
}

static bool is(const char *what)
{
    return !is_string && strcmp(token, what) == 0;
}

static bool take(const char *what)
{
    if (!is(what))
        return false;
    next();
    return true;
}

static void want(const char *what)
{
    if (!take(what))
        fail("'%s' is missing", what);
}

static void set(char *to, const char *from)
{
    if (strlen(from) >= NAME)
        fail("name too long: %s", from);
    strcpy(to, from);
}

/* ---- constants ---- */

static long long expression(void);

static const struct constant *constant(const char *name)
{
    for (unsigned i = constant_count; i-- > 0;)
        if (strcmp(constants[i].name, name) == 0)
            return &constants[i];
    return NULL;
}

static void add_constant(const char *owner, const char *name, long long value)
{
    set(constants[constant_count].name, name);
    set(constants[constant_count].owner, owner);
    constants[constant_count++].value = value;
}

static long long primary(void)
{
    long long value = 0;
    if (take("(")) {
        value = expression();
        want(")");
        return value;
    }
    if (take("-"))
        return -primary();
    if (take("~"))
        return ~primary();
    if (isdigit((unsigned char)token[0])) {
        value = (long long)strtoull(token, NULL, 0);
    } else {
        const struct constant *c = constant(token);
        if (!c)
            fail("unknown constant");
        value = c->value;
    }
    next();
    return value;
}

static long long expression(void)
{
    long long value = primary();
    for (;;) {
        if (take("|"))
            value |= primary();
        else if (take("&"))
            value &= primary();
        else if (take("+"))
            value += primary();
        else if (take("-"))
            value -= primary();
        else if (take("<<"))
            value <<= primary();
        else
            return value;
    }
}

/* ---- types ---- */

static const struct {
    const char *name, *kind;
    unsigned size;
} scalars[] = {
    {"UINT", "U", 4},
    {"UINT32", "U", 4},
    {"ULONG", "U", 4},
    {"DWORD", "U", 4},
    {"uint32_t", "U", 4},
    {"UINT64", "U", 8},
    {"uint64_t", "U", 8},
    {"SIZE_T", "U", 8},
    {"size_t", "U", 8},
    {"UINT16", "U", 2},
    {"USHORT", "U", 2},
    {"UINT8", "U", 1},
    {"BYTE", "U", 1},
    {"UCHAR", "U", 1},
    {"INT", "I", 4},
    {"int", "I", 4},
    {"INT64", "I", 8},
    {"LONG", "I", 4},
    {"LONG_PTR", "I", 8},
    {"INT8", "I", 1},
    {"INT16", "I", 2},
    {"HRESULT", "R", 4},
    {"annot_result", "I", 4},
    {"BOOL", "B", 4},
    {"bool", "B", 1},
    {"FLOAT", "F", 4},
    {"float", "F", 4},
    {"DOUBLE", "F", 8},
    {"void", "U", 1},
    {"VOID", "U", 1},
    {"char", "U", 1},
    {"GUID", "G", 16},
    {"IID", "G", 16},
    {"CLSID", "G", 16},
    {"HANDLE", "K", 8},
    {"D3D12_GPU_VIRTUAL_ADDRESS", "A", 8},
    {"D3D12_CPU_DESCRIPTOR_HANDLE", "C", 8},
    {"D3D12_GPU_DESCRIPTOR_HANDLE", "H", 8},
    {"LPCWSTR", "W", 8},
    {"LPCSTR", "Z", 8},
    {"PFN_DESTRUCTION_CALLBACK", "Y", 8},
    {"D3D12MessageFunc", "Y", 8},
    {"PFN_D3D12_DUMP_FILE_BEGIN", "Y", 8},
    {"PFN_D3D12_DUMP_FILE_END", "Y", 8},
    {"HMONITOR", "X", 8},
    {"HWND", "X", 8},
    {"annot_device", "U", 1},
    {"annot_driver", "U", 1},
};

static const char *resolved(const char *name)
{
    for (unsigned i = 0; i < alias_count; i++)
        if (strcmp(aliases[i][0], name) == 0)
            return aliases[i][1];
    return name;
}

static struct structure *find_struct(const char *name)
{
    for (unsigned i = 0; i <= struct_count; i++) /* the one being read too */
        if (strcmp(structs[i].name, name) == 0)
            return &structs[i];
    return NULL;
}

static struct iface *find_iface(const char *name)
{
    for (unsigned i = 0; i < iface_count; i++)
        if (strcmp(ifaces[i].name, name) == 0)
            return &ifaces[i];
    return NULL;
}

static struct iface *add_iface(const char *name)
{
    struct iface *found = find_iface(name);
    if (found)
        return found;
    set(ifaces[iface_count].name, name);
    return &ifaces[iface_count++];
}

static bool is_enum(const char *name)
{
    for (unsigned i = 0; i < enum_count; i++)
        if (strcmp(enums[i], name) == 0)
            return true;
    return false;
}

/* What the name stands for without a pointer. */
static void base_type(struct member *m, const char *written)
{
    const char *name = resolved(written);
    m->align = 0;
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        if (strcmp(scalars[i].name, name) == 0) {
            m->elem = scalars[i].kind;
            m->elem_size = scalars[i].size;
            m->align = strcmp(m->elem, "G") == 0 ? 4 : scalars[i].size;
            return;
        }
    }
    set(m->ref, name);
    const struct structure *s = find_struct(name);
    if (s) {
        m->elem = "S";
        m->elem_size = s->size;
        m->align = s->align;
    } else if (is_enum(name)) {
        m->elem = "E";
        m->elem_size = m->align = 4;
    } else if (find_iface(name)) {
        m->elem = "O";
        m->elem_size = m->align = 8;
    } else if (strcmp(name, "SECURITY_ATTRIBUTES") == 0) {
        m->elem = "U"; /* passed on, not followed */
        m->elem_size = m->align = 1;
        set(m->ref, "NONE");
    } else {
        fail("unknown type %s", name);
    }
}

/* ---- annotations ---- */

static void count_from(struct member *m, const char *expr)
{
    char word[NAME] = "", rest[NAME] = "";
    while (*expr == ' ')
        expr++;
    m->multiplier = 1;
    m->count = "MEMBER";
    if (*expr == '*') {
        m->count = "DEREF";
        expr++;
    }
    sscanf(expr, "%191[A-Za-z0-9_]%191s", word, rest);
    if (strcmp(rest, "*sizeof(UINT))") == 0 || strcmp(rest, "*sizeof(UINT)") == 0)
        m->multiplier = 4;
    const struct constant *c = constant(word);
    if (word[0] == '_') { /* another annotation, or _Inexpressible_ */
        m->count = "NONE";
        if (strstr(word, "Outptr"))
            m->dir = "WRITE";
        return;
    }
    if (c) {
        m->count = "FIXED";
        m->count_value = (unsigned)c->value;
        return;
    }
    set(m->count_of, word);
}

static bool sized_in_bytes;
static bool is_object; /* [object] void *p, of the supplement */

/* [in], [out], [annotation("...")], any order and number, up to the closing bracket. */
static void attributes(struct member *m)
{
    m->dir = "READ";
    m->count = "NONE";
    m->multiplier = 1;
    set(m->ref, "NONE");
    set(m->count_of, "NONE");
    m->elem = "U";
    m->array = 1;
    m->selector = m->in_union = -1;
    sized_in_bytes = is_object = false;
    while (take("[")) {
        unsigned depth = 1;
        while (depth) {
            if (is("["))
                depth++;
            if (is("]"))
                depth--;
            if (is("out"))
                m->dir = "WRITE";
            if (is("object"))
                is_object = true;
            if (is_string) {
                if (strncmp(token, "_Out", 4) == 0 || strncmp(token, "_COM_Outptr", 11) == 0)
                    m->dir = "WRITE";
                if (strncmp(token, "_Inout", 6) == 0)
                    m->dir = "BOTH";
                const char *open = strchr(token, '(');
                if (open && strncmp(token, "_In_range", 9) != 0) {
                    sized_in_bytes = strstr(token, "bytes") != NULL;
                    count_from(m, open + 1);
                }
            }
            if (!next())
                fail("attribute without an end");
        }
    }
}

/* TYPE NAME [N] up to, not including, the separator. */
static void declared(struct member *m, bool named)
{
    unsigned stars = 0;
    bool is_const = false;
    char type[NAME] = "";
    m->ctype[0] = '\0';
    for (;;) {
        if (is("const") || is("FIXED")) {
            if (!type[0] || stars == 0)
                is_const = true;
            strcat(m->ctype, "const ");
            next();
        } else if (take("struct") || take("interface")) {
            ;
        } else if (is("*")) {
            stars++;
            strcat(m->ctype, "*");
            next();
        } else if (!type[0]) {
            set(type, token);
            strcat(m->ctype, token);
            strcat(m->ctype, " ");
            next();
        } else {
            break;
        }
    }
    (void)is_const;
    if (strcmp(type, "REFIID") == 0 || strcmp(type, "REFGUID") == 0 ||
        strcmp(type, "REFCLSID") == 0) {
        set(type, "GUID");
        stars = 1;
        m->count = "ONE";
    } else if (strcmp(type, "LPVOID") == 0 || strcmp(type, "LPCVOID") == 0) {
        set(type, "void");
        stars++;
    } else if ((strcmp(type, "wchar_t") == 0 || strcmp(type, "WCHAR") == 0) && stars) {
        set(type, "LPCWSTR");
        stars--;
    } else if (strcmp(type, "char") == 0 && stars) {
        set(type, "LPCSTR");
        stars--;
    }
    if (named) {
        set(m->name, token);
        next();
    }
    const bool is_void = strcmp(type, "void") == 0 || strcmp(type, "VOID") == 0;
    base_type(m, type);
    unsigned bound = 0;
    while (take("[")) {
        bound = (bound ? bound : 1) * (unsigned)expression();
        want("]");
    }
    if (bound) {
        m->array = bound;
    }
    if (take(":")) {
        m->bits = true;
        m->count_value = (unsigned)expression();
    }
    if (is_object) {
        m->elem = "O";
        m->elem_size = 8;
        set(m->ref, "IUnknown");
    }
    if (strcmp(m->elem, "O") == 0 && stars) {
        stars--; /* an interface pointer is the object */
        if (!stars && strcmp(m->count, "NONE") != 0 && bound == 0)
            m->count = "NONE";
    }
    if (is_void && stars == 2) { /* void **: an object by its IID, or memory */
        m->elem = "O";
        m->elem_size = 8;
        set(m->ref, "IUnknown");
        stars = 1;
        if (strcmp(m->count, "NONE") == 0 && strcmp(m->dir, "WRITE") == 0 &&
            strcmp(m->name, "ppData") == 0) {
            m->elem = "X";
            set(m->ref, "NONE");
        }
    }
    m->size = m->elem_size;
    m->kind = m->elem;
    if (stars) {
        m->kind = "P";
        m->size = m->align = 8;
        if (stars > 1) { /* pointers to pointers: one in all of D3D12, to structures */
            m->elem = "PP";
            m->elem_size = 8;
        }
        if ((is_void && strcmp(m->elem, "O") != 0 && strcmp(m->count, "NONE") == 0) ||
            m->elem_size == 0 || strcmp(m->elem, "X") == 0)
            m->kind = "X"; /* of no known size, or the next of a list that the runtime owns */
        else if (strcmp(m->count, "NONE") == 0)
            m->count = "ONE";
        if (sized_in_bytes && !is_void && strcmp(m->elem, "U") != 0) {
            m->elem = "U"; /* so many bytes of it */
            m->elem_size = 1;
            set(m->ref, "NONE");
        }
        if (strcmp(m->ref, "SECURITY_ATTRIBUTES") == 0 || strstr(m->ctype, "SECURITY_ATTRIBUTES"))
            m->kind = "X";
    } else if (bound) {
        m->size = m->elem_size * bound;
    } else {
        m->count = "NONE";
    }
}

/* ---- structures ---- */

static unsigned rounded(unsigned value, unsigned to)
{
    return to ? (value + to - 1) / to * to : value;
}

static void add_member(struct structure *s, const struct member *m)
{
    if (s->count == MEMBERS)
        fail("too many members");
    s->members[s->count++] = *m;
}

/* struct {...} NAME; inside a union: its members as NAME.member, which offsetof takes. */
static void nested_struct(struct structure *s, int number, unsigned *size, unsigned *align)
{
    const unsigned first = s->count;
    unsigned offset = 0;
    want("{");
    while (!take("}")) {
        struct member m = {0};
        attributes(&m);
        declared(&m, true);
        want(";");
        m.in_union = number;
        offset = rounded(offset, m.align);
        m.offset = offset;
        offset += m.size;
        *align = m.align > *align ? m.align : *align;
        add_member(s, &m);
    }
    *size = offset > *size ? offset : *size;
    for (unsigned i = first; i < s->count; i++) {
        char name[sizeof token + 1 + NAME];
        snprintf(name, sizeof name, "%s.%s", token, s->members[i].name);
        set(s->members[i].name, name);
    }
    next();
    want(";");
}

static void union_body(struct structure *s, unsigned *offset)
{
    const int number = (int)s->unions++;
    const unsigned first = s->count;
    unsigned size = 0, align = 1;
    want("{");
    while (!take("}")) {
        struct member m = {0};
        attributes(&m);
        if (take("struct")) {
            nested_struct(s, number, &size, &align);
            continue;
        }
        declared(&m, true);
        want(";");
        m.in_union = number;
        size = m.size > size ? m.size : size;
        align = m.align > align ? m.align : align;
        add_member(s, &m);
    }
    if (!is(";"))
        fail("a union with a name");
    want(";");
    *offset = rounded(*offset, align);
    for (unsigned i = first; i < s->count; i++)
        s->members[i].offset += *offset;
    *offset += rounded(size, align);
    s->align = align > s->align ? align : s->align;
}

static void struct_body(const char *name)
{
    struct structure *s = &structs[struct_count];
    memset(s, 0, sizeof *s);
    set(s->name, name);
    s->align = 1;
    unsigned offset = 0, bits = 0;
    want("{");
    while (!take("}")) {
        if (take("union")) {
            union_body(s, &offset);
            continue;
        }
        struct member m = {0};
        attributes(&m);
        declared(&m, true);
        want(";");
        if (m.bits) { /* neighbours in one word: one member, of the word */
            if (bits % 32 == 0) {
                offset = rounded(offset, 4);
                m.offset = offset;
                offset += 4;
                add_member(s, &m);
            }
            bits += m.count_value;
            continue;
        }
        bits = 0;
        offset = rounded(offset, m.align);
        m.offset = offset;
        offset += m.size;
        s->align = m.align > s->align ? m.align : s->align;
        add_member(s, &m);
    }
    s->size = rounded(offset, s->align);
    struct_count++;
}

static void enum_body(const char *name)
{
    long long value = 0;
    set(enums[enum_count++], name);
    want("{");
    while (!take("}")) {
        char constant_name[NAME];
        set(constant_name, token);
        next();
        if (take("="))
            value = expression();
        add_constant(name, constant_name, value++);
        if (!is("}"))
            want(",");
    }
}

/* typedef struct N {...} N; typedef enum N {...} N; typedef A B; */
static void type_definition(void)
{
    char name[NAME] = "";
    const bool is_struct = is("struct"), is_enumeration = is("enum");
    if (is_struct || is_enumeration) {
        next();
        if (!is("{")) {
            set(name, token);
            next();
        }
        if (is("{")) {
            if (is_struct)
                struct_body(name);
            else
                enum_body(name);
            if (is_struct && name[0] == '_') { /* known by its typedef */
                if (find_struct(token))
                    struct_count--;
                else
                    set(structs[struct_count - 1].name, token);
            } else if (strcmp(token, name) != 0 && !is(";")) {
                set(aliases[alias_count][0], token);
                set(aliases[alias_count++][1], name);
            }
            while (!take(";"))
                next();
            return;
        }
        fail("typedef without a body");
    }
    char from[NAME] = "";
    set(from, token);
    next();
    if (strcmp(from, "void") == 0) { /* a function pointer */
        while (!take(";"))
            next();
        return;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        known |= strcmp(scalars[i].name, token) == 0;
    if (!known) {
        set(aliases[alias_count][0], token);
        set(aliases[alias_count++][1], resolved(from));
    }
    next();
    want(";");
}

/* ---- interfaces ---- */

static void one_method(struct method *m)
{
    memset(m, 0, sizeof *m);
    attributes(&m->result);
    declared(&m->result, false);
    set(m->name, token);
    next();
    want("(");
    if (is("void")) {
        char *back = at;
        next();
        if (!is(")")) {
            at = back;
            set(token, "void");
        }
    }
    while (!take(")")) {
        struct member *p = &m->params[m->count++];
        attributes(p);
        declared(p, true);
        if (strcmp(p->kind, p->elem) == 0 && p->array > 1) { /* FLOAT f[4] is a pointer here */
            p->count = "FIXED";
            p->count_value = p->array;
            p->array = 1;
            p->kind = "P";
            p->size = 8;
            strcat(p->ctype, "*");
        } else if (!strchr(p->ctype, '*') && strncmp(p->ctype, "const ", 6) == 0)
            memmove(p->ctype, p->ctype + 6, strlen(p->ctype + 6) + 1);
        if (strcmp(p->kind, "S") == 0 &&
            p->size > 8) { /* larger than a word: passed on as a pointer */
            p->kind = "P";
            p->size = 8;
            p->count = "ONE";
        }
        if (!is(")"))
            want(",");
    }
    take("const");
    want(";");
}

static void interface_body(const char *uuid)
{
    struct iface *i = add_iface(token);
    next();
    if (take(";"))
        return;
    if (take(":")) {
        set(i->base, token);
        next();
    }
    set(i->uuid, uuid);
    i->methods = calloc(128, sizeof *i->methods);
    want("{");
    while (!take("}"))
        one_method(&i->methods[i->count++]);
    take(";");
}

/* ---- statements ---- */

static struct member *member_named(struct structure *s, const char *name)
{
    for (unsigned i = 0; s && i < s->count; i++)
        if (strcmp(s->members[i].name, name) == 0)
            return &s->members[i];
    fail("no member %s", name);
    return NULL;
}

static struct structure *statement_struct(void)
{
    struct structure *s = find_struct(token);
    if (!s)
        fail("no struct");
    next();
    want(".");
    return s;
}

static void count_statement(void)
{
    struct structure *s = statement_struct();
    struct member *m = member_named(s, token);
    next();
    want("=");
    m->count = "MEMBER";
    m->kind = "P";
    set(m->count_of, token);
    next();
    want(";");
}

static void select_statement(void)
{
    struct structure *s = statement_struct();
    const int selector = (int)(member_named(s, token) - s->members);
    next();
    want(":");
    do {
        char name[2 * NAME];
        strcpy(name, token);
        next();
        if (take(".")) {
            strcat(strcat(name, "."), token);
            next();
        }
        struct member *m = member_named(s, name);
        want("=");
        m->selector = selector;
        m->low = (int)expression();
        m->high = take("..") ? (int)expression() : m->low;
    } while (take(","));
    want(";");
}

static void parse(const char *file)
{
    FILE *f = fopen(file, "rb");
    path = file;
    if (!f || fseek(f, 0, SEEK_END)) {
        perror(file);
        exit(1);
    }
    const long size = ftell(f);
    rewind(f);
    text = at = calloc(1, (size_t)size + 1);
    if (fread(text, 1, (size_t)size, f) != (size_t)size)
        exit(1);
    fclose(f);
    char uuid[48] = "";
    next();
    while (token[0]) {
        if (take("import") || take("cpp_quote") || take("midl_pragma")) {
            if (take("(")) {
                unsigned depth = 1;
                while (depth) {
                    depth += is("(");
                    depth -= is(")");
                    if (!next() && depth)
                        fail("no end");
                }
            } else {
                while (!take(";"))
                    next();
            }
        } else if (take("const")) {
            char name[NAME];
            const bool real = is("FLOAT");
            next();
            set(name, token);
            next();
            want("=");
            if (real) {
                while (!is(";"))
                    next();
            } else {
                add_constant("NONE", name, expression());
            }
            want(";");
        } else if (is("[")) {
            char *found = strstr(at, "uuid");
            char *end = strchr(at, ']');
            if (found && found < end)
                sscanf(found + 4, " ( %47[0-9a-fA-F-]", uuid);
            at = end + 1;
            next();
        } else if (take("interface")) {
            interface_body(uuid);
        } else if (take("typedef")) {
            type_definition();
        } else if (take("struct")) { /* without a typedef, or declared ahead */
            char name[NAME];
            set(name, token);
            next();
            if (!take(";"))
                struct_body(name);
        } else if (take("count")) {
            count_statement();
        } else if (take("select")) {
            select_statement();
        } else if (take("export")) {
            one_method(&functions[function_count++]);
        } else if (take(";")) {
            ;
        } else if (isupper((unsigned char)token[0]) || take("extern")) { /* DEFINE_GUID(...); */
            while (!take(";"))
                next();
        } else {
            fail("unknown statement");
        }
    }
}

/* ---- the table ---- */

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

int main(int argc, char **argv)
{
    structs = calloc(700, sizeof *structs);
    constants = calloc(8000, sizeof *constants);
    struct iface *unknown = add_iface("IUnknown");
    set(unknown->uuid, "00000000-0000-0000-C000-000000000046");
    for (int i = 1; i < argc; i++)
        parse(argv[i]);
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
    return 0;
}
