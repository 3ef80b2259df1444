extends SceneTree
## Runs every test_*.gd below res://test.

func _init() -> void:
	var failed := 0
	for name in DirAccess.get_files_at("res://test"):
		if name.begins_with("test_"):
			failed += load("res://test/" + name).new().run()
	quit(1 if failed > 0 else 0)
