extends Node
## Which levels were done. Kept in user://progress.cfg.

var level := 1

func level_path() -> String:
	return "res://levels/%02d.json" % level

func next_level() -> void:
	level += 1
	var file := ConfigFile.new()
	file.set_value("progress", "level", level)
	file.save("user://progress.cfg")
	get_tree().reload_current_scene()
