extends "res://addons/tinytest/test.gd"

func test_true_is_true():
	assert_true(true)
