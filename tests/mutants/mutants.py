#!/usr/bin/env python3
"""Do the tests notice? Every small wrong change of the sources, all of them in one build that chooses one at run time.

Each test is run once without a mutant to see which places it reaches; a mutant then gets the tests that reach it, the one that
killed its neighbours and the quick ones first, until one fails. What is found is kept, and a later run goes on from there.
"""
import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import schema

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FLAGS = '-O1 -g1 -w'
LOCK = threading.Lock()


def fail(message):
    sys.exit(f'mutants: {message}')


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def write_if_changed(path, data, source=None):
    if os.path.exists(path) and read(path) == data:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)
    if source:
        shutil.copymode(source, path)


# ---- the sources and their build ----

class Tree:
    """A copy of the sources whose files have all their mutants, and its build."""

    def __init__(self, work, paths, jobs, sanitizers):
        self.source, self.build, self.jobs, self.sanitizers = f'{work}/source', f'{work}/build{sanitizers and "-" + sanitizers}', jobs, sanitizers
        self.log, self.header = f'{work}/build.log', f'{work}/mutant.h'
        files = subprocess.run(['git', 'ls-files', '-coz', '--exclude-standard'], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        self.files = {name for name in files.stdout.decode().split('\0') if name and os.path.exists(f'{ROOT}/{name}')}
        paths = [os.path.normpath(path) for path in paths]
        self.wanted = sorted(name for name in self.files if name.endswith('.c') and not name.endswith('_win32.c')
                             and any(name == path or name.startswith(path + '/') for path in paths))
        if not self.wanted:
            fail('no C file is there')

    def run(self, *command):
        with open(self.log, 'w', encoding='utf-8') as log:
            if subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False).returncode:
                fail(f'{self.log}: {command[0]} failed')

    def copy(self):
        for folder, _, names in os.walk(self.source): # a file that is gone would still be compiled
            for path in (os.path.join(folder, name) for name in names):
                if os.path.relpath(path, self.source) not in self.files:
                    os.unlink(path)
        for name in self.files:
            if name not in self.wanted or not os.path.exists(f'{self.source}/{name}'):
                write_if_changed(f'{self.source}/{name}', read(f'{ROOT}/{name}'), f'{ROOT}/{name}')
        generator = ['-G', 'Ninja'] if shutil.which('ninja') else []
        if not os.path.exists(f'{self.build}/CMakeCache.txt'):
            self.run('cmake', *generator, '-S', self.source, '-B', self.build, '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
                     f'-DCMAKE_C_FLAGS_RELWITHDEBINFO={FLAGS}', '-DANNOT_TESTS=ON', '-DANNOT_INSTALL=OFF',
                     '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', '-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON',
                     '-DANNOT_TEST_RUNNER=mutants/server.c',
                     f'-DANNOT_SANITIZE={self.sanitizers}')
        else:
            self.run('cmake', self.build)
        self.flags = {}
        for entry in json.loads(read(f'{self.build}/compile_commands.json')):
            name = os.path.relpath(entry['file'], self.source)
            self.flags.setdefault(name, preprocessor_flags(shlex.split(entry['command'])))

    def mutate(self, draw, every_change=False):
        """Numbers the mutants and writes the files with those that are drawn, which it returns."""
        names = [name for name in self.wanted if name in self.flags]
        with concurrent.futures.ProcessPoolExecutor(self.jobs) as pool:
            parsed = list(pool.map(parse, names, [self.flags[name] for name in names], [every_change] * len(names)))
        mutants, seen, last = [], collections.Counter(), 0
        for file in parsed:
            last = (last // 256 + 1) * 256 # so that a mutant more does not number those of all files anew
            for mutant in file.mutants():
                last += 1
                mutant.number = last
                alike = mutant.path, mutant.before, mutant.after
                seen[alike] += 1
                mutant.key = '\t'.join([*alike, str(seen[alike])])
                mutants.append(mutant)
        drawn = draw(mutants)
        mutants = set(drawn)
        for file in parsed:
            file.keep(mutants)
            write_if_changed(f'{self.source}/{file.name}', file.rewritten(self.header).encode('latin-1'))
        text = read(f'{HERE}/mutant.h').decode()
        room = 1 << last.bit_length() # and does not compile every file
        write_if_changed(self.header, f'#pragma once\n#define MUTANTS_COUNT {room}\n{text}'.encode())
        self.page_size = room + 4
        self.texts = {file.name: file for file in parsed}
        return drawn

    def compile(self, suites):
        targets = [f'test-{suite}' for suite in suites if suite in SERVED] + ['annot-conformance', 'd3dconfig'] * ('conformance' in suites)
        for test in self.ctest(suites): # what it runs: a script starts programs that are not known, nor is one found before it is built
            command = test.get('command', [])
            parts = [os.path.relpath(part, self.build) for part in command if part.startswith(self.build)]
            if not command and test['name'].startswith('stress-'):
                parts = [f'bin/{test["name"]}']
            is_known = parts and (not command or command[0].startswith(self.build))
            targets += [part for part in parts if re.match('(bin|lib)/.', part)] if is_known else ['all']
        self.run('cmake', '--build', self.build, f'-j{self.jobs}', *(['--target', *sorted(set(targets))] if shutil.which('ninja') else []))

    def ctest(self, suites):
        names = [suite for suite in suites if suite not in SERVED and suite != 'conformance']
        if not names:
            return []
        shown = subprocess.run(['ctest', '--test-dir', self.build, '--show-only=json-v1', '-R', f'^({"|".join(names)})$'],
                               stdout=subprocess.PIPE, check=True).stdout
        return json.loads(shown)['tests']

    def is_same_code(self, mutant):
        file, site = self.texts[mutant.path], mutant.site
        if not hasattr(file, 'code'):
            file.code = self.code(file, file.text)
        text = f'({mutant.choice})' if mutant.choice else ';'
        return file.code == self.code(file, file.text[:site.start] + text + file.text[site.end:])

    def code(self, file, text):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(['cc', '-c', '-O2', '-w', *self.flags[file.name], '-I', os.path.dirname(f'{ROOT}/{file.name}'), '-x', 'c', '-',
                            '-o', f'{folder}/code.o'], input=text.encode('latin-1'), check=False, stderr=subprocess.DEVNULL)
            return hashlib.sha256(read(f'{folder}/code.o')).digest() if os.path.exists(f'{folder}/code.o') else None


def preprocessor_flags(command):
    kept, parts = [], iter(command)
    for part in parts:
        if part in ('-isystem', '-I', '-include'):
            kept += [part, next(parts)]
        elif re.match(r'-(I|D|std=|pthread|fshort-wchar)', part):
            kept.append(part)
    return kept


def parse(name, flags, every_change):
    return schema.File(f'{ROOT}/{name}', name, flags, every_change)


# ---- tests ----

SERVED = ('unit', 'models', 'flow', 'emu', 'd3d12', 'config', 'platform', 'intercept', 'vulkan', 'trace', 'crash', 'truth-cases')


class Server:
    """A Criterion suite that runs tests by number, see server.c."""

    def __init__(self, tree, suite, place):
        self.program = [f'{tree.build}/bin/test-{suite}']
        self.place = place
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        cwd=self.place.folder, env=self.place.environment)
        self.names = []
        for line in iter(self.process.stdout.readline, '\n'):
            if not line:
                fail(f'{self.program[0]} ended')
            self.names.append(line.strip())

    def ask(self, mutant, tests):
        request = ' '.join([str(mutant)] + [f'{t.number}:{t.cpu_limit}:{t.wall_limit}' for t in tests])
        try:
            print(request, file=self.process.stdin, flush=True)
            number, outcome, cpu, wall = map(int, self.process.stdout.readline().split())
        except (ValueError, BrokenPipeError):
            fail(f'{self.program[0]} ended at mutant {mutant}')
        return number, outcome, cpu, wall


class Test:
    def __init__(self, suite, name, number=None, command=None, folder=None):
        self.suite, self.name, self.number, self.command, self.folder = suite, name, number, command, folder
        self.cpu_limit, self.wall_limit, self.time, self.reached = 60000, 120000, 0, b''


class Place:
    """Where a worker runs tests: a page for the mutant's number, a folder, and a server for each suite."""

    def __init__(self, tree, folder, suites):
        self.tree, self.folder, self.page = tree, folder, f'{folder}.page'
        os.makedirs(folder, exist_ok=True)
        with open(self.page, 'wb') as page:
            page.truncate(tree.page_size)
        self.environment = {**os.environ, 'MUTANTS_PAGE': self.page, 'TMPDIR': folder, 'ANNOT_CONFIG': '',
                            'XDG_CONFIG_HOME': '/nonexistent'} # no settings of this machine
        self.servers = {suite: Server(tree, suite, self) for suite in suites if suite in SERVED}

    def tests(self, suites):
        found = []
        for suite in suites:
            if suite in SERVED:
                found += [Test(suite, name, number) for number, name in enumerate(self.servers[suite].names) if name != '/']
            elif suite == 'conformance':
                program = f'{self.tree.build}/bin/annot-conformance'
                cases = subprocess.run([program, '--list'], stdout=subprocess.PIPE, text=True, check=True).stdout
                names = sorted(set(re.findall(r'^\w+/\w+', cases, re.M))) # for all kinds of objects and drivers at once
                found += [Test(suite, name, command=[program, '--jobs', '1', '--together', '64', '--filter', f'{name}*'],
                               folder=f'{self.tree.build}/tests')
                          for name in names]
        for test in self.tree.ctest(suites):
            properties = {each['name']: each['value'] for each in test['properties']}
            found.append(Test(test['name'], test['name'], command=test['command'], folder=properties['WORKING_DIRECTORY']))
        return found

    def run(self, mutant, tests):
        """(test, outcome, milliseconds of CPU and of the clock) of the first that fails, or the last; outcome 0: passed, 3: skipped."""
        if tests[0].number is not None:
            number, outcome, cpu, wall = self.servers[tests[0].suite].ask(mutant, tests)
            return next(test for test in tests if test.number == number), outcome, cpu, wall
        for test in tests:
            outcome, spent = self.execute(mutant, test)
            if outcome not in (0, 3):
                break
        return test, outcome, spent, spent

    def execute(self, mutant, test):
        self.set(mutant)
        start = time.monotonic()
        process = subprocess.Popen(test.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, cwd=test.folder, env=self.environment)
        try:
            outcome = process.wait(test.wall_limit / 1000)
        except subprocess.TimeoutExpired:
            outcome = 124
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        self.set(0)
        return 3 if outcome == 77 else outcome, int((time.monotonic() - start) * 1000)

    def set(self, mutant):
        with open(self.page, 'r+b') as page:
            page.write(mutant.to_bytes(4, sys.byteorder))

    def record(self, test):
        """False: it does not pass, or is skipped, without any mutant."""
        with open(self.page, 'r+b') as page:
            page.write(bytes(self.tree.page_size))
        outcome, cpu, wall = self.run(0, [test])[1:]
        test.reached = read(self.page)[4:]
        test.time = max(cpu, wall // 8) # other work on the machine makes waits long
        test.cpu_limit, test.wall_limit = 300 + 8 * cpu, 5000 + 20 * wall
        if outcome:
            print(f'{test.suite}: {test.name} {"is skipped" if outcome == 3 else "fails"} without a mutant and is left out')
        return outcome == 0


def record_all(places, suites, names, longest):
    """The tests that reach each place, by the number of its first mutant; quick ones first."""
    tests = [test for test in places[0].tests(suites) if re.search(names, test.name)]
    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        lots = pool.map(lambda i: [t for t in tests[i::len(places)] if places[i].record(t)], range(len(places)))
    reaching = collections.defaultdict(list)
    order = {suite: i for i, suite in enumerate(suites)}
    for test in sorted((test for lot in lots for test in lot if test.time <= longest), key=lambda t: (order.get(t.suite, 99), t.time)):
        for number in re.finditer(b'\x01', test.reached):
            reaching[number.start()].append(test)
        test.reached = b''
    return reaching


# ---- mutants ----

class Results:
    """A line for each mutant that was tried: its key, the verdict and the milliseconds."""

    def __init__(self, path):
        self.path, self.verdicts, self.times = path, {}, {}
        if os.path.exists(path):
            for line in read(path).decode('latin-1').splitlines():
                *key, verdict, spent = line.split('\t')
                self.verdicts['\t'.join(key)], self.times['\t'.join(key)] = verdict, int(spent)

    def add(self, mutant, verdict, spent):
        self.verdicts[mutant.key], self.times[mutant.key] = verdict, spent
        with open(self.path, 'ab') as file:
            file.write(f'{mutant.key}\t{verdict}\t{spent}\n'.encode('latin-1'))


def verdict_of(place, mutant, tests, killers, before):
    if not tests:
        return before or 'not reached'
    first = [test for test, _ in killers[mutant.path].most_common(4) if test in tests]
    ordered = first + [test for test in tests if test not in first]
    while ordered: # a request for each run of tests of one suite
        count = next((i for i, test in enumerate(ordered) if test.suite != ordered[0].suite), len(ordered))
        lot, ordered = ordered[:count], ordered[count:]
        test, outcome = place.run(mutant.number, lot)[:2]
        if outcome not in (0, 3):
            with LOCK:
                killers[mutant.path][test] += 1
            return f'killed by {test.suite}: {test.name}' + (place.tree.sanitizers and f' with {place.tree.sanitizers}')
    return 'survived'


def compare(tree, mutants, results, jobs):
    survived = [mutant for mutant in mutants if results.verdicts.get(mutant.key) == 'survived']
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, is_same in zip(survived, pool.map(tree.is_same_code, survived)):
            if is_same:
                results.add(mutant, 'same code', results.times[mutant.key])


def try_all(places, pending, reaching, results, minutes):
    waiting, killers = iter(pending), collections.defaultdict(collections.Counter)
    deadline = time.monotonic() + minutes * 60
    count = 0
    def work(place):
        nonlocal count
        while time.monotonic() < deadline:
            with LOCK:
                mutant = next(waiting, None)
            if not mutant:
                return
            start = time.monotonic()
            verdict = verdict_of(place, mutant, reaching.get(mutant.site.mutants[0].number, []), killers,
                                 results.verdicts.get(mutant.key))
            with LOCK:
                results.add(mutant, verdict, int((time.monotonic() - start) * 1000))
                count += 1
                if count % 500 == 0:
                    print(f'{count} of {len(pending)} tried', flush=True)
            for left in os.listdir(place.folder):
                path = f'{place.folder}/{left}'
                shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
    with concurrent.futures.ThreadPoolExecutor(len(places)) as pool:
        list(pool.map(work, places))


# ---- the report ----

def interval(hits, count):
    """Wilson's for a share, at 95 %."""
    z, share = 1.959964, hits / count
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return tuple((middle + sign * spread) / (1 + z * z / count) for sign in (-1, 1))


def described(mutant):
    return f'{mutant.path}:{mutant.line}: {mutant.operator}\n  - {mutant.before}\n  + {mutant.after}'


def report(tree, mutants, results, survivors, is_sample):
    table = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        folder = os.path.dirname(mutant.path)
        verdict = results.verdicts.get(mutant.key)
        kind = verdict.split(' by ')[0] if verdict else 'left'
        if kind in ('survived', 'not reached') and tree.texts[mutant.path].is_excused(mutant.line):
            kind = 'equivalent'
        for row in folder, 'all':
            table[row][kind] += 1
            table[row]['time'] += results.times.get(mutant.key, 0)
        if survivors and kind in ('survived', 'not reached'):
            print(f'{kind}: {described(mutant)}')
    columns = ('killed', 'survived', 'not reached', 'equivalent', 'same code', 'left')
    print(f'{"":20}' + ''.join(f'{column:>12}' for column in columns) + f'{"seconds":>10}{"killed %":>10}   95 % interval')
    for row in sorted(table, key=lambda r: (r == 'all', r)):
        counts = table[row]
        tried = counts['killed'] + counts['survived'] + counts['not reached']
        share = 100 * counts['killed'] / tried if tried else 0
        print(f'{row:20}' + ''.join(f'{counts[column]:12}' for column in columns) + f'{counts["time"] / 1000:10.0f}{share:10.1f}'
              + ('   %.1f to %.1f' % tuple(100 * x for x in interval(counts['killed'], tried)) if tried and (is_sample or counts['left']) else ''))
    return share


# ---- the self-test ----

def self_test():
    """The changes of the example and what each makes of it."""
    with tempfile.TemporaryDirectory() as folder:
        example = f'{HERE}/example.c'
        file = schema.File(example, 'example.c', [], True)
        mutants = file.mutants()
        for number, mutant in enumerate(mutants, 1):
            mutant.number = number
        write_if_changed(f'{folder}/mutant.h', f'#define MUTANTS_COUNT 4096\n{read(HERE + "/mutant.h").decode()}'.encode())
        write_if_changed(f'{folder}/all.c', file.rewritten(f'{folder}/mutant.h').encode('latin-1'))
        subprocess.run(['cc', '-D_GNU_SOURCE', '-w', f'{folder}/all.c', '-o', f'{folder}/all'], check=True)
        said = {}
        for number in range(len(mutants) + 1):
            write_if_changed(f'{folder}/page', number.to_bytes(4, sys.byteorder) + bytes(4096))
            run = subprocess.run(['timeout', '10', f'{folder}/all'], env={**os.environ, 'MUTANTS_PAGE': f'{folder}/page'},
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            said[number] = run.returncode, run.stdout
            if number == 0:
                reached = read(f'{folder}/page')[4:]
        if said[0] != (0, b'6\n'):
            fail(f'the example without a mutant says {said[0]}')
        found = ''
        for m in mutants:
            verdict = 'changed' if said[m.number] != said[0] else 'same' if reached[m.site.mutants[0].number] else 'not reached'
            found += f'{m.line} {m.operator}, {verdict}: {m.after}\n'
        if found != read(f'{HERE}/example.txt').decode():
            subprocess.run(['diff', f'{HERE}/example.txt', '-'], input=found.encode(), check=False)
            fail('example.txt (<) and what is found for example.c (>) differ')
    excused = [m.line for m in mutants if file.is_excused(m.line)]
    fewer = {(m.line, m.after) for m in schema.File(example, 'example.c', []).mutants()}
    if set(excused) != {47} or not fewer < {(m.line, m.after) for m in mutants}:
        fail(f'excused by comments: {excused}; {len(fewer)} changes of {len(mutants)}')
    low, high = interval(95, 100)
    if abs(low - 0.8882) > 0.0001 or abs(high - 0.9785) > 0.0001:
        fail(f"Wilson's interval of 95 in 100: {low} to {high}")
    print(f'self-test: {len(mutants)} changes')


# ---- main ----

def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('paths', nargs='*', default=['lib'], help='files and folders of the project (default: lib)')
    parser.add_argument('--build', default='build', help='all is kept in BUILD-mutants (default: build)')
    parser.add_argument('--suites', default='unit,models,emu,flow',
                        help=f'in this order: {", ".join(SERVED)}, conformance, or tests by names that ctest knows (default: %(default)s)')
    parser.add_argument('--tests', default='', metavar='REGEX', help='only tests of such names, SUITE/TEST: with --again those that are new')
    parser.add_argument('--count', type=int, help='only so many of each folder, drawn by the seed')
    parser.add_argument('--total', type=int, help='only so many of all, drawn by the seed')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--sanitize', default='', metavar='SANITIZERS', help='tests with them: address,undefined; with --again')
    parser.add_argument('--longest', type=float, default=math.inf, metavar='MS', help='leaves out tests that take longer')
    parser.add_argument('--compare', action='store_true', help='tells what survived but compiles to the same code, which is no mutant')
    parser.add_argument('--minutes', type=float, default=60, help='a run ends then, the next goes on (default: 60)')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--every-change', action='store_true',
                        help='all constants by one more and one less, comparisons turned around, locks: many change nothing')
    parser.add_argument('--again', action='store_true', help='tries only what earlier runs tried and did not kill')
    parser.add_argument('--survivors', action='store_true', help='prints them')
    parser.add_argument('--list', action='store_true', help='prints the changes; runs nothing')
    parser.add_argument('--report', action='store_true', help='only the report of what earlier runs found')
    parser.add_argument('--at-least', type=float, default=0, metavar='PERCENT', help='fails when fewer are killed')
    parser.add_argument('--self-test', action='store_true', help='checks the operators against an example')
    return parser.parse_args()


def drawn(mutants, wanted):
    """By a hash of each, so that a change of the sources leaves the rest of the sample as it was."""
    def rank(mutant):
        return hashlib.sha256(f'{wanted.seed}\t{mutant.key}'.encode()).digest()
    sample, counts = sorted(mutants, key=rank), collections.Counter()
    def is_drawn(mutant):
        counts[os.path.dirname(mutant.path)] += 1
        return counts[os.path.dirname(mutant.path)] <= wanted.count
    return list(filter(is_drawn, sample) if wanted.count else sample)[:wanted.total]


def main():
    wanted = options()
    if wanted.self_test:
        return self_test()
    work = os.path.join(ROOT, f'{wanted.build}-mutants')
    os.makedirs(work, exist_ok=True)
    lock = open(f'{work}/lock', 'w', encoding='utf-8')
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fail(f'{work}: another run is at work there; use --build for a folder of its own')
    suites = wanted.suites.split(',')
    tree = Tree(work, wanted.paths, wanted.jobs, wanted.sanitize)
    tree.copy()
    sample = tree.mutate(lambda mutants: drawn(mutants, wanted), wanted.every_change)
    results = Results(f'{work}/results.tsv')
    if wanted.list:
        print('\n'.join(map(described, sample)))
        return 0
    if not wanted.report:
        wanted_verdicts = ('survived', 'not reached') if wanted.again else (None,)
        pending = [mutant for mutant in sample if results.verdicts.get(mutant.key) in wanted_verdicts]
        start = time.monotonic()
        tree.compile(suites)
        built = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            places = [Place(tree, f'{folder}/{i}', suites) for i in range(wanted.jobs)]
            reaching = record_all(places, suites, wanted.tests, wanted.longest)
            recorded = time.monotonic()
            tests = len({test for reached in reaching.values() for test in reached})
            print(f'{len(pending)} mutants to try, {tests} tests; built in {built - start:.0f} s, tests recorded in {recorded - built:.0f} s', flush=True)
            try_all(places, pending, reaching, results, wanted.minutes)
            for place in places:
                for server in place.servers.values():
                    server.process.stdin.close()
                    server.process.wait()
            print(f'tried in {time.monotonic() - recorded:.0f} s; {sum(os.times()[:4]):.0f} s of CPU time in all')
    if wanted.compare:
        compare(tree, sample, results, wanted.jobs)
    return report(tree, sorted(sample, key=lambda m: m.number), results, wanted.survivors,
                  wanted.count or wanted.total) < wanted.at_least


if __name__ == '__main__':
    sys.exit(main())
