package patience

import "testing"

func TestBudgetRunsOut(t *testing.T) {
	b := WithBudget(1, Exponential(1, 1))
	if _, ok := b.Wait(0); !ok {
		t.Fatal("first retry is free")
	}
	if _, ok := b.Wait(1); ok {
		t.Fatal("second is not")
	}
}

func TestEmptyBudget(t *testing.T) {
	if _, ok := WithBudget(0, Exponential(1, 1)).Wait(0); ok {
		t.Fatal("nothing left")
	}
}
