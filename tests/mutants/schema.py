"""The mutants of a C file, all in one file: which wrong changes its functions offer, and the text that chooses one at run time.

clang says where the expressions and statements are; the text stays as it is around them, line by line. Only the bodies of
functions are looked at, and no constant expressions and nothing that a macro's expansion has inside.
"""
import json
import re
import subprocess

RELATIONS = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['==']}
SAME_WHERE_EQUAL = {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}
ARITHMETIC = {'+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '&': '|', '|': '&', '^': '|', '<<': '>>', '>>': '<<'}
ASSIGNMENTS = {'+=': '-=', '-=': '+=', '*=': '+=', '/=': '*=', '%=': '/=', '&=': '|=', '|=': '&=', '^=': '|=', '<<=': '>>=', '>>=': '<<='}
EXPRESSIONS = {'CallExpr', 'BinaryOperator', 'CompoundAssignOperator', 'UnaryOperator', 'AtomicExpr', 'ParenExpr', 'StmtExpr'}
JUMPS = {'BreakStmt', 'ContinueStmt', 'GotoStmt'}
CONSTANT = {'ConstantExpr', 'UnaryExprOrTypeTraitExpr', 'OffsetOfExpr', 'StaticAssertDecl', 'GenericSelectionExpr',
            'TypedefDecl', 'RecordDecl', 'EnumDecl'}


# What changes nothing that a test could see: the order of two that are compared, what the C library here does for locks.
SYMMETRIC = re.compile(r'(\w*cmp|\w*is_same\w*|smaller|larger)\(')
LOCKS = re.compile(r'(pthread_(mutex|cond)\w*_(init|destroy)|annot__mutex_(init|finish)|ANNOT__PREFETCH)\b')


class Site:
    """A stretch of the text with what may stand there instead: [(operator, text)]."""

    def __init__(self, start, end, statement):
        self.start, self.end, self.statement, self.choices, self.inner = start, end, statement, [], []


class Mutant:
    """Lines before and after as a reader knows them, without the spaces around them."""

    def __init__(self, site, choice, path, line, before, after):
        self.site, (self.operator, self.choice) = site, choice
        self.path, self.line, self.before, self.after = path, line, before, after


def bare(text):
    """On one line, without comments."""
    text = re.sub(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')|/\*.*?\*/|//[^\n]*', lambda m: m[1] or '', text, flags=re.S)
    return re.sub(r'\s*\n\s*', ' ', text)


class File:
    def __init__(self, path, name, flags, every_change=False):
        self.name, self.every_change = name, every_change
        with open(path, 'rb') as file:
            self.text = file.read().decode('latin-1') # offsets are those of bytes
        self.sites, self.choices = {}, set()
        dump = subprocess.run(['clang', '-fsyntax-only', '-w', *flags, '-Xclang', '-ast-dump=json', path],
                              stdout=subprocess.PIPE, check=True).stdout
        self.path, self.file, self.enumerators = path, None, {}
        for node in json.loads(dump)['inner']:
            here = self.is_here(node)
            if node['kind'] == 'EnumDecl':
                self.note_values(node)
            if here and node['kind'] == 'FunctionDecl' and node.get('inner', [{}])[-1].get('kind') == 'CompoundStmt':
                self.statement(node['inner'][-1], False)
        self.nest()

    def is_here(self, node):
        """The dump names a file where it differs from that of the place printed before."""
        location = node.get('loc', {})
        own = self.follow(location)
        self.follow({k: v for k, v in node.items() if k != 'loc'})
        return own == self.path

    def follow(self, value):
        if isinstance(value, dict):
            if 'offset' in value and 'file' in value:
                self.file = value['file']
            if 'offset' in value:
                own = self.file
                for key in value:
                    self.follow(value[key])
                return own
            for key in value:
                self.follow(value[key])
        elif isinstance(value, list):
            for part in value:
                self.follow(part)
        return self.file

    def note_values(self, enum):
        value = -1
        for node in enum.get('inner', []):
            if node['kind'] == 'EnumConstantDecl':
                given = [part['value'] for part in node.get('inner', []) if 'value' in part]
                value = int(given[0]) if given else value + 1
                self.enumerators[node['name']] = value

    # ---- where ----

    def span(self, node):
        """(start, end, whether a macro gives all of it), or None within a macro's arguments."""
        begin, end = node['range'].get('begin', {}), node['range'].get('end', {})
        if not begin or not end:
            return None
        for place in begin, end:
            if place.get('spellingLoc', {}).get('isMacroArgExpansion') or place.get('expansionLoc', {}).get('isMacroArgExpansion'):
                return None
        inside = 'expansionLoc' in begin and 'expansionLoc' in end and \
            begin['expansionLoc']['offset'] == end['expansionLoc']['offset']
        first, last = begin.get('expansionLoc', begin), end.get('expansionLoc', end)
        if 'offset' not in first or 'offset' not in last:
            return None
        stop = last['offset'] + last['tokLen']
        if 'expansionLoc' in end and re.match(r'\s*\(', self.text[stop:]):
            stop = self.behind_bracket(self.text.index('(', stop))
        return first['offset'], stop, inside

    def behind_bracket(self, at):
        depth = 0
        for match in re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[()]').finditer(self.text, at):
            depth += {'(': 1, ')': -1}.get(match[0], 0)
            if depth == 0:
                return match.end()
        raise ValueError(f'{self.name}: a bracket that is not closed')

    def raw(self, node):
        span = self.span(node)
        return bare(self.text[span[0]:span[1]]) if span else None

    def offer(self, node, operator, text, statement=False):
        span = self.span(node)
        if not span or text is None:
            return
        start, end = span[:2]
        if statement:
            end = self.text.index(';', end) + 1
        raw = self.text[start:end]
        if re.search(r'^[ \t]*#', raw, re.M) or bare(raw) in (text, f'({text})'):
            return
        site = self.sites.setdefault((start, end, statement), Site(start, end, statement))
        if text not in [choice[1] for choice in site.choices]:
            site.choices.append((operator, text))

    # ---- statements ----

    def statement(self, node, removable=True):
        kind, inner = node.get('kind'), node.get('inner', [])
        if not kind or kind in CONSTANT or kind == 'NullStmt':
            return
        span = self.span(node)
        if not span:
            return
        if span[2]: # all of it is a macro's
            name = re.match(r'\w*', self.text[span[0]:])[0]
            if not self.every_change and LOCKS.match(name):
                return
            if removable and name not in ('assert', 'static_assert', 'va_start', 'va_end') and self.text[span[1]:].lstrip().startswith(';'):
                self.offer(node, 'statement', '', True)
            return
        if kind == 'CompoundStmt':
            for part in inner:
                self.statement(part)
        elif kind == 'ForStmt' and 'expansionLoc' in node['range']['begin']: # a macro is its head
            self.statement(inner[-1])
        elif kind == 'IfStmt':
            self.condition(inner[0], True)
            for part in inner[1:]:
                self.statement(part)
        elif kind == 'WhileStmt':
            self.condition(inner[0], False)
            self.statement(inner[1])
        elif kind == 'DoStmt':
            self.statement(inner[0])
            self.condition(inner[1], False)
        elif kind == 'ForStmt':
            self.statement(inner[0], False)
            if inner[2].get('kind'):
                self.condition(inner[2], False)
            self.expression(inner[3])
            self.statement(inner[4])
        elif kind == 'SwitchStmt':
            self.expression(inner[0])
            self.statement(inner[1])
        elif kind in ('CaseStmt', 'DefaultStmt', 'LabelStmt'):
            self.statement(inner[-1])
        elif kind == 'ReturnStmt':
            if inner:
                self.returned(inner[0])
                self.expression(inner[0])
            else:
                self.offer(node, 'statement', '', True)
        elif kind == 'DeclStmt':
            for part in inner:
                if part['kind'] == 'VarDecl' and part.get('storageClass') != 'static':
                    for value in part.get('inner', []):
                        self.expression(value)
        elif kind in JUMPS:
            self.offer(node, 'statement', '', True)
        else:
            if removable and not does_nothing(node) and (self.every_change or not LOCKS.match(self.text[span[0]:])):
                self.offer(node, 'statement', '', True)
            self.expression(node, False)

    def condition(self, node, both):
        text = self.raw(node)
        if text is None:
            return
        shape = node
        while shape['kind'] in ('ImplicitCastExpr', 'ParenExpr'):
            shape = shape['inner'][0]
        if shape.get('opcode') not in RELATIONS and shape.get('opcode') != '!': # which have a change of their own
            self.offer(node, 'condition', f'!({text})')
        self.offer(node, 'condition', '0')
        if both: # an endless loop is nothing that a test must find
            self.offer(node, 'condition', '1')
        self.expression(node)

    def returned(self, node):
        kind, text = node['type'].get('desugaredQualType', node['type']['qualType']), self.raw(node)
        if text is None or re.fullmatch(r'NULL|true|false|-?\d\w*', text):
            return
        if kind.endswith('*'):
            self.offer(node, 'return', '(void *)0')
        elif is_number(kind):
            for value in '0', '1':
                self.enumerators.get(text) != int(value) and self.offer(node, 'return', value)

    # ---- expressions ----

    def expression(self, node, used=True):
        kind = node.get('kind')
        if not kind or kind in CONSTANT:
            return
        span = self.span(node)
        if not span:
            return
        text = bare(self.text[span[0]:span[1]])
        if span[2]:
            if text in ('true', 'false') and kind == 'IntegerLiteral':
                self.offer(node, 'constant', 'false' if text == 'true' else 'true')
            elif kind == 'ImplicitCastExpr':
                self.expression(node['inner'][0])
            return
        inner = node.get('inner', [])
        opcode = node.get('opcode')
        if kind == 'BinaryOperator' and opcode not in ('=', ',') or kind == 'CompoundAssignOperator':
            self.binary(node, opcode, *[self.raw(part) for part in inner])
        elif kind == 'UnaryOperator':
            operand = self.raw(inner[0])
            if opcode in ('!', '-', '~'):
                self.offer(node, 'unary', operand)
            elif opcode in ('++', '--') and operand is not None:
                other = '--' if opcode == '++' else '++'
                self.offer(node, 'arithmetic', operand + other if node.get('isPostfix') else other + operand)
        elif kind == 'IntegerLiteral' and len(text) <= 10:
            suffix, value = re.search(r'(?:[uUlL]*)$', text)[0], int(node['value'])
            for other in (value + 1, value - 1) if self.every_change else (1 - value,): # larger ones are sizes and bounds, mostly
                other >= 0 and self.offer(node, 'constant', f'{other}{suffix}')
        elif kind == 'CharacterLiteral':
            self.offer(node, 'constant', f'({text} + 1)')
        elif kind == 'CallExpr':
            self.swaps(node, inner[1:])
        elif kind == 'ConditionalOperator':
            self.note_choice(*inner)
            self.condition(inner[0], True)
            inner = inner[1:]
        elif kind == 'ImplicitCastExpr' and node.get('castKind') == 'NullToPointer':
            return
        for part in inner:
            self.expression(part)

    def note_choice(self, condition, first, second):
        """The smaller or larger of two is the same whatever is said where they are equal."""
        if condition.get('opcode') in SAME_WHERE_EQUAL and len(condition['inner']) == 2:
            compared = {uncast(self.raw(part)) for part in condition['inner']}
            if compared == {uncast(self.raw(first)), uncast(self.raw(second))}:
                self.choices.add(condition['id'])

    def binary(self, node, opcode, left, right):
        if left is None or right is None:
            return
        def with_operator(other):
            return f'{left} {other} {right}'
        if opcode in ('&&', '||'):
            other = '||' if opcode == '&&' else '&&'
            self.offer(node, 'relation', f'({left}) {other} ({right})')
            self.offer(node, 'operand', left)
            self.offer(node, 'operand', right)
        for other in RELATIONS.get(opcode, []):
            if node['id'] not in self.choices or other != SAME_WHERE_EQUAL[opcode]:
                self.offer(node, 'relation', with_operator(other))
        pointers = [part for part in node.get('inner', []) if part['type']['qualType'].endswith('*')]
        if opcode in ARITHMETIC and not (pointers and opcode == '+' and not node['inner'][0]['type']['qualType'].endswith('*')) \
                and len(pointers) < 2:
            self.offer(node, 'arithmetic', with_operator(ARITHMETIC[opcode]))
        elif opcode in ASSIGNMENTS:
            self.offer(node, 'arithmetic', with_operator(ASSIGNMENTS[opcode]))

    def swaps(self, node, arguments):
        if re.match(r'(calloc|annot__reader_(allocate|release)\w*|take)\(', self.raw(node) or ''): # of a product
            return
        if not self.every_change and SYMMETRIC.match(self.raw(node) or ''):
            return
        spans = [self.span(argument) for argument in arguments]
        for i in range(len(arguments) - 1):
            if not spans[i] or not spans[i + 1] or not are_alike(*arguments[i:i + 2]):
                continue
            (start, end), (first, last) = spans[i][:2], spans[i + 1][:2]
            one, other = self.text[start:end], self.text[first:last]
            if bare(one) != bare(other) and end <= first:
                whole = self.span(node)
                self.offer(node, 'swap', bare(self.text[whole[0]:start] + other + self.text[end:first] + one + self.text[last:whole[1]]))

    # ---- the text with all of them ----

    def nest(self):
        self.roots, open_sites = [], []
        for site in sorted(self.sites.values(), key=lambda s: (s.start, -s.end, not s.statement)):
            while open_sites and open_sites[-1].end <= site.start:
                open_sites.pop()
            if open_sites and site.end > open_sites[-1].end:
                continue # no expression of this text: a macro has part of it
            (open_sites[-1].inner if open_sites else self.roots).append(site)
            open_sites.append(site)

    def mutants(self):
        found = []
        def collect(sites):
            for site in sites:
                site.mutants = [self.mutant(site, choice) for choice in site.choices]
                found.extend(site.mutants)
                collect(site.inner)
        collect(self.roots)
        return found

    def keep(self, wanted):
        for site in self.sites.values():
            site.mutants = [mutant for mutant in getattr(site, 'mutants', []) if mutant in wanted]

    def is_excused(self, line):
        """Whether a comment on the line, or on the one above, says that its changes are equivalent."""
        return any(re.search(r'/\*.*\bequivalent\b', text) for text in self.text.split('\n')[max(line - 2, 0):line])

    def mutant(self, site, choice):
        start = self.text.rfind('\n', 0, site.start) + 1
        end = self.text.index('\n', site.end)
        before = self.text[start:end]
        after = self.text[start:site.start] + (choice[1] or '(void)0;') + self.text[site.end:end]
        line = self.text.count('\n', 0, site.start) + 1
        return Mutant(site, choice, self.name, line, *[bare(text).strip() for text in (before, after)])

    def rewritten(self, header):
        """With the mutants' numbers, which the caller has given them."""
        if not any(site.mutants for site in self.sites.values() if hasattr(site, 'mutants')):
            return self.text
        return f'#include "{header}"\n#line 1\n' + self.with_sites(self.roots, 0, len(self.text))

    def with_sites(self, sites, start, end):
        parts = []
        for site in sites:
            parts.append(self.text[start:site.start])
            inner = self.with_sites(site.inner, site.start, site.end)
            reached = site.mutants and f'mutants__reached({site.mutants[0].number})'
            if not reached: # none of them was drawn
                parts.append(inner)
            elif site.statement:
                parts.append(f'{{ {reached}; if (!mutants__is({site.mutants[0].number})) {inner} }}')
            else:
                choices = ''.join(f'mutants__is({m.number}) ? {compiled(m, self.text)} : ' for m in site.mutants)
                parts.append(f'({reached}, {choices}({inner}))')
            start = site.end
        return ''.join(parts) + self.text[start:end]


def compiled(mutant, text):
    """A pointer in the place of a truth value is one, as in `found |= !pointer`."""
    is_truth = mutant.operator == 'operand' or mutant.operator == 'unary' and text[mutant.site.start] == '!'
    return f'!!({mutant.choice})' if is_truth else mutant.choice


def does_nothing(node):
    """`(void)a, (void)b`."""
    if node.get('opcode') == ',':
        return all(map(does_nothing, node['inner']))
    return node.get('castKind') == 'ToVoid' and node['inner'][0].get('kind') in ('DeclRefExpr', 'ImplicitCastExpr')


def uncast(text):
    return text and re.sub(r'^(\(\w+\))+', '', text)


def is_number(kind):
    return bool(re.match(r'(const )?(unsigned |signed )?(_Bool|char|short|int|long|enum )', kind)) and not re.search(r'[*\[(]', kind)


def are_alike(one, other):
    kinds = []
    for node in one, other:
        while node['kind'] in ('ImplicitCastExpr', 'ParenExpr'):
            node = node['inner'][0]
        kind = node['type'].get('desugaredQualType', node['type']['qualType'])
        kinds.append('number' if is_number(kind) else re.sub(r'\bconst ?', '', kind).strip())
    return kinds[0] == kinds[1] and '[' not in kinds[0]
