extends Node2D
## A town: reads its level, puts up the lamps, and knows when all are lit.

const Walk = preload("res://scripts/walk.gd")
const LampScene = preload("res://scenes/lamp.tscn")

var walk := Walk.new()

func _ready() -> void:
	var level: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(Progress.level_path()))
	for place in level["lamps"]:
		var lamp := LampScene.instantiate()
		lamp.position = Vector2(place[0], place[1]) * 32.0
		$Lamps.add_child(lamp)

func step_to(cell: Vector2i) -> void:
	if not walk.may_step(cell):
		return
	walk.step(cell)
	for lamp in $Lamps.get_children():
		if Vector2i(lamp.position / 32.0) == cell:
			lamp.light()
	if $Lamps.get_children().all(func(lamp): return lamp.is_lit):
		Progress.next_level()
