"""fits.py SCHEMA FILE: the file is JSON that fits the schema, by python3-jsonschema of Debian."""
import json
import sys

import jsonschema

schema, document = (json.load(open(name, encoding='utf-8')) for name in sys.argv[1:3])
jsonschema.Draft7Validator.check_schema(schema)
judge = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
errors = [f'NO: {list(e.absolute_path)}: {e.message}'[:200] for e in judge.iter_errors(document)]
print('\n'.join(errors[:5]), end='\n' if errors else '')
sys.exit(bool(errors))
