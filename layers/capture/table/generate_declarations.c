/* The IDL's declarations: types, annotations, interfaces, and the supplements' statements. */
#include "generate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct iface *find_iface(const char *name)
{
    for (unsigned i = 0; i < iface_count; i++)
        if (strcmp(ifaces[i].name, name) == 0)
            return &ifaces[i];
    return NULL;
}

struct iface *add_iface(const char *name)
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

/* The type that the name stands for without a pointer. */
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

/* Reads a type as it is written; how many pointers it has. */
static unsigned written_type(struct member *m, char type[NAME])
{
    unsigned stars = 0;
    type[0] = '\0';
    m->ctype[0] = '\0';
    for (;;) {
        if (is("const") || is("FIXED")) {
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
            return stars;
        }
    }
}

/* Types that hide a pointer, and strings, which have types of their own here. */
static unsigned plain_type(struct member *m, char type[NAME], unsigned stars)
{
    if (strcmp(type, "REFIID") == 0 || strcmp(type, "REFGUID") == 0 ||
        strcmp(type, "REFCLSID") == 0) {
        set(type, "GUID");
        m->count = "ONE";
        return 1;
    } else if (strcmp(type, "LPVOID") == 0 || strcmp(type, "LPCVOID") == 0) {
        set(type, "void");
        return stars + 1;
    } else if ((strcmp(type, "wchar_t") == 0 || strcmp(type, "WCHAR") == 0) && stars) {
        set(type, "LPCWSTR");
        return stars - 1;
    } else if (strcmp(type, "char") == 0 && stars) {
        set(type, "LPCSTR");
        return stars - 1;
    }
    return stars;
}

/* The type that a pointer points to, and how much of it. */
static void pointer_member(struct member *m, unsigned stars, bool is_void)
{
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
}

/* TYPE NAME [N] up to, not including, the separator. */
static void declared(struct member *m, bool named)
{
    char type[NAME];
    unsigned stars = written_type(m, type);
    stars = plain_type(m, type, stars);
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
    if (bound)
        m->array = bound;
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
    if (stars)
        pointer_member(m, stars, is_void);
    else if (bound)
        m->size = m->elem_size * bound;
    else
        m->count = "NONE";
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

/* import "..."; cpp_quote("..."), midl_pragma ...( ... ) */
static void skip_directive(void)
{
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
}

static void constant_statement(void)
{
    char name[NAME];
    const bool real = is("FLOAT");
    next();
    set(name, token);
    next();
    want("=");
    if (real)
        while (!is(";"))
            next();
    else
        add_constant("NONE", name, expression());
    want(";");
}

void parse(const char *file)
{
    tokens_begin(file);
    char uuid[48] = "";
    while (token[0]) {
        if (take("import") || take("cpp_quote") || take("midl_pragma")) {
            skip_directive();
        } else if (take("const")) {
            constant_statement();
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
