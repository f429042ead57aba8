#!/usr/bin/python3
"""Mutants of what protects: a comparison, a guard, a sync, a clause of a trigger is changed in a
copy of the source, what depends on it is built, and the tests named for that file must notice.

  mutate.py list                    every mutant: its id, place and change
  mutate.py run [--all | --draw N [--seed TEXT] | ID...] [--where FILE] [--work FOLDER]

An id stays while the line stays, wherever it moves in its file. Those that live and are explained in
docs/mutants.md, by their id, are counted apart; the exit is 1 if another one lives, or none was tried.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.getcwd()
HERE = os.path.join(ROOT, 'tests', 'mutants')
SLOWER = 10  # times what a test takes without a mutant: it does not end
FIRST_S = 900
RANGES_EACH = 48

# (kind, name, what, by what). Each match on a line of code is a mutant.
COMPARISONS = [
    ('<', re.compile(r'(?<![<\-=>])<(?![<=])(?= )'), '<='),
    ('<=', re.compile(r'(?<!<)<=(?= )'), '<'),
    ('>', re.compile(r'(?<![->])>(?![>=])(?= )'), '>='),
    ('>=', re.compile(r'(?<!>)>=(?= )'), '>'),
    ('==', re.compile(r'=='), '!='),
    ('!=', re.compile(r'!='), '=='),
]
GUARD = re.compile(r'^(\s*)if \((.*)\)( return (?:false|sov_fail\(|sov_refuse|fail_).*|\s*)$')
FINDING = re.compile(
    r'^(\s+)((?:else )?(?:if \(.*\) )?)((?:return )?(?:sov_report_add|sov_report_event|sov_decided_wrong|'
    r'bad|finding|ahead|bad_blob|bad_ref|no|tree_finding)\(.*)$')
SYNC = re.compile(r'\bfsync\(fd\)( == 0| != 0)?|\bsov_sync_folder\([^;]*?, err\)')
RANGE = re.compile(r'\{ 0x([0-9A-Fa-f]+), 0x([0-9A-Fa-f]+)')


def code_of(line):
    """The line without its comments and strings, as long as it was."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', lambda m: ' ' * len(m.group()), line)
    line = re.sub(r'/\*.*?(\*/|$)', lambda m: ' ' * len(m.group()), line)
    return '' if line.lstrip().startswith('*') else line


def comparisons(lines):
    for n, line in enumerate(lines):
        code = code_of(line)
        if code.lstrip().startswith('#') or 'assert(' in code:
            continue
        if re.match(r'\s*for \(', code):
            continue  # a loop that goes one too far says nothing about a rule
        for name, what, by in COMPARISONS:
            for m in what.finditer(code):
                yield n, name + ' becomes ' + by, line[:m.start()] + by + line[m.end():]


def guards(lines):
    """`if (it is wrong) refuse` never refuses: of those whose condition is on one line."""
    for n, line in enumerate(lines):
        m = GUARD.match(line)
        if not m:
            continue
        after = m.group(3).strip() or (lines[n + 1].strip() if n + 1 < len(lines) else '')
        if not re.match(r'return (false|sov_fail\(|sov_refuse|fail_)', after):
            continue
        if 'err)' in m.group(2):
            continue  # a step that failed: its own file has the guard
        yield n, 'never refused', '%sif (0 && (%s))%s' % m.groups()


def findings(lines):
    """A check of the verifier that is off: what it sees it does not say."""
    for n, line in enumerate(lines):
        m = FINDING.match(line)
        if m:
            off = 'if (0) '
            if lines[n - 1].endswith('||'):
                off = 'true || '
            elif has_else(lines, n):
                off = 'while (0) '  # whose else stays the one of the check
            yield n, 'not said', m.group(1) + m.group(2) + off + m.group(3)


def has_else(lines, n):
    while not lines[n].endswith(';'):
        n += 1
    return lines[n + 1].lstrip().startswith('else')


def syncs(lines):
    for n, line in enumerate(lines):
        if re.match(r'(bool|static|int) ', line):
            continue
        for m in SYNC.finditer(line):
            by = {' == 0': '1', ' != 0': '0'}.get(m.group(1), 'true')
            yield n, 'no sync', line[:m.start()] + by + line[m.end():]


def ranges(lines):
    """Each so many: a table is one thing, and what is wrong in it is wrong in one way."""
    met = 0
    for n, line in enumerate(lines):
        for m in RANGE.finditer(line):
            low, high = int(m.group(1), 16), int(m.group(2), 16)
            met += high > low
            if high > low and met % RANGES_EACH == 0:
                yield n, 'a range ends early', '%s{ 0x%X, 0x%X%s' % (
                    line[:m.start()], low, high - 1, line[m.end():])


def clauses(lines):
    """A WHEN without one of its conditions, a trigger without its body, a CHECK that holds."""
    for n, line in enumerate(lines):
        if re.match(r"\s*--", line):
            continue
        m = re.match(r'^(WHEN|  OR|      OR) (.*)$', line)
        if m:
            gone = '(0 AND (%s))' if balanced(m.group(2)) else '0 AND %s'
            yield n, 'a clause is gone', m.group(1) + ' ' + gone % m.group(2)
        for m in re.finditer(r'raise\(ABORT, (\'[^\']*\')\)', line):
            yield n, 'not refused', line[:m.start()] + m.group(1) + line[m.end():]
        for m in re.finditer(r'CHECK \(', line):
            end = closing(line, m.end())
            if end:
                yield n, 'no check', line[:m.end()] + '1 OR (' + line[m.end():end] + ')' + line[end:]


def closing(text, start):
    """Where what was opened before `start` closes; None: on another line."""
    depth = 1
    for at in range(start, len(text)):
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def balanced(text):
    return text.count('(') == text.count(')')


RULES = {'c': comparisons, 'f': findings, 'g': guards, 's': syncs, 'r': ranges, 'q': clauses}


def the_map():
    for line in open(os.path.join(HERE, 'map')):
        words = line.split('#')[0].split()
        if words:
            yield words[0], words[1], words[2:]


def mutants():
    """All, in the order of the map: (id, path, line number, change, new text of the file, tests)."""
    for path, kinds, tests in the_map():
        lines = open(os.path.join(ROOT, path)).read().split('\n')
        met = {}
        for kind in kinds:
            for n, change, new in RULES[kind](lines):
                key = '%s|%s|%s|%s' % (path, change, lines[n].strip(), new.strip())
                met[key] = met.get(key, 0) + 1
                name = hashlib.sha256(('%s|%d' % (key, met[key])).encode()).hexdigest()[:8]
                yield name, path, n + 1, change, lines[:n] + [new] + lines[n + 1:], tests


def make(work, target):
    return subprocess.run(
        ['make', '-s', 'B=build', 'CC=' + os.environ.get('CC', 'cc'), target], cwd=work,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def target_of(test):
    return 'build/seeded/sov' if test.endswith('.t') else 'build/' + test


def notices(work, test, limit_s):
    """The test fails, or does not end."""
    words, env = [os.path.join(work, 'build', test)], dict(os.environ)
    if test.endswith('.t'):
        words = ['sh', 'tests/run.sh', 'tests/cli/' + test]
        env['SOV_BIN'] = os.path.join(work, 'build', 'seeded')
    try:
        done = subprocess.run(words, cwd=work, env=env, stdin=subprocess.DEVNULL, timeout=limit_s,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0 or re.search(rb'(?m)^not ok', done.stdout) is not None


def try_one(work, path, text, tests, limits):
    """killed by TEST, lived, or no program: it does not compile."""
    whole = os.path.join(work, path)
    with open(whole) as file:
        before = file.read()
    with open(whole, 'w') as file:
        file.write('\n'.join(text))
    try:
        for test in tests:
            if make(work, target_of(test)).returncode != 0:
                return 'no program'
            if notices(work, test, limits[test]):
                return 'killed by ' + test
        return 'lived'
    finally:
        with open(whole, 'w') as file:
            file.write(before)


def copy_to(work):
    names = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE).stdout.decode().split('\0')
    for name in names:
        if name and os.path.isfile(os.path.join(ROOT, name)):
            os.makedirs(os.path.dirname(os.path.join(work, name)) or '.', exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(work, name))


def explained():
    path = os.path.join(ROOT, 'docs', 'mutants.md')
    text = open(path).read() if os.path.exists(path) else ''
    return set(re.findall(r'`([0-9a-f]{8})`', text))


def choose(all_of_them, args):
    if args.get('--where'):
        all_of_them = [m for m in all_of_them if m[1].startswith(args['--where'])]
    if args.get('--draw'):
        seed = args.get('--seed', '')
        all_of_them.sort(key=lambda m: hashlib.sha256((seed + m[0]).encode()).digest())
        return all_of_them[:int(args['--draw'])]
    if args['ids']:
        return [m for m in all_of_them if m[0] in args['ids']]
    return all_of_them


def run(args):
    work = args['--work']
    known, counts = explained(), {'killed': 0, 'lived': 0, 'explained': 0, 'no program': 0}
    copy_to(work)
    tried = choose(list(mutants()), args)
    # A test that fails without a mutant would kill them all.
    limits = {}
    for test in sorted({test for m in tried for test in m[5]}):
        if make(work, target_of(test)).returncode:
            print('%s cannot be built' % test)
            return 1
        begun = time.monotonic()
        if notices(work, test, FIRST_S):
            print('%s fails without any mutant' % test)
            return 1
        limits[test] = 10 + SLOWER * (time.monotonic() - begun)
    for name, path, line, change, text, tests in tried:
        result = try_one(work, path, text, tests, limits)
        if result == 'lived' and name in known:
            result = 'explained'
        counts[result.split(' by ')[0]] += 1
        print('%s %s:%d %s: %s' % (name, path, line, change, result), flush=True)
    print('total: %d mutants, %d killed, %d lived and explained, %d lived, %d no program' % (
        len(tried), counts['killed'], counts['explained'], counts['lived'], counts['no program']))
    return 0 if counts['killed'] and not counts['lived'] else 1


def main(words):
    args = {'ids': [], '--work': None}
    if not words or words[0] not in ('list', 'run'):
        sys.stderr.write(__doc__)
        return 2
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        if word == '--all':
            continue
        if word.startswith('--'):
            args[word] = rest.pop(0)
        else:
            args['ids'].append(word)
    if words[0] == 'run':
        return run(args)
    for name, path, line, change, _, _ in mutants():
        print('%s %s:%d %s' % (name, path, line, change))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
