package main

import "testing"

func TestParsePlan(t *testing.T) {
	if n := len(parsePlan("b1 A 1\n# nothing\nb2 1 2\n")); n != 2 {
		t.Fatal(n)
	}
}
