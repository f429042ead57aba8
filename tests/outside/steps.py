"""steps.py action|job|workflow FILE [NAME=VALUE...]: the shell steps of a file for CI as GitHub or
GitLab would run them, as a script on standard output; what may not be in one ends with status 1.
An expression stands in `env`, `with`, `if` or a default, never in what a shell reads. A step under a
condition runs if anything that it takes was given."""
import re
import shlex
import sys

import yaml

EXPRESSION = re.compile(r'\$\{\{\s*(.*?)\s*\}\}')


class Strict(yaml.SafeLoader):
    """A key that stands twice is an error: the last one would win in silence."""


def mapping(loader, node):
    pairs = loader.construct_pairs(node, deep=True)
    keys = [key for key, _ in pairs]
    if len(set(map(str, keys))) != len(keys):
        sys.exit(f'NO: a key stands twice: {keys}')
    return dict(pairs)


Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)


def refuse(why):
    sys.exit(f'NO: {why}')


def fits(value, names, where):
    for name in value:
        if str(name) not in names:
            refuse(f'{where} has no {name}')


def action(data, given):
    fits(data, ('name', 'description', 'author', 'inputs', 'outputs', 'runs', 'branding'), 'an action')
    values = {}
    for name, row in data.get('inputs', {}).items():
        fits(row, ('description', 'required', 'default', 'deprecationMessage'), f'input {name}')
        values[f'inputs.{name}'] = given.pop(name, row.get('default', ''))
    values.update(given)
    if data['runs'].get('using') != 'composite':
        refuse('it is not composite')
    for step in data['runs']['steps']:
        fits(step, ('name', 'id', 'if', 'shell', 'env', 'run', 'working-directory',
                    'continue-on-error'), 'a step')
        if step.get('shell') != 'bash' or 'run' not in step:
            refuse('a step of a composite action names its shell')
        if EXPRESSION.search(step['run']):
            refuse(f"{step['name']}: an expression reaches the shell's text")
        env, given_any = [], ''
        for name, value in step.get('env', {}).items():
            value = EXPRESSION.sub(lambda m: next(
                (values[part] for part in re.split(r'\s*\|\|\s*', m[1]) if values.get(part)), ''),
                str(value))
            env.append(f'{name}={shlex.quote(value)}')
            given_any = given_any or value
        if 'if' in step and not given_any:
            print('# not run: ' + ' '.join(step['if'].split()))
            continue
        print(f"echo {shlex.quote('== ' + step['name'])}")
        print('env', *env, 'bash --noprofile --norc -eo pipefail -c', shlex.quote(step['run']),
              '|| status=$?')
    print('exit ${status:-0}')


def workflow(data, given):
    fits(data, ('name', 'True', 'permissions', 'jobs'), 'a workflow')
    if data['permissions'] != {'contents': 'read'}:
        refuse('it may do more than read')
    for step in (step for job in data['jobs'].values() for step in job['steps']):
        if not re.fullmatch(r'[\w.-]+/[\w.-]+@[0-9a-f]{40}', step.get('uses', '')):
            refuse(f'{step} is not pinned')
        if 'run' in step:
            refuse('it runs a shell of its own')
        print(step['uses'].split('@')[0], step.get('with', {}))


def job(data, given):
    fits(data['sov'], ('image', 'variables', 'before_script', 'script', 'artifacts'), 'a job')
    for name, value in data['sov']['variables'].items():
        print(f'export {name}={shlex.quote(value)}')
    print('set -e')
    for line in (data['sov']['before_script'] if 'all' in given else []) + data['sov']['script']:
        if not isinstance(line, str):
            refuse(f'{line} is no line')
        print(line)


kind, name = sys.argv[1:3]
rest = dict(pair.split('=', 1) for pair in sys.argv[3:])
{'action': action, 'workflow': workflow, 'job': job}[kind](
    yaml.load(open(name, encoding='utf-8'), Strict), rest)
