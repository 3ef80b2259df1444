// Copyright 2024 Somebody. All rights reserved.

// Package main sells tea.
//
// More words.
package main

import (
	"fmt"
	tea "example.com/tea/v2"
	_ "embed"
)

// Shop is a shop.
type Shop[T any] struct {
	teas []T
}

type (
	// Ware can be sold.
	Ware interface{ Price() int }
	state int
)

// Sell sells one tea.
func (s *Shop[T]) Sell(name string, a, b int, rest ...int) (int, error) {
	if a > 0 && b > 0 {
		for i := range rest {
			switch i {
			case 1, 2:
			default:
			}
		}
	} else if a < 0 {
		return 0, nil
	}
	return 1, nil
}

func open() {}

func main() { fmt.Println("x") }

func TestSell(t *testing.T) {}
func Testament() {}
