#!/usr/bin/env python3
# JSON reports against their schema by python3-jsonschema, a validator that knows nothing of this project.
#   schema.py SCHEMA DOCUMENT...
# The schema is open, so that members can be added; here no object may have a member that it doesn't name.
import json
import sys

import jsonschema


def close(schema):
    if isinstance(schema, dict):
        if "properties" in schema and "additionalProperties" not in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
close(schema)
checker = validator(schema)
wrong = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        errors = sorted(checker.iter_errors(json.load(file)), key=str)
    wrong += bool(errors)
    for error in errors[:3]:
        print(f"{path}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
print(f"{len(sys.argv) - 2} documents, {wrong} wrong")
sys.exit(1 if wrong else 0)
