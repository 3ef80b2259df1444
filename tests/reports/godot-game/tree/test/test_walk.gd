extends "res://addons/tinytest/test.gd"

const Walk = preload("res://scripts/walk.gd")

func test_first_step_is_free():
	assert_true(Walk.new().may_step(Vector2i(3, 3)))

func test_never_crosses_itself():
	var walk = Walk.new()
	walk.step(Vector2i(0, 0))
	walk.step(Vector2i(1, 0))
	assert_false(walk.may_step(Vector2i(0, 0)))
