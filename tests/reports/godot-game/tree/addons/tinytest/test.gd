extends RefCounted

var failures := 0

func assert_true(value) -> void:
	if not value: failures += 1

func assert_false(value) -> void:
	assert_true(not value)

func run() -> int:
	for method in get_method_list():
		if method["name"].begins_with("test_"): call(method["name"])
	return failures
