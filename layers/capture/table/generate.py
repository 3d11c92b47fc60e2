#!/usr/bin/env python3
"""Reads D3D12's IDL and writes the committed table, d3d12_table.h. For developers only: the build does not run it.

    D=/usr/include/directx
    ./generate.py $D/dxgiformat.idl $D/dxgicommon.idl $D/d3dcommon.idl supplement_types.idl $D/D3D12MarkerApiEnums.idl \\
        $D/d3d12.idl $D/d3d12sdklayers.idl $D/d3d12video.idl supplement.idl > d3d12_table.h

of the newest headers that there are, 1.619.1. The table has all that older and newer ones have, so nothing is compiled with
their types: what is passed is written in C's own types of the same size and class. To see whether headers have something that
the table lacks:

    ./generate.py --known d3d12_table.h $D/dxgiformat.idl ... supplement.idl

which prints each interface, method and structure that is not there, or is another there, and fails if there is one.

The IDL has what the C headers lost: the SAL annotations, which say how many elements a pointer has and who writes them.
supplement.idl is IDL too, with statements of its own for what the annotations cannot say:

    count STRUCT.pointer = FIELD;             a pointer that no annotation sizes; FIELD * OTHER: in bytes
    select STRUCT.selector: member = LO..HI;  which member of a union is valid, by the value of another field
    without STRUCT.member;                    a last member of a union by which newer headers made the structure larger
    kind STRUCT.member = KIND;                what a pointer leads to, of enum schema_kind
    asks STRUCT: member, member;              what CheckFeatureSupport reads of a feature's structure, all without members; it writes
                                              the others, and all of a structure that has no statement
    subobjects ENUM: NAME = TYPE, ...;        what follows a subobject's type, ENUM_NAME
    unlimited NAME, ...;                      methods of that name, or all of an interface: the GPU writes where memory says, not the call

A statement or a type that this program does not know ends it with the line. Offsets are those of x86-64, where the three
binary interfaces agree; tests/build/table.sh asserts them against the headers that are installed.
"""
import re
import sys
from uuid import UUID

# name: kind, bytes
SCALARS = {name: (kind, size) for kind, size, names in (
    ('U', 4, 'UINT UINT32 ULONG DWORD uint32_t'), ('U', 8, 'UINT64 uint64_t SIZE_T size_t'), ('U', 2, 'UINT16 USHORT'),
    ('U', 1, 'UINT8 BYTE UCHAR void VOID char annot_device annot_driver'), ('I', 4, 'INT int LONG annot_result'),
    ('I', 8, 'INT64 LONG_PTR'), ('I', 1, 'INT8 CHAR'), ('I', 2, 'INT16'), ('R', 4, 'HRESULT'), ('B', 4, 'BOOL'), ('B', 1, 'bool'),
    ('F', 4, 'FLOAT float'), ('F', 8, 'DOUBLE'), ('G', 16, 'GUID IID CLSID'), ('K', 8, 'HANDLE'),
    ('A', 8, 'D3D12_GPU_VIRTUAL_ADDRESS'), ('C', 8, 'D3D12_CPU_DESCRIPTOR_HANDLE'), ('H', 8, 'D3D12_GPU_DESCRIPTOR_HANDLE'),
    ('W', 8, 'LPCWSTR'), ('Z', 8, 'LPCSTR'), ('X', 8, 'HMONITOR HWND'),
    ('Y', 8, 'PFN_DESTRUCTION_CALLBACK D3D12MessageFunc D3D12_DUMPFILEBEGINCALLBACK D3D12_DUMPFILEENDCALLBACK'),
) for name in names.split()}


class Member:
    """A member of a structure, a parameter, or a result."""

    def __init__(self):
        self.name = self.ctype = ''  # ctype: as C writes it
        self.dir = 'READ'  # READ, WRITE, BOTH: by the callee
        self.kind, self.elem = None, 'U'  # elem: of what a pointer points to, and of a member of an array
        self.ref = 'NONE'  # struct, interface or enum behind it
        self.size = self.elem_size = self.align = self.offset = 0  # bytes
        self.array = 1  # elements in place
        self.count, self.count_of, self.count_value = 'NONE', 'NONE', 0  # ONE, FIXED, MEMBER, DEREF; NONE for no sized pointer
        self.multiplier = 1
        self.in_union = self.selector = -1
        self.low = self.high = 0
        self.by_value = self.bits = self.in_bytes = self.is_object = self.varies = False  # is_object: [object] void *p, of the supplement


class Struct:
    def __init__(self, name):
        self.name, self.size, self.align, self.unions, self.members = name, 0, 1, 0, []


class Interface:
    def __init__(self, name):
        self.name, self.base, self.uuid, self.methods, self.has_child = name, '', '', [], False


class Method:
    def __init__(self):
        self.name, self.result, self.params = '', None, []


structs, enums, constants, functions = [], [], [], []  # constants: owner, name, value
unlimited = []  # names
subobjects, questions = {}, {}  # of an enumeration: value, kind, type, size; of a structure: its members that are read
values, aliases, interfaces = {}, {}, {'IUnknown': Interface('IUnknown')}
interfaces['IUnknown'].uuid = '00000000-0000-0000-C000-000000000046'


def rounded(value, to):
    return (value + to - 1) // to * to if to else value


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def find_struct(name):
    return next((s for s in structs if s.name == name), None)


def base_type(member, written, fail):
    """The type that the name stands for without a pointer."""
    name = aliases.get(written, written)
    if name in SCALARS:
        member.elem, member.elem_size = SCALARS[name]
        member.align = 4 if member.elem == 'G' else member.elem_size
        return
    member.ref = name
    struct = find_struct(name)
    if struct:
        member.elem, member.elem_size, member.align = 'S', struct.size, struct.align
    elif name in enums:
        member.elem, member.elem_size, member.align = 'E', 4, 4
    elif name in interfaces:
        member.elem, member.elem_size, member.align = 'O', 8, 8
    elif name in ('WCHAR', 'wchar_t'):  # 2 or 4 bytes: a structure that has some is no row
        member.elem_size = member.align = 2
        member.varies = True
    elif name == 'SECURITY_ATTRIBUTES':  # passed on, not followed
        member.elem, member.elem_size, member.align, member.ref = 'U', 1, 1, 'NONE'
    else:
        fail(f'unknown type {name}')


def count_from(member, expression):
    """An annotation's count: `*pSize`, `Num`, `Num * sizeof(UINT)`, a constant, or another annotation."""
    expression = expression.lstrip(' ')
    member.count = 'DEREF' if expression.startswith('*') else 'MEMBER'
    word, rest = re.match(r'\*?(\w*)\s*(\S*)', expression, re.A).groups()
    member.multiplier = 4 if word and rest in ('*sizeof(UINT))', '*sizeof(UINT)') else 1
    if word.startswith('_'):  # another annotation, or _Inexpressible_
        member.count = 'NONE'
        if 'Outptr' in word:
            member.dir = 'WRITE'
    elif word.isdigit():
        member.count, member.count_value = 'FIXED', int(word)
    elif word in values:
        member.count, member.count_value = 'FIXED', signed(values[word], 32)
    else:
        member.count_of = word


def plain_type(member, name, stars):
    """Types that hide a pointer, and strings, which have types of their own here."""
    if name in ('REFIID', 'REFGUID', 'REFCLSID'):
        member.count = 'ONE'
        return 'GUID', 1
    if name in ('LPVOID', 'LPCVOID'):
        return 'void', stars + 1
    if name in ('wchar_t', 'WCHAR') and stars:
        return 'LPCWSTR', stars - 1
    if name == 'char' and stars:
        return 'LPCSTR', stars - 1
    return name, stars


def pointer_member(member, stars, is_void):
    """The type that a pointer points to, and how much of it."""
    member.kind, member.size, member.align = 'P', 8, 8
    if stars > 1 and member.elem == 'S':  # pointers to pointers
        member.elem, member.elem_size = 'PP', 8
    if stars > 1 and member.elem == 'E':  # lists of formats, each of a number that another array has
        member.kind, member.count = 'X', 'NONE'
    elif is_void and member.elem != 'O' and member.count == 'NONE' or member.elem_size == 0 or member.elem == 'X':
        member.kind = 'X'  # of no known size, or the next of a list that the runtime owns
    elif member.count == 'NONE':
        member.count = 'ONE'
    if member.in_bytes and not is_void and member.elem != 'U':  # so many bytes of it
        member.elem, member.elem_size, member.ref = 'U', 1, 'NONE'
    if 'SECURITY_ATTRIBUTES' in member.ctype:
        member.kind = 'X'


class Parser:
    """A file: tokens, one ahead of what is read, and its declarations."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding='utf-8-sig', errors='replace') as file:
            self.text = file.read()
        pattern = r'\s+|//[^\n]*|/\*.*?\*/|#[^\n]*|"(?P<string>(?:\\.|[^"\\])*)"|(?P<token>\w+|<<|\.\.|.)'
        self.tokens = [(m.start(), m['token'] if m['token'] else '"' + re.sub(r'\\(.)', r'\1', m['string']))
                       for m in re.finditer(pattern, self.text, re.S | re.A) if m.lastgroup]
        self.at, self.token = -1, ''
        self.next()

    def fail(self, message):
        line = self.text.count('\n', 0, self.tokens[min(self.at, len(self.tokens) - 1)][0]) + 1
        sys.exit(f"{self.path}:{line}: {message} (at '{self.token}')")

    def next(self):
        """To the next token, '' at the end; a string begins with its quote. Returns the one before."""
        before, self.at = self.token, self.at + 1
        self.token = self.tokens[self.at][1] if self.at < len(self.tokens) else ''
        return before

    def take(self, what):
        if self.token != what:
            return False
        self.next()
        return True

    def want(self, what):
        if not self.take(what):
            self.fail(f"'{what}' is missing")

    def skip_to(self, what):
        while not self.take(what):
            if not self.token:
                self.fail(f"'{what}' is missing")
            self.next()

    # ---- constants ----

    def primary(self):
        if self.take('('):
            value = self.expression()
            self.want(')')
            return value
        if self.take('-'):
            return -self.primary()
        if self.take('~'):
            return ~self.primary()
        word = self.next()
        number = re.match(r'0[xX][0-9a-fA-F]+|\d+', word)
        if number:
            digits = number[0]
            return signed(int(digits, 8 if re.fullmatch(r'0\d+', digits) else 0))
        if word not in values:
            self.fail('unknown constant')
        return values[word]

    def expression(self):
        value = self.primary()
        while True:
            if self.take('|'):
                value |= self.primary()
            elif self.take('&'):
                value &= self.primary()
            elif self.take('+'):
                value += self.primary()
            elif self.take('-'):
                value -= self.primary()
            elif self.take('<<'):
                value <<= self.primary()
            else:
                return signed(value)

    def add_constant(self, owner, name, value):
        constants.append((owner, name, value))
        values[name] = value

    # ---- members ----

    def attributes(self):
        """[in], [out], [annotation("...")], any order and number: a member that has them, and no type yet."""
        member = Member()
        while self.take('['):
            depth = 1
            while depth:
                token = self.next()
                depth += (token == '[') - (token == ']')
                member.is_object |= token == 'object'
                if token == 'out' or token.startswith(('"_Out', '"_COM_Outptr')):
                    member.dir = 'WRITE'
                if token.startswith('"_Inout'):
                    member.dir = 'BOTH'
                if token.startswith('"') and '(' in token and not token.startswith('"_In_range'):
                    member.in_bytes = 'bytes' in token
                    count_from(member, token.partition('(')[2])
                if not token:
                    self.fail('attribute without an end')
        return member

    def written_type(self, member):
        """A type as it is written: its name, and how many pointers it has."""
        name, stars = '', 0
        while True:
            if self.token in ('const', 'FIXED'):
                member.ctype += 'const '
            elif self.token == '*':
                stars += 1
                member.ctype += '*'
            elif self.token not in ('struct', 'interface'):
                if name:
                    return name, stars
                name = self.token
                member.ctype += name + ' '
            self.next()

    def declared(self, named=True):
        """[ATTRIBUTES] TYPE NAME [N] up to, not including, the separator."""
        member = self.attributes()
        if named and self.token == 'struct' and self.tokens[self.at + 1][1] == '{':
            return None  # of a union
        name, stars = plain_type(member, *self.written_type(member))
        if named:
            member.name = self.next()
        is_void = name in ('void', 'VOID')
        base_type(member, name, self.fail)
        bound = 0
        while self.take('['):
            bound = (bound or 1) * self.expression()
            self.want(']')
        member.array = bound or 1
        if self.take(':'):
            member.bits, member.count_value = True, self.expression()
        if member.is_object:
            member.elem, member.elem_size, member.ref = 'O', 8, 'IUnknown'
        if member.elem == 'O' and stars:
            stars -= 1  # an interface pointer is the object
            if not stars and bound == 0:
                member.count = 'NONE'
        if is_void and stars == 2:  # void **: an object by its IID, or memory
            member.elem, member.elem_size, member.ref, stars = 'O', 8, 'IUnknown', 1
            if member.count == 'NONE' and member.dir == 'WRITE' and member.name == 'ppData':
                member.elem, member.ref = 'X', 'NONE'
        member.size, member.kind = member.elem_size, member.elem
        if stars:
            pointer_member(member, stars, is_void)
        elif bound:
            member.size = member.elem_size * bound
        else:
            member.count = 'NONE'
        return member

    # ---- structures and enumerations ----

    def nested_struct(self, struct, number):
        """struct {...} NAME; inside a union: its members as NAME.member, which offsetof takes. Returns size and alignment."""
        members, offset = [], 0
        self.want('struct')
        self.want('{')
        while not self.take('}'):
            member = self.declared()
            self.want(';')
            member.in_union, member.offset = number, rounded(offset, member.align)
            offset = member.offset + member.size
            members.append(member)
        name = self.next()
        self.want(';')
        for member in members:
            member.name = f'{name}.{member.name}'
        struct.members += members
        return offset, max([1] + [member.align for member in members])

    def union_body(self, struct, offset, is_member=True):
        """Returns the offset behind it."""
        number, first, size, align = struct.unions, len(struct.members), 0, 1
        struct.unions += 1
        self.want('{')
        while not self.take('}'):
            member = self.declared()
            if member:
                self.want(';')
                member.in_union = number
                struct.members.append(member)
            own = (member.size, member.align) if member else self.nested_struct(struct, number)
            size, align = max(size, own[0]), max(align, own[1])
        if is_member:
            self.token == ';' or self.fail('a union with a name')
            self.next()
        offset = rounded(offset, align)
        for member in struct.members[first:]:
            member.offset += offset
        struct.align = max(struct.align, align)
        return offset + rounded(size, align)

    def struct_body(self, name, is_union=False):
        struct = Struct(name)
        structs.append(struct)
        offset = bits = 0
        if is_union:  # all of it
            struct.size = self.union_body(struct, 0, False)
            return
        self.want('{')
        while not self.take('}'):
            if self.take('union'):
                offset = self.union_body(struct, offset)
                continue
            member = self.declared()
            self.want(';')
            if member.bits:  # neighbours in one word: one member, of the word
                is_first = bits % 32 == 0
                bits += member.count_value
                if not is_first:
                    continue
                member.size, member.align = 4, 4
            else:
                bits = 0
                struct.align = max(struct.align, member.align)
            member.offset = rounded(offset, member.align)
            offset = member.offset + member.size
            struct.members.append(member)
        struct.size = rounded(offset, struct.align)

    def enum_body(self, name):
        value = 0
        enums.append(name)
        self.want('{')
        while not self.take('}'):
            constant = self.next()
            if self.take('='):
                value = self.expression()
            self.add_constant(name, constant, value)
            value += 1
            if self.token != '}':
                self.want(',')

    def type_definition(self):
        """typedef struct N {...} N; typedef enum N {...} N; typedef A B;"""
        what = self.next()
        if what in ('struct', 'enum', 'union'):
            name = '' if self.token == '{' else self.next()
            if self.token != '{':
                self.fail('typedef without a body')
            self.enum_body(name) if what == 'enum' else self.struct_body(name, what == 'union')
            if what == 'struct' and any(m.varies for m in structs[-1].members):
                structs.pop()
                return self.skip_to(';')
            if what == 'struct' and name.startswith('_'):  # known by its typedef
                if find_struct(self.token):
                    structs.pop()
                else:
                    structs[-1].name = self.token
            elif self.token not in (name, ';'):
                aliases.setdefault(self.token, name)
            self.skip_to(';')
        elif self.tokens[self.at + (self.token == '*')][1] == '(':  # RESULT (__stdcall *NAME)(...): a callback
            while not (self.token == '*' and self.tokens[self.at + 2][1] == ')'):
                self.next() or self.fail('a function pointer without a name')
            self.next()
            SCALARS.setdefault(self.token, ('Y', 8))
            self.skip_to(';')
        else:
            if self.token not in SCALARS:
                aliases.setdefault(self.token, aliases.get(what, what))
            self.next()
            self.want(';')

    # ---- interfaces ----

    def parameter(self):
        param = self.declared()
        if param.kind == param.elem and param.array > 1:  # FLOAT f[4] is a pointer here
            param.count, param.count_value, param.array, param.kind, param.size = 'FIXED', param.array, 1, 'P', 8
            param.ctype += '*'
        elif '*' not in param.ctype and param.ctype.startswith('const '):
            param.ctype = param.ctype[6:]
        if param.kind == 'S' and param.size > 8:  # larger than a word: passed on as a pointer
            param.kind, param.size, param.count, param.by_value = 'P', 8, 'ONE', True
        return param

    def method(self):
        method = Method()
        method.result = self.declared(named=False)
        method.name = self.next()
        self.want('(')
        if self.token == 'void' and self.tokens[self.at + 1][1] == ')':
            self.next()
        while not self.take(')'):
            method.params.append(self.parameter())
            if self.token != ')':
                self.want(',')
        self.take('const')
        self.want(';')
        return method

    def interface_body(self, uuid):
        interface = interfaces.setdefault(self.token, Interface(self.token))
        self.next()
        if self.take(';'):
            return
        if self.take(':'):
            interface.base = self.next()
        interface.uuid = uuid
        self.want('{')
        while not self.take('}'):
            interface.methods.append(self.method())
        self.take(';')

    # ---- statements ----

    def statement_member(self):
        """STRUCT.member"""
        struct = find_struct(self.token) or self.fail('no struct')
        self.next()
        self.want('.')
        return struct, self.member_named(struct, self.next())

    def member_named(self, struct, name):
        return next((m for m in struct.members if m.name == name), None) or self.fail(f'no member {name}')

    def count_statement(self):
        member = self.statement_member()[1]
        self.want('=')
        member.count, member.kind, member.count_of = 'MEMBER', 'P', self.next()
        if self.take('*'):
            member.count, member.multiplier = 'PRODUCT', self.next()
        if member.elem_size == 0:
            member.elem, member.elem_size = 'U', 1
        self.want(';')

    def select_statement(self):
        struct, selector = self.statement_member()
        self.want(':')
        while True:
            name = self.next()
            if self.take('.'):
                name += '.' + self.next()
            member = self.member_named(struct, name)
            self.want('=')
            member.selector, member.low = struct.members.index(selector), self.expression()
            member.high = self.expression() if self.take('..') else member.low
            if not self.take(','):
                break
        self.want(';')

    def without_statement(self):
        struct, member = self.statement_member()
        struct.members.remove(member)
        struct.size = rounded(max(m.offset + m.size for m in struct.members), struct.align)
        for user in [m for s in structs for m in s.members] + [p for i in interfaces.values() for m in i.methods for p in m.params]:
            if user.ref == struct.name and user.kind == 'P':
                user.elem_size = struct.size
        self.want(';')

    def kind_statement(self):
        member = self.statement_member()[1]
        self.want('=')
        if member.elem == 'PP':
            member.elem = self.next()
        else:
            member.kind = self.next()
        self.want(';')

    def asks_statement(self):
        struct = find_struct(self.next()) or self.fail('no struct')
        asked = questions[struct.name] = struct.members if self.token == ';' else []
        while self.token != ';':
            self.next()  # the colon, or a comma
            asked.append(self.member_named(struct, self.next()))
        self.want(';')

    def subobjects_statement(self):
        owner = self.next()
        rows = subobjects.setdefault(owner, [])
        while self.token != ';':
            self.next()  # the colon, or a comma
            value, member = values.get(f'{owner}_{self.token}'), Member()
            value is not None or self.fail('unknown constant')
            self.next()
            self.want('=')
            base_type(member, self.next(), self.fail)
            rows.append((value, member.elem, member.ref, member.elem_size))
        self.want(';')

    def unlimited_statement(self):
        while True:
            every = [m.name for i in interfaces.values() for m in i.methods] + list(interfaces)
            self.token in every or self.fail('no method, and no interface')
            unlimited.append(self.next())
            if not self.take(','):
                break
        self.want(';')

    def skip_directive(self):
        """import "..."; cpp_quote("..."), midl_pragma ...( ... )"""
        if not self.take('('):
            return self.skip_to(';')
        depth = 1
        while depth:
            if not self.token:
                self.fail('no end')
            depth += (self.token == '(') - (self.token == ')')
            self.next()

    def constant_statement(self):
        is_real, name = self.next() == 'FLOAT', self.next()
        self.want('=')
        if is_real:
            return self.skip_to(';')
        self.add_constant('NONE', name, self.expression())
        self.want(';')

    def parse(self):
        uuid = ''
        while self.token:
            word = self.next()
            if word in ('import', 'cpp_quote', 'midl_pragma'):
                self.skip_directive()
            elif word == 'const':
                self.constant_statement()
            elif word == '[':
                start = self.at
                self.skip_to(']')
                found = re.search(r'uuid\(([0-9a-fA-F-]*)', ''.join(token for _, token in self.tokens[start:self.at]))
                uuid = found[1] if found else uuid
            elif word == 'interface':
                self.interface_body(uuid)
            elif word == 'typedef':
                self.type_definition()
            elif word == 'struct':  # without a typedef, or declared ahead
                name = self.next()
                self.take(';') or self.struct_body(name)
            elif word == 'count':
                self.count_statement()
            elif word in ('without', 'kind', 'asks', 'subobjects', 'unlimited'):
                getattr(self, f'{word}_statement')()
            elif word == 'select':
                self.select_statement()
            elif word == 'export':
                functions.append(self.method())
            elif word[0].isupper() or word == 'extern':  # DEFINE_GUID(...);
                self.skip_to(';')
            elif word != ';':
                self.fail(f'unknown statement {word}')


# ---- the table ----

# Of interfaces that have another name in traces. ID3D12DeviceTools2 was that of the specification v0.06 until it was published.
TRACED = {'annot_ID3D12DeviceTools2_v006': 'ID3D12DeviceTools2', 'ID3D12DeviceTools2': 'ID3D12DeviceTools2.published'}


def digest(interface, method):
    value = 2166136261
    for byte in f'{TRACED.get(interface, interface)}:{method}'.encode():
        value = (value ^ byte) * 16777619 & 0xffffffff
    return value


def shape(member, all_members):
    kind, how, of, times = member.kind, member.count, -1, member.multiplier
    if how == 'PRODUCT':
        times = next(i for i, other in enumerate(all_members) if other.name == times)
    if how in ('MEMBER', 'DEREF', 'PRODUCT'):
        of = next((i for i, other in enumerate(all_members) if other.name == member.count_of), -1)
        if of < 0:
            print(f'generate: {member.name} is sized by {member.count_of}, which is not beside it: not followed', file=sys.stderr)
            kind, how = 'X', 'NONE'
    return (f'{kind}, {"P" if member.elem == "PP" else member.elem}, {member.ref}, {member.size}, {member.elem_size}, {how}, '
            f'{member.count_value if member.count == "FIXED" else of}, {times}')


def put(name, rows):
    print(f'#define D3D12_{name}(ROW) \\')
    for row in rows:
        print(f'    {row} \\')
    print()


def put_counted(name, groups):
    """Each with the number of its first part, and how many it has."""
    first, rows = 0, []
    for head, count in groups:
        rows.append(f'ROW({head}, {first}, {count})')
        first += count
    put(name, rows)


def is_answer(struct, member):
    """Only written by the call that is given it."""
    return struct in answered and member not in questions.get(struct.name, [])


def put_structs():
    put_counted('STRUCTS', [(f'{s.name}, {s.size}', len(s.members)) for s in structs])
    put('FIELDS', [f'ROW({s.name}, {m.name}, {m.offset}, {shape(m, s.members)}, {m.array}, {m.in_union}, {m.selector}, {m.low}, '
                   f'{m.high}, {"BITS" if m.bits else "FIELD"}, {"WRITE" if is_answer(s, m) else "READ"})' for s in structs for m in s.members])


# D3D12_FEATURE_X takes D3D12_FEATURE_DATA_X: the enumerations, and whose CheckFeatureSupport has them.
FEATURES = {'D3D12_FEATURE': 'ID3D12Device', 'D3D12_FEATURE_VIDEO': 'ID3D12VideoDevice'}


def features():
    for owner, name, value in constants:
        data = name.replace('D3D12_FEATURE_', 'D3D12_FEATURE_DATA_', 1)
        if owner in FEATURES and find_struct(data):
            yield FEATURES[owner], value, find_struct(data)


answered = []


def put_untyped():
    """What follows a number that says its type."""
    put('FEATURES', [f'ROW({interface}, {value}, {struct.name})' for interface, value, struct in features()])
    put('UNLIMITED', [f'ROW({interface.name}, {method.name})' for interface in interfaces.values() for method in interface.methods
                      if method.name in unlimited or interface.name in unlimited])
    for owner, rows in subobjects.items():
        put(owner.replace('D3D12_', '').replace('_TYPE', 'S'), [f'ROW({", ".join(map(str, row))})' for row in rows])


def put_enums():
    parts = {name: [c for c in constants if c[0] == name] for name in enums}
    put_counted('ENUMS', [(name, len(parts[name])) for name in enums])
    put('ENUMERATORS', [f'ROW({owner}, {name}, {value}ll)' for enum in enums for owner, name, value in parts[enum]])


def abi_type(member):
    """A type of C's of the same size and class, by which a method passes it."""
    kind, size = (member.elem, member.elem_size) if member.by_value else (member.kind, member.size)
    if kind in 'SCH' and (kind == 'S' or not member.name):
        by_value.add(size)
        return f'struct abi_{size} '
    if kind in 'PZWXYOK':
        return 'void *'
    if kind == 'F':
        return 'float ' if size == 4 else 'double '
    return f'{"" if kind in "IRE" else "u"}int{8 * size}_t '


by_value = set()


def result_kind(result):
    if result.ctype.startswith('void ') and result.kind == 'U':
        return 'NOTHING'
    return 'STRUCT' if result.kind in ('S', 'C', 'H') else 'VALUE'


def put_params(prefix, method):
    put(f'PARAMS_{prefix}{method.name}', [f'ROW({abi_type(p) if prefix else p.ctype}, {p.name}, {p.dir}, '
                                          f'{shape(p, method.params)})' for p in method.params])


def calls(methods):
    """Rows of (interface's name, method); the parameters of all are numbered in one sequence."""
    for name, method in methods:
        result, how, interface = method.result, result_kind(method.result), interfaces.get(name)
        ctype = result.ctype if not interface else 'void ' if how == 'NOTHING' else abi_type(result)
        slot = slots_of(interface) - len(interface.methods) + interface.methods.index(method) if interface else 0
        yield (f'ROW({name}, {method.name}, 0x{digest(name, method.name):08x}u, {how}, {ctype}, {result.kind}, '
               f'{result.ref}, {result.size}, {calls.params}, {len(method.params)}, {slot})')
        calls.params += len(method.params)


calls.params = 0


def slots_of(interface):
    base = interfaces.get(interface.base)
    return len(interface.methods) + (slots_of(base) if base else 0)


def bytes_of(uuid):
    """As they are in memory: three numbers, and bytes."""
    return UUID(uuid).bytes_le


def put_interfaces():
    every = interfaces.values()
    for interface in every:
        if interface.base in interfaces:
            interfaces[interface.base].has_child = True
        for method in interface.methods:
            put_params(interface.name + '_', method)
    for function in functions:
        put_params('', function)
        # An export's parameters between parentheses: as declared, and by name.
        print(f'#define D3D12_SIGNATURE_{function.name} {", ".join(p.ctype + p.name for p in function.params)}')
        print(f'#define D3D12_NAMES_{function.name} {", ".join(p.name for p in function.params)}\n')
    for interface in every:
        put(f'SLOTS_{interface.name}', [f'D3D12_SLOTS_{interface.base}(ROW)'] * bool(interface.base) +
            [f'ROW({interface.name}, {method.name})' for method in interface.methods])
    rows = []
    for interface in every:
        uuid = ', '.join(f'0x{byte:02x}' for byte in bytes_of(interface.uuid))
        rows.append(f'ROW({interface.name}, {interface.base or "NONE"}, {slots_of(interface)}, '
                    f'{"BASE" if interface.has_child else "LEAF"}, {uuid})')
    put('INTERFACES', rows)
    put('METHODS', calls((interface.name, method) for interface in every for method in interface.methods))
    put('EXPORTS', calls(('NONE', function) for function in functions))
    put('BY_VALUE', [f'ROW({size})' for size in sorted(by_value)])


# ---- what headers have and the table lacks ----


def lists_of(table):
    """The lists of a table, by name: their rows, as lists of their parts."""
    found = {}
    for head, body in re.findall(r'^#define D3D12_(\w+)\(ROW\) \\\n((?:    .*\n)*)', table, re.M):
        found[head] = [re.split(r',\s*', row) for row in re.findall(r'ROW\((.*)\)', body)]
    return found


LARGER = ('D3D12_UNORDERED_ACCESS_VIEW_DESC',)  # in newer headers: the table has what all of them have


def lacking(table):
    """A line for each interface, method and structure that the table has not, or has otherwise."""
    lists = lists_of(table)
    known = {row[0]: bytes(int(part, 16) for part in row[4:]) for row in lists['INTERFACES']}
    sizes = {row[0]: int(row[1]) for row in lists['STRUCTS']}
    fields = {(row[0], row[1]): (int(row[2]), int(row[6])) for row in lists['FIELDS']}
    params = {name[7:]: [(row[0].strip(), row[3]) for row in rows] for name, rows in lists.items() if name.startswith('PARAMS_')}
    slots = {(row[0], row[1]): int(row[10]) for row in lists['METHODS']}
    for interface in interfaces.values():
        if interface.name not in known:
            yield f'interface {interface.name} {{{interface.uuid}}}'
            continue
        if known[interface.name] != bytes_of(interface.uuid):
            yield f'interface {interface.name}: another IID'
        for i, method in enumerate(interface.methods):
            slot = slots_of(interface) - len(interface.methods) + i
            own = [(abi_type(p).strip(), shape(p, method.params).partition(',')[0]) for p in method.params]
            if slots.get((interface.name, method.name)) != slot or params.get(f'{interface.name}_{method.name}') != own:
                yield f'method {interface.name}::{method.name}'
    for struct in structs:
        if struct.name not in sizes:
            yield f'structure {struct.name}'
        elif sizes[struct.name] != struct.size and struct.name not in LARGER or any(
                fields.get((struct.name, m.name), (m.offset, m.size)) != (m.offset, m.size) for m in struct.members):
            yield f'structure {struct.name}: another layout'


def put_assertions():
    """C that compares this program's own layout with that of a compiler."""
    for struct in structs:
        print(f'_Static_assert(sizeof({struct.name}) == {struct.size}, "{struct.name}");')
        for m in struct.members:
            if not m.bits:
                print(f'_Static_assert(offsetof({struct.name}, {m.name}) == {m.offset}, "{struct.name}.{m.name}");')
    for interface in interfaces.values():
        print(f'_Static_assert(sizeof({interface.name}Vtbl) == {slots_of(interface)} * sizeof(void *), "{interface.name}");')


mode = sys.argv.pop(1) if sys.argv[1].startswith('--') else ''
committed = open(sys.argv.pop(1), encoding='utf-8').read() if mode == '--known' else ''
for file_path in sys.argv[1:]:
    Parser(file_path).parse()
if mode == '--known':
    lines = list(lacking(committed))
    print('\n'.join(f'not in the table: {line}' for line in lines) or 'the table has all of it')
    sys.exit(bool(lines))
if mode == '--assertions':
    put_assertions()
    sys.exit()
print('/* Written by generate.py out of DirectX-Headers\' IDL and the supplements beside it; not edited. */\n'
      '/* clang-format off */\n'
      '#ifndef CAPTURE_D3D12_TABLE_H\n#define CAPTURE_D3D12_TABLE_H\n')
answered += [struct for interface, _, struct in features() if interface == 'ID3D12Device']
put_structs()
put_enums()
put_untyped()
put_interfaces()
print('#endif')
print(f'{len(interfaces)} interfaces, {len(structs)} structs, {len(enums)} enums, {len(functions)} exports, {calls.params} parameters',
      file=sys.stderr)
