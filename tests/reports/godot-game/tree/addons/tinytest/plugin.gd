@tool
extends EditorPlugin

func _enter_tree() -> void:
	add_tool_menu_item("Run tests", func(): pass)
