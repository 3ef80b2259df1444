extends Area2D
## A lamp that is dark until somebody comes by.

signal lit

var is_lit := false

func light() -> void:
	if is_lit:
		return
	is_lit = true
	modulate = Color(1.0, 0.9, 0.6)
	lit.emit()
