"""fits.py SCHEMA FILE...: each file is JSON that fits the schema, by python3-jsonschema of Debian.
Of a .jsonl each line is. With more than one file the verdict on each is printed."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1], encoding='utf-8'))
jsonschema.Draft7Validator.check_schema(schema)
judge = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())


def documents(name):
    text = open(name, encoding='utf-8').read()
    return [json.loads(part) for part in (text.splitlines() if '.jsonl' in name else [text])]


bad = False
for name in sys.argv[2:]:
    errors = [f'NO: {list(e.absolute_path)}: {e.message}'[:200]
              for document in documents(name) for e in judge.iter_errors(document)]
    bad = bad or bool(errors)
    if len(sys.argv) > 3:
        errors = [f'{name} {len(errors)}'] if errors else [f'{name} fits']
    print('\n'.join(errors[:5]), end='\n' if errors else '')
sys.exit(bad)
