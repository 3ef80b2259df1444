extends RefCounted
## The way so far. It never crosses itself.

var cells: Array[Vector2i] = []

func may_step(cell: Vector2i) -> bool:
	if cells.is_empty():
		return true
	return not cells.has(cell) and (cell - cells[-1]).length_squared() == 1

func step(cell: Vector2i) -> void:
	cells.append(cell)
