#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The installed JSON Schema describes what is saved, and refuses what is not a run.

setup() {
	python3 -c 'import jsonschema' 2>/dev/null ||
		skip "python3-jsonschema is not installed"
	run_dir=$BATS_TEST_TMPDIR/run
	"$XCS_RUN_WRITER" "$run_dir"
	schema=$XCS_DATA/schema/xcsbench.run-1.schema.json
}

@test "a saved run fits the schema, a changed field does not" {
	python3 - "$schema" "$run_dir/run.json" <<-'EOF'
	import copy, json, sys, jsonschema
	schema, run = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
	jsonschema.Draft202012Validator.check_schema(schema)
	validator = jsonschema.Draft202012Validator(schema)
	validator.validate(run)
	for path in ("schema id status plan/seed trials/1/cell trials/0/kind cells/0/load "
	             "loads/0/n_clients host/0/key").split():
	    changed = copy.deepcopy(run)
	    at = changed
	    *parents, last = path.split("/")
	    for key in parents:
	        at = at[int(key)] if key.isdigit() else at[key]
	    at[last] = {"not": "a run"}
	    assert not validator.is_valid(changed), path
	EOF
}

@test "every key that is saved is in the schema" {
	python3 - "$schema" "$run_dir/run.json" <<-'EOF'
	import json, sys
	def walk(schema, value, path):
	    if isinstance(value, dict):
	        for key, inner in value.items():
	            assert key in schema["properties"], f"{path}/{key} is not in the schema"
	            walk(schema["properties"][key], inner, f"{path}/{key}")
	    if isinstance(value, list):
	        for inner in value:
	            walk(schema["items"], inner, path)
	walk(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), "")
	EOF
}
